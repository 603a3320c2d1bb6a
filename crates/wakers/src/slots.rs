//! The owner's side of a block, the same for every kind of array.

use core::ptr::NonNull;
use core::task::Waker;

use crate::layout::{SLOTS, from_bit, pages_for, slots_below};
use crate::page::{Note, flag};
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

    /// Registers `parent`, then takes the snapshot.
    // Always inlined, so that the shape is a constant where it can be.
    #[inline(always)]
    pub(crate) fn begin_poll(&mut self, shape: Shape, parent: &Waker) {
        let late = cfg!(selvedge_mutant = "registered_last");
        // SAFETY: the owner is borrowed exclusively.
        let mut before = if late { None } else { unsafe { self.root().parent.register(parent) } };
        self.move_on(shape);
        self.collect_woken(shape);
        if late {
            // SAFETY: the owner is borrowed exclusively.
            before = unsafe { self.root().parent.register(parent) };
        }
        // Last of all: this is user code.
        drop(before);
    }

    /// Takes the snapshot, unless nothing is left and nothing seems to be woken. Whether it did.
    #[inline(always)]
    pub(crate) fn begin_poll_unregistered(&mut self, shape: Shape) -> bool {
        let woken = self.seems_woken(shape);
        let begins = woken || self.any_taken(shape);
        if begins {
            self.move_on(shape);
        }
        if woken {
            self.collect_woken(shape);
        }
        begins
    }

    /// Registers `parent` in the middle of a poll, then adds to the snapshot what was woken meanwhile.
    #[inline]
    pub(crate) fn register(&mut self, shape: Shape, parent: &Waker) {
        // SAFETY: the owner is borrowed exclusively.
        let before = unsafe { self.root().parent.register(parent) };
        if cfg!(selvedge_mutant = "registered_without_a_take") {
            self.extend_poll(shape);
        } else {
            self.extend(shape);
        }
        // User code, last of all: the array is whole.
        let again = self.added != 0 || self.pages.any(shape, Note::Added);
        if again && !cfg!(selvedge_mutant = "again_not_told") {
            // Woken again before the parent was registered, perhaps: nobody else tells it.
            parent.wake_by_ref();
        }
        drop(before);
    }

    /// Adds to the snapshot what was woken since. Whether anything came.
    #[inline(always)]
    pub(crate) fn extend_poll(&mut self, shape: Shape) -> bool {
        self.seems_woken(shape) && self.extend(shape)
    }

    /// What was woken belongs to this poll if that has not had the slot yet, else to the next.
    /// Whether anything belongs to this one.
    #[inline(always)]
    fn extend(&mut self, shape: Shape) -> bool {
        if shape.pages > 0 {
            return self.extend_pages(shape);
        }
        let woken = self.root().ready.take();
        self.put_late(shape, woken)
    }

    #[inline(never)]
    fn extend_pages(&mut self, shape: Shape) -> bool {
        let flags = self.root().top.take();
        let mut fresh = false;
        if flags & flag(0) != 0 {
            let woken = self.root().ready.take_flagged();
            fresh = self.put_late(shape, woken);
        }
        self.pages.take_woken(shape, flags, |pages, page, number, woken| {
            fresh |= pages.put_late(shape, page, number, woken);
        });
        fresh
    }

    /// Sorts what was woken on page 0 in the middle of a poll. Whether any of it belongs to this poll.
    #[inline(always)]
    fn put_late(&mut self, shape: Shape, woken: usize) -> bool {
        let woken = woken & slots_below(shape.len, 0);
        if !cfg!(selvedge_mutant = "again_dropped") {
            self.added |= woken & self.seen & !self.taken;
        }
        let fresh = woken & !self.seen;
        self.take_in_root(fresh);
        fresh != 0
    }

    /// A relaxed look at what wakers write first.
    #[inline(always)]
    fn seems_woken(&self, shape: Shape) -> bool {
        let root = self.root();
        if shape.pages == 0 { root.ready.glance() } else { root.top.glance() }
    }

    /// Whether something of the snapshot is left.
    #[inline(always)]
    fn any_taken(&self, shape: Shape) -> bool {
        self.taken != 0 || shape.pages > 0 && self.pages.any_taken(shape)
    }

    /// A new poll. Its start is the slot after the start of the poll before; if that one left some, the
    /// slot after the last that it returned, or its own start if it returned none. Its snapshot is what
    /// is left, and what the owner set.
    #[inline(always)]
    fn move_on(&mut self, shape: Shape) {
        let left = self.any_taken(shape);
        let start = if left { self.at } else { self.start.wrapping_add(1) };
        self.start = if start < shape.len { start } else { 0 };
        self.at = self.start;
        self.taken |= core::mem::take(&mut self.added);
        self.seen = self.taken;
        if shape.pages > 0 {
            if left {
                self.pages.restart(shape)
            } else {
                self.pages.start()
            }
            if self.pages.any(shape, Note::Added) {
                self.pages.collect_added(shape);
            }
        }
    }

    /// Adds what was woken to the snapshot.
    #[inline(always)]
    fn collect_woken(&mut self, shape: Shape) {
        if shape.pages > 0 {
            return self.collect_woken_pages(shape);
        }
        self.take_in_root(self.root().ready.take() & slots_below(shape.len, 0));
    }

    #[inline(never)]
    fn collect_woken_pages(&mut self, shape: Shape) {
        let flags = self.root().top.take();
        if flags & flag(0) != 0 {
            self.take_in_root(self.root().ready.take_flagged() & slots_below(shape.len, 0));
        }
        self.pages.take_woken(shape, flags, |pages, page, number, woken| {
            pages.take_in(shape, page, number, woken);
        });
    }

    #[inline(always)]
    fn take_in_root(&mut self, slots: usize) {
        self.taken |= slots;
        self.seen |= slots;
    }

    /// Pops the next slot of the snapshot.
    #[inline(always)]
    pub(crate) fn next_ready(&mut self, shape: Shape) -> Option<usize> {
        if shape.pages > 0 && self.pages.any_taken(shape) {
            return Some(self.next_of_pages(shape));
        }
        let ahead = self.taken & from_bit(self.at);
        let slots = if ahead != 0 { ahead } else { self.taken };
        (slots != 0).then(|| self.pop_root(slots))
    }

    /// [`next_ready`](Self::next_ready) where something is left behind page 0.
    // Nothing but `extend` joins the snapshot during a poll, so one wrap sees all that is left.
    #[inline(never)]
    fn next_of_pages(&mut self, shape: Shape) -> usize {
        let from = self.at;
        let ahead = self.taken & from_bit(from);
        if ahead != 0 {
            return self.pop_root(ahead);
        }
        let index = match self.pages.pop_from(shape, from) {
            Some(index) => index,
            None if self.taken != 0 => return self.pop_root(self.taken),
            None => self.pages.pop_from(shape, 0).expect("something is left behind page 0"),
        };
        self.at = index + 1;
        index
    }

    /// Pops the first one of these slots of page 0.
    #[inline(always)]
    fn pop_root(&mut self, slots: usize) -> usize {
        self.taken &= !(slots & slots.wrapping_neg());
        let index = slots.trailing_zeros() as usize;
        self.at = index + 1;
        index
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
