//! The list of blocks: growth at one end, recycling at the other.

use core::ptr::NonNull;

use selvedge_sync::MODELLED;

use super::block::Block;

/// Empty blocks that are kept for the next growth at most: the memory of 2,048 tasks, 130 KB.
const SPARES: usize = if MODELLED { 1 } else { 64 };

/// What is decided about blocks under their lock. No allocation happens there.
#[derive(Debug)]
pub(super) struct Chain {
    /// The block that was installed first; the consumer begins there.
    pub(super) first: Option<NonNull<Block>>,
    /// The newest block, for the numbers from `start` on.
    newest: Option<NonNull<Block>>,
    start: u64,
    /// Empty blocks, linked.
    spares: Option<NonNull<Block>>,
    spare_count: usize,
}

// SAFETY: the blocks are reached under the lock, or by whoever the protocol of the queue lets.
unsafe impl Send for Chain {}

impl Chain {
    /// No block at all.
    pub(super) const fn new() -> Self {
        Self { first: None, newest: None, start: 0, spares: None, spare_count: 0 }
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
        let block = self.spares?;
        // SAFETY: spare blocks are reached under the lock alone.
        let unlinked = unsafe { block.as_ref() };
        self.spares = unlinked.next();
        unlinked.unlink();
        self.spare_count -= 1;
        Some(block)
    }

    /// Keeps an empty block that has left the list; gives it back if there are enough.
    pub(super) fn recycle(&mut self, block: NonNull<Block>) -> Option<NonNull<Block>> {
        if self.spare_count == SPARES {
            return Some(block);
        }
        if let Some(next) = self.spares {
            // SAFETY: it has left the list, so it is reached under this lock alone.
            unsafe { block.as_ref() }.link(next);
        }
        self.spares = Some(block);
        self.spare_count += 1;
        None
    }
}
