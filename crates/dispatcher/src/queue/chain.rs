//! The list of blocks: growth at one end, recycling at the other.

use core::ptr::NonNull;

use super::block::Block;

/// Empty blocks that are kept for the next growth: the memory of 256 tasks.
const SPARES: usize = 8;

/// What is decided about blocks under their lock. No allocation happens there.
#[derive(Debug)]
pub(super) struct Chain {
    /// The block that was installed first; the consumer begins there.
    pub(super) first: Option<NonNull<Block>>,
    /// The newest block, for the numbers from `start` on.
    newest: Option<NonNull<Block>>,
    start: u64,
    spares: [Option<NonNull<Block>>; SPARES],
    spare_count: usize,
}

// SAFETY: the blocks are reached under the lock, or by whoever the protocol of the queue lets.
unsafe impl Send for Chain {}

impl Chain {
    /// No block at all.
    pub(super) const fn new() -> Self {
        Self { first: None, newest: None, start: 0, spares: [None; SPARES], spare_count: 0 }
    }

    /// The block that begins with number `start`, if it is installed.
    pub(super) fn installed(&self, start: u64) -> Option<NonNull<Block>> {
        self.newest.filter(|_| self.start == start)
    }

    /// Links `block` as the one that begins with number `start`.
    pub(super) fn install(&mut self, block: NonNull<Block>, start: u64) {
        match self.newest {
            // SAFETY: the newest block is in the list until the consumer has followed its link.
            Some(newest) => unsafe { newest.as_ref() }.link(block),
            None => self.first = Some(block),
        }
        self.newest = Some(block);
        self.start = start;
    }

    /// An empty block, if one is kept.
    pub(super) fn spare(&mut self) -> Option<NonNull<Block>> {
        self.spare_count = self.spare_count.checked_sub(1)?;
        self.spares[self.spare_count].take()
    }

    /// Keeps an empty block that has left the list; gives it back if there are enough.
    pub(super) fn recycle(&mut self, block: NonNull<Block>) -> Option<NonNull<Block>> {
        let Some(place) = self.spares.get_mut(self.spare_count) else { return Some(block) };
        *place = Some(block);
        self.spare_count += 1;
        None
    }
}
