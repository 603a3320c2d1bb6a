//! The consumer's side of the queue.

use core::ptr::NonNull;

use super::block::{Block, is_border};
use super::push::Queue;
use super::tail::{Gate, Seen};
use crate::task::{ErasedTask, Words};

/// Where the consumer stands. There is one of it to a queue.
#[derive(Debug)]
pub(crate) struct Head {
    /// The number of the next task.
    index: u64,
    /// Numbers below this one are known to be reserved, and let through the gate.
    known: u64,
    /// The block of the next task, or, at a border, perhaps the one before.
    block: Option<NonNull<Block>>,
    /// The first number of that block.
    start: u64,
    /// Whether it is known that what the gate held back is to be dropped.
    abandoned: bool,
}

// SAFETY: the block is the consumer's to read, on whatever thread the consumer is.
unsafe impl Send for Head {}

/// What the consumer finds.
#[must_use]
#[derive(Debug)]
pub(crate) enum Look<'p> {
    /// A task, taken out of its slot.
    Task(ErasedTask<'p>),
    /// The next slot is reserved and not filled yet.
    Stalled,
    /// Nothing to take as long as the word is this: empty, or behind the gate.
    Nothing(Seen),
    /// What follows is to be dropped. Told once.
    Abandoned,
    /// Closed, and all was taken.
    Drained,
}

impl Head {
    /// At the first task of a new queue.
    pub(crate) const fn new() -> Self {
        Self { index: 0, known: 0, block: None, start: 0, abandoned: false }
    }

    /// The number of the next task.
    #[inline]
    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// Whether a look at the queue would need the tail.
    #[inline]
    fn is_used_up(&self) -> bool {
        self.index == self.known
    }
}

impl Queue {
    /// Takes the next task, into `place`.
    ///
    /// `head` is the one of this queue.
    #[inline]
    pub(crate) fn look<'p>(&self, head: &mut Head, place: &'p mut Words) -> Look<'p> {
        if head.is_used_up() {
            let seen = self.tail().load();
            let empty = seen.index() == head.index;
            match seen.gate() {
                Gate::Shut if cfg!(selvedge_mutant = "gate_ignored") && !empty => {}
                Gate::Shut => return Look::Nothing(seen),
                Gate::Open if empty => return Look::Nothing(seen),
                Gate::Closed | Gate::Abandoned if empty => return Look::Drained,
                Gate::Abandoned if !head.abandoned => {
                    head.abandoned = true;
                    return Look::Abandoned;
                }
                Gate::Open | Gate::Closed | Gate::Abandoned => {}
            }
            head.known = seen.index();
        }
        match self.take(head, place) {
            Some(task) => Look::Task(task),
            None => Look::Stalled,
        }
    }

    /// Takes the task behind the gate that has waited longest, into `place`, for an eviction.
    ///
    /// `head` is the one of this queue, under its lock; its next slot is filled.
    pub(crate) fn evict<'p>(&self, head: &mut Head, place: &'p mut Words) -> ErasedTask<'p> {
        head.known = head.known.max(head.index + 1);
        self.take(head, place)
            .expect("slots are filled under the lock of the head, where there are evictions")
    }

    /// Takes the task of the next slot, which is reserved.
    #[inline]
    fn take<'p>(&self, head: &mut Head, place: &'p mut Words) -> Option<ErasedTask<'p>> {
        if is_border(head.index) && (head.block.is_none() || head.start != head.index) {
            self.advance(head);
        }
        let block = head.block.expect("a block is installed before its numbers are given out");
        // SAFETY: the block is in the list until the consumer leaves it in `advance`, at its end.
        let slot = unsafe { block.as_ref() }.slot(head.index);
        // SAFETY: this is the consumer, and its next slot.
        let task = unsafe { slot.take(place) };
        if cfg!(selvedge_mutant = "block_left_at_its_last_reserved_slot")
            && task.is_none()
            && is_border(head.index + 1)
        {
            head.index += 1;
            head.known = head.index;
            return None;
        }
        let task = task?;
        head.index += 1;
        Some(task)
    }

    /// Goes on to the block of the next number, and gives the one before back.
    #[cold]
    fn advance(&self, head: &mut Head) {
        head.start = head.index;
        let Some(old) = head.block else {
            // From here on the consumer has it.
            head.block = self.chain.lock().first.take();
            return;
        };
        // SAFETY: it is in the list until here.
        let next = unsafe { old.as_ref() }.next();
        head.block = next;
        // SAFETY: nobody else reaches the block any more: all its slots were filled and emptied, and
        // its link was followed.
        unsafe { old.as_ref() }.unlink();
        if let Some(surplus) = self.chain.lock().recycle(old) {
            // SAFETY: it came from a box, and nobody reaches it.
            drop(unsafe { Box::from_raw(surplus.as_ptr()) });
        }
    }

    /// Gives all memory back.
    ///
    /// `head` is the one of this queue, nobody uses either any more, and no task is left.
    pub(crate) fn free(&self, head: &mut Head) {
        let mut chain = self.chain.lock();
        let mut next = head.block.take().or(chain.first.take());
        while let Some(block) = next {
            // SAFETY: each block is in the list once, came from a box, and nobody reaches it.
            let block = unsafe { Box::from_raw(block.as_ptr()) };
            next = block.next();
        }
        while let Some(block) = chain.spare() {
            // SAFETY: as above; a spare block is in no list.
            drop(unsafe { Box::from_raw(block.as_ptr()) });
        }
    }
}
