//! The owner's side of a block, the same for every kind of array.

mod poll;

use core::ptr::NonNull;
use core::task::Waker;

use crate::layout::{SLOTS, from_bit, pages_for, slots_below};
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
    /// What was part of this poll's snapshot.
    seen: usize,
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
        Self { pages, taken: 0, added: 0, seen: 0, start: BEFORE_FIRST, at: BEFORE_FIRST }
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
        let further = |note| shape.pages > 0 && self.pages.any(shape, note);
        owned != 0
            || further(Note::Taken)
            || further(Note::Added)
            || self.root().ready.look() & slots_below(shape.len, 0) != 0
            || shape.pages > 0 && self.pages.any_woken(shape)
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
        for number in (first / SLOTS).max(1)..=pages_for(shape.len) {
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

    /// The first pages behind the root have come: page 0 gets its flag.
    pub(crate) fn flag_root(&mut self, before: Shape) {
        self.root().flag();
        // What was woken before has told the parent itself; who wakes after this take sees the flag.
        if !cfg!(selvedge_mutant = "root_flagged_without_a_take") {
            self.added |= self.root().ready.take() & slots_below(before.len, 0);
        }
    }

    /// Forgets the slots from `shape.len` to `before`, which are no longer there. What their wakers do
    /// later is left out of each snapshot.
    pub(crate) fn cut_off(&mut self, shape: Shape, before: usize) {
        let kept = slots_below(shape.len, 0);
        self.taken &= kept;
        self.added &= kept;
        for number in (shape.len / SLOTS).max(1)..=pages_for(before) {
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
