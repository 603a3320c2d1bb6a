//! The owner's side of a block, the same for every kind of array.

use core::ptr::NonNull;
use core::task::Waker;

use crate::layout::{GROUP, SLOTS, from_bit, slots_below};
use crate::page::Note;
use crate::pages::Pages;
use crate::raw_waker::vtable_of;
use crate::root::Root;
use crate::shape::Shape;
use crate::waker_ref::WakerRef;

/// A pointer to the block, and the owner's plain words of page 0. Its methods take the shape of
/// the array, always the same but for `WakerVec::resize`.
#[derive(Debug)]
pub(crate) struct Slots {
    pages: Pages,
    /// What is left of the snapshot.
    taken: usize,
    /// What the owner set since the snapshot.
    added: usize,
    /// Where the poll started.
    start: usize,
    /// Where it goes on.
    at: usize,
}

// SAFETY: the owner's words are reached by the rules of borrowing, what is shared is atomic, and a
// parent's waker may be cloned, woken and dropped on any thread.
unsafe impl Send for Slots {}
// SAFETY: `&self` only reads the owner's words.
unsafe impl Sync for Slots {}

/// A start that makes the first poll begin at slot 0.
const BEFORE_FIRST: usize = usize::MAX;

impl Slots {
    /// The owner of a block, with nothing ready.
    ///
    /// # Safety
    ///
    /// No other owner uses the block, it is alive as long as this one is used, and every shape that
    /// is passed to the methods is right.
    #[inline]
    pub(crate) unsafe fn new(root: NonNull<Root>) -> Self {
        // SAFETY: passed on.
        let pages = unsafe { Pages::new(root) };
        Self { pages, taken: 0, added: 0, start: BEFORE_FIRST, at: BEFORE_FIRST }
    }

    #[inline]
    fn root(&self) -> &Root {
        self.pages.root()
    }

    /// The block.
    #[inline]
    pub(crate) fn block(&self) -> NonNull<Root> {
        self.pages.block()
    }

    /// Registers `parent`, then takes the snapshot.
    // Always inlined, so that the shape is a constant where it can be.
    #[inline(always)]
    pub(crate) fn begin_poll(&mut self, shape: Shape, parent: &Waker) {
        let late = cfg!(selvedge_mutant = "registered_last");
        // SAFETY: the owner is borrowed exclusively.
        let mut before = if late { None } else { unsafe { self.root().parent.register(parent) } };
        let left_early = self.taken != 0 || shape.pages > 0 && self.pages.any_taken();
        self.move_start(shape.len, left_early);
        let woken = self.root().ready.take() & slots_below(shape.len, 0);
        self.taken |= woken | core::mem::take(&mut self.added);
        if shape.pages > 0 {
            self.pages.collect(shape);
        }
        if late {
            // SAFETY: the owner is borrowed exclusively.
            before = unsafe { self.root().parent.register(parent) };
        }
        // Last of all: this is user code.
        drop(before);
    }

    /// The slot after the start of the poll before; if that one left some, the slot after the last that
    /// it returned, or its own start if it returned none.
    #[inline]
    fn move_start(&mut self, len: usize, left_early: bool) {
        let start = if left_early { self.at } else { self.start.wrapping_add(1) };
        self.start = if start < len { start } else { 0 };
        self.at = self.start;
    }

    /// Pops the next slot of the snapshot.
    #[inline(always)]
    pub(crate) fn next_ready(&mut self, shape: Shape) -> Option<usize> {
        if shape.pages > 0 && self.pages.any_taken() {
            return self.next_of_pages(shape);
        }
        let ahead = self.taken & from_bit(self.at);
        let slots = if ahead != 0 { ahead } else { self.taken };
        if slots == 0 {
            return None;
        }
        self.taken &= !(slots & slots.wrapping_neg());
        let index = slots.trailing_zeros() as usize;
        self.at = index + 1;
        Some(index)
    }

    /// [`next_ready`](Self::next_ready) where something is left behind page 0.
    #[inline(never)]
    fn next_of_pages(&mut self, shape: Shape) -> Option<usize> {
        // Nothing joins the snapshot during a poll, so one wrap sees all that is left.
        let mut from = self.at;
        loop {
            if let Some(index) = self.pop_taken(shape, from) {
                self.at = index + 1;
                return Some(index);
            }
            if from == 0 {
                return None;
            }
            from = 0;
        }
    }

    /// Pops the first slot of the snapshot from `index` on.
    #[inline(always)]
    fn pop_taken(&mut self, shape: Shape, index: usize) -> Option<usize> {
        if index < SLOTS {
            let here = self.taken & from_bit(index);
            if here != 0 {
                self.taken &= !(here & here.wrapping_neg());
                return Some(here.trailing_zeros() as usize);
            }
        }
        self.pages.pop_taken(shape, index.max(SLOTS))
    }

    /// The waker of a slot.
    #[inline]
    pub(crate) fn waker(&self, shape: Shape, counted: bool, index: usize) -> WakerRef<'_> {
        check(shape, index);
        let further = shape.pages > 0 && index >= SLOTS;
        let page = if further {
            self.pages.address(shape, index / SLOTS).cast::<()>()
        } else {
            self.block().cast()
        };
        // SAFETY: the address of a slot lies within its page.
        let slot = unsafe { page.byte_add(index % SLOTS) };
        let data = slot.as_ptr().cast_const();
        // SAFETY: the vtable is the one for slots of such a page. The block is alive as long as the
        // owner is borrowed, which is as long as the waker is lent; clones keep it alive themselves.
        WakerRef::new(unsafe { Waker::new(data, vtable_of(further, counted)) })
    }

    /// Whether the slot is ready.
    pub(crate) fn is_ready(&self, shape: Shape, index: usize) -> bool {
        check(shape, index);
        let slot = 1 << (index % SLOTS);
        if shape.pages == 0 || index < SLOTS {
            (self.taken | self.added | self.root().ready.look()) & slot != 0
        } else {
            self.pages.is_ready(shape, index / SLOTS, slot)
        }
    }

    /// Whether any slot is ready.
    pub(crate) fn any_ready(&self, shape: Shape) -> bool {
        let owned = self.taken | self.added;
        owned != 0
            || self.root().ready.look() & slots_below(shape.len, 0) != 0
            || shape.pages > 0 && self.pages.any_ready(shape)
    }

    /// Makes the slot part of the next snapshot. Whether it was ready.
    pub(crate) fn set_ready(&mut self, shape: Shape, index: usize) -> bool {
        let before = self.is_ready(shape, index);
        self.make_ready(shape, index);
        before
    }

    /// Makes the slot part of the next snapshot.
    #[inline]
    #[track_caller]
    pub(crate) fn make_ready(&mut self, shape: Shape, index: usize) {
        check(shape, index);
        let slot = 1 << (index % SLOTS);
        if shape.pages == 0 || index < SLOTS {
            self.added |= slot;
        } else {
            self.pages.put(shape, Note::Added, index / SLOTS, slot);
        }
    }

    /// Makes the slots from `first` on part of the next snapshot.
    pub(crate) fn set_ready_from(&mut self, shape: Shape, first: usize) {
        self.added |= slots_below(shape.len, 0) & from_bit(first);
        for number in (first / SLOTS).max(1)..=shape.pages {
            let slots = slots_below(shape.len, number);
            let slots = slots & from_bit(first.saturating_sub(number * SLOTS));
            if slots != 0 {
                self.pages.put(shape, Note::Added, number, slots);
            }
        }
    }

    /// Forgets that the slot is ready. Whether it was.
    pub(crate) fn clear_ready(&mut self, shape: Shape, index: usize) -> bool {
        check(shape, index);
        let slot = 1 << (index % SLOTS);
        let (owned, woken) = if shape.pages == 0 || index < SLOTS {
            let owned = (self.taken | self.added) & slot != 0;
            self.taken &= !slot;
            self.added &= !slot;
            (owned, self.root().ready.withdraw(slot))
        } else {
            let number = index / SLOTS;
            let taken = self.pages.erase(shape, Note::Taken, number, slot);
            let added = self.pages.erase(shape, Note::Added, number, slot);
            (taken | added, self.pages.withdraw(shape, number, slot))
        };
        owned | woken
    }

    /// Goes on with more pages than there were.
    pub(crate) fn grown(&mut self, before: Shape, shape: Shape) {
        if before.pages <= GROUP && shape.pages > GROUP {
            self.pages.leave_one_group(shape);
        }
    }

    /// Forgets the slots from `shape.len` on, which are no longer there. What their wakers do later
    /// is left out of each snapshot.
    pub(crate) fn cut_off(&mut self, shape: Shape) {
        let kept = slots_below(shape.len, 0);
        self.taken &= kept;
        self.added &= kept;
        for number in (shape.len / SLOTS).max(1)..=shape.pages {
            let gone = !slots_below(shape.len, number);
            self.pages.erase(shape, Note::Taken, number, gone);
            self.pages.erase(shape, Note::Added, number, gone);
        }
    }

    /// The parent's waker, to be dropped where user code may run.
    #[inline]
    pub(crate) fn take_parent(&mut self) -> Option<Waker> {
        if cfg!(selvedge_mutant = "parent_kept_at_drop") {
            return None;
        }
        self.root().parent.take()
    }
}

/// Panics if there is no such slot.
#[inline]
#[track_caller]
fn check(shape: Shape, index: usize) {
    assert!(index < shape.len, "no slot {index} among {} sub-wakers", shape.len);
}
