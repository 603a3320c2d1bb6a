//! Children of one type: found, dropped in place once, and never moved.
#![expect(unsafe_code, reason = "children are dropped in place")]

use core::mem::needs_drop;
use core::pin::Pin;

use super::liveness::Liveness;
use super::memory::Memory;

/// Children, and the record of which of them are alive.
///
/// Child `i` is alive as long as `!released && record.is_live(i)`. Nothing but [`retire`] and
/// [`release`] changes that, and both forget a child before they drop it: a panic in its destructor
/// finds it gone already.
///
/// [`retire`]: Self::retire
/// [`release`]: Self::release
pub struct Children<M: Memory, L: Liveness> {
    memory: M,
    record: L,
    released: bool,
}

impl<M: Memory, L: Liveness> Children<M, L> {
    /// Children of which none is recorded as finished.
    #[inline]
    pub(crate) fn new(memory: M) -> Self {
        let record = L::all_live(memory.len());
        Self { memory, record, released: false }
    }

    /// How many there were at the beginning.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether a child is alive.
    #[inline]
    pub(crate) fn is_live(&self, index: usize) -> bool {
        !self.released && index < self.memory.len() && self.record.is_live(index)
    }

    /// A child that is alive.
    #[inline]
    pub(crate) fn child(self: Pin<&mut Self>, index: usize) -> Option<Pin<&mut M::Child>> {
        // SAFETY: nothing is moved through the reference.
        let this = unsafe { self.get_unchecked_mut() };
        if !this.is_live(index) {
            return None;
        }
        // SAFETY: there are so many children.
        let child = unsafe { this.memory.base_mut().add(index) };
        // SAFETY: the child is alive, and borrowed with its memory.
        let child = unsafe { &mut *child };
        // SAFETY: the memory is pinned, and its children with it, until they are dropped in place.
        Some(unsafe { Pin::new_unchecked(child) })
    }

    /// The children that are alive.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &M::Child)> {
        (0..self.len()).filter(|&index| self.is_live(index)).map(|index| {
            // SAFETY: there are so many children.
            let child = unsafe { self.memory.base().add(index) };
            // SAFETY: the child is alive, and borrowed with its memory.
            (index, unsafe { &*child })
        })
    }

    /// Records a child as finished, then drops it in place.
    #[inline]
    pub(crate) fn retire(self: Pin<&mut Self>, index: usize, entry: L::Entry) {
        // SAFETY: nothing is moved through the reference.
        let this = unsafe { self.get_unchecked_mut() };
        if !this.is_live(index) {
            return;
        }
        this.record.retire(index, this.memory.len(), entry);
        if M::OWNED {
            // SAFETY: there are so many children.
            let child = unsafe { this.memory.base_mut().add(index) };
            // SAFETY: the child was alive until now, and nobody will find it again.
            unsafe { child.drop_in_place() };
        }
    }

    /// Drops every child that is alive. A panicking destructor leaves no other child out.
    pub(crate) fn release(self: Pin<&mut Self>) {
        // SAFETY: nothing is moved through the reference.
        unsafe { self.get_unchecked_mut() }.release_all();
    }

    /// The record, once no child is alive any more.
    pub(crate) fn finished_record(mut self: Pin<&mut Self>) -> &mut L {
        self.as_mut().release();
        // SAFETY: nothing is moved through the reference but the record, which is not pinned.
        &mut unsafe { self.get_unchecked_mut() }.record
    }

    fn release_all(&mut self) {
        if core::mem::replace(&mut self.released, true) || !M::OWNED || !needs_drop::<M::Child>() {
            return;
        }
        let mut rest = Rest { children: self, next: 0 };
        rest.drop_all();
    }
}

impl<M: Memory, L: Liveness> Drop for Children<M, L> {
    fn drop(&mut self) {
        self.release_all();
    }
}

// The record is never pinned.
impl<M: Memory + Unpin, L: Liveness> Unpin for Children<M, L> {}

/// The children that a release has yet to drop.
struct Rest<'a, M: Memory, L: Liveness> {
    children: &'a mut Children<M, L>,
    next: usize,
}

impl<M: Memory, L: Liveness> Rest<'_, M, L> {
    fn drop_all(&mut self) {
        while self.next < self.children.memory.len() {
            let index = self.next;
            self.next += 1;
            if self.children.record.is_live(index) {
                // SAFETY: there are so many children.
                let child = unsafe { self.children.memory.base_mut().add(index) };
                // SAFETY: the child was alive when `released` was set. Now nobody will find it
                // again, and this loop passes it once.
                unsafe { child.drop_in_place() };
            }
        }
    }
}

impl<M: Memory, L: Liveness> Drop for Rest<'_, M, L> {
    /// Goes on behind a destructor that panicked.
    fn drop(&mut self) {
        self.drop_all();
    }
}
