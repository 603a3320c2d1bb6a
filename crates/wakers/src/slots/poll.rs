//! What an owner does in a poll: take snapshots, and return their slots.

use core::task::Waker;

use super::Slots;
use crate::layout::{from_bit, slots_below};
use crate::page::{Note, flag};
use crate::shape::Shape;

impl Slots {
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
    pub(crate) fn begin_poll_unregistered(&mut self, shape: Shape, parent: &Waker) -> bool {
        let woken = self.seems_woken(shape);
        let begins = woken || self.any_taken(shape);
        if begins {
            self.move_on(shape);
        }
        if woken {
            self.collect_woken(shape);
        }
        if begins {
            // SAFETY: the owner is borrowed exclusively.
            let before = unsafe { self.root().parent.dismiss_other(parent) };
            // Last of all: this is user code.
            drop(before);
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
    #[inline(always)]
    fn next_of_pages(&mut self, shape: Shape) -> usize {
        match self.pages.single(shape) {
            Some(number) if self.taken == 0 => {
                let index = self.pages.pop_single(shape, number, self.at);
                self.at = index + 1;
                index
            }
            _ => self.next_of_several(shape),
        }
    }

    #[inline(never)]
    fn next_of_several(&mut self, shape: Shape) -> usize {
        if self.pages.any_far_taken(shape) {
            return self.next_of_groups(shape);
        }
        let ahead = self.taken & from_bit(self.at);
        if ahead != 0 {
            return self.pop_root(ahead);
        }
        let found = match self.pages.near_from(shape, self.at) {
            Some(found) => found,
            None if self.taken != 0 => return self.pop_root(self.taken),
            None => self.pages.first_near(shape),
        };
        let index = self.pages.pop_near(shape, found);
        self.at = index + 1;
        index
    }

    /// The same where something is left beyond the first group of pages.
    #[cold]
    fn next_of_groups(&mut self, shape: Shape) -> usize {
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
}
