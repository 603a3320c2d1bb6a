//! The producers' side of the queue.

use core::ptr::{self, NonNull};

use selvedge_sync::atomic::{AtomicPtr, Ordering};
use selvedge_sync::sync::Mutex;

use super::block::{Block, is_border};
use super::chain::Chain;
use super::slot::Slot;
use super::tail::{Seen, Tail, Wake};
use crate::line::Line;
use crate::task::{Launch, Task, fits};

/// The queue. Its consumer's side is in `head`.
#[derive(Debug)]
pub(crate) struct Queue {
    front: Line<Front>,
    pub(super) chain: Line<Mutex<Chain>>,
}

/// What each launch touches.
#[derive(Debug)]
struct Front {
    tail: Tail,
    /// The newest block: the one for the tail's number, unless that is the first of a block.
    block: AtomicPtr<Block>,
}

/// A slot that is the caller's to fill, at once.
#[must_use]
#[derive(Debug)]
pub(crate) struct Reservation<'q> {
    slot: &'q Slot,
    /// The number of the task.
    pub(crate) index: u64,
    /// Whether the worker is to be woken once the slot is filled.
    pub(crate) wake: Wake,
}

impl Reservation<'_> {
    /// Puts a task that fits into the slot. Nothing in here can panic.
    #[inline]
    pub(crate) fn fill<T: Task>(&self, task: T) {
        assert!(fits::<T>(), "decided at compile time, by `Shared::launch`");
        // SAFETY: the reservation is this caller's alone, and each is filled once, by `Shared::fill`.
        unsafe { self.slot.fill(task) };
    }
}

/// Bytes of a box from which on memory that was not kept pays; see "Memory" in the design notes.
const LARGE: usize = 256;

impl Queue {
    selvedge_sync::const_fn! {
        /// An empty queue behind a shut gate. Allocates at the first push.
        pub(crate) const fn new() -> Self {
            let front = Front { tail: Tail::new(), block: AtomicPtr::new(ptr::null_mut()) };
            Self { front: Line(front), chain: Line(Mutex::new(Chain::new())) }
        }
    }

    #[inline]
    pub(crate) fn tail(&self) -> &Tail {
        &self.front.tail
    }

    /// Reserves the slot for the number in `seen`, if the word is still `seen`, which is not closed.
    ///
    /// A large boxed closure that begins a block begins it in new memory; see "Memory" in the design notes.
    #[inline]
    pub(crate) fn reserve<T: Launch>(&self, seen: Seen) -> Result<Reservation<'_>, Seen> {
        let index = seen.index();
        if is_border(index) {
            return self.reserve_first(seen, T::BOXED >= LARGE);
        }
        // Relaxed: `seen` was read with the store of its block, or of a later one, before it; if this
        // sees a later one, the word has moved on, and the exchange fails.
        let block = self.front.block.load(Ordering::Relaxed);
        let wake = self.front.tail.reserve(seen)?;
        // SAFETY: the number did not change since `seen` was read, so the block is the one that was
        // installed at its border. It stays in the list until this slot is filled and emptied.
        let slot = unsafe { &*block }.slot(index);
        Ok(Reservation { slot, index, wake })
    }

    /// The same for the first number of a block: installs the block, under the chain's lock, with
    /// memory that was kept, or that was allocated outside. `anew`: not with memory that was kept.
    #[cold]
    fn reserve_first(&self, seen: Seen, anew: bool) -> Result<Reservation<'_>, Seen> {
        let index = seen.index();
        let mut fresh = None;
        loop {
            let mut chain = self.chain.lock();
            if chain.installed(index).is_none() {
                // Numbers of borders are reserved under this lock only.
                let now = self.front.tail.load();
                if now.index() != index {
                    drop(chain);
                    drop(fresh);
                    return Err(now);
                }
                let spare = if anew { None } else { chain.spare() };
                let Some(block) = spare.or_else(|| fresh.take().map(into_list)) else {
                    drop(chain);
                    fresh = Some(Block::new());
                    continue;
                };
                chain.install(block, index);
                // Relaxed: the tail that moves past the border publishes it.
                self.front.block.store(block.as_ptr(), Ordering::Relaxed);
            }
            let block = chain.installed(index).expect("it was installed above, or before");
            let reserved = self.front.tail.reserve_first(seen);
            drop(chain);
            drop(fresh);
            let wake = reserved?;
            // SAFETY: as in `reserve`.
            let slot = unsafe { block.as_ref() }.slot(index);
            return Ok(Reservation { slot, index, wake });
        }
    }
}

/// Hands a block over to the list.
fn into_list(block: Box<Block>) -> NonNull<Block> {
    NonNull::from(Box::leak(block))
}
