//! Children of a group with their wakers: which one is polled when.

use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use selvedge_wakers::WakerVec;

use super::chunks::{Chunks, Occupied};
use super::key::Key;

/// What a poll of one child came to.
pub(crate) enum Turn<T> {
    /// It waits.
    Pending,
    /// It gave something, and may have more.
    Item(T),
    /// It gave something, and has finished.
    Last(T),
    /// It has ended.
    End,
}

/// Children and their wakers, which are made at the first poll.
pub(crate) struct GroupChildren<C> {
    chunks: Chunks<C>,
    /// At least as many as places have been used, and ready only where there is a child.
    wakers: Option<WakerVec>,
}

impl<C> GroupChildren<C> {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let mut chunks = Chunks::new();
        chunks.reserve(capacity);
        Self { chunks, wakers: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.chunks.capacity()
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.chunks.reserve(additional);
    }

    pub(crate) fn contains(&self, key: Key) -> bool {
        self.chunks.contains(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &C> {
        self.chunks.iter()
    }

    pub(crate) fn insert(&mut self, child: C) -> Key {
        let key = self.chunks.insert(child);
        if let Some(wakers) = &mut self.wakers {
            let index = key.index as usize;
            if index >= wakers.len() {
                grow(wakers, self.chunks.capacity());
            }
            wakers.make_ready(index);
        }
        key
    }

    pub(crate) fn remove(&mut self, key: Key) -> bool {
        if !self.contains(key) {
            return false;
        }
        let index = key.index as usize;
        if let Some(wakers) = self.wakers.as_mut().filter(|wakers| index < wakers.len()) {
            wakers.clear_ready(index);
        }
        self.chunks.remove(index)
    }

    /// Polls the children that are ready until one gives something. `None` if there is no child.
    #[inline]
    pub(crate) fn poll<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut poll_child: impl FnMut(Pin<&mut C>, &mut Context<'_>) -> Turn<T>,
    ) -> Poll<Option<(Key, T)>> {
        if self.chunks.len() == 0 {
            self.rest();
            return Poll::Ready(None);
        }
        // An output that is probably there needs no parent to be woken.
        let chunks = &self.chunks;
        let wakers = self.wakers.get_or_insert_with(|| first_wakers(chunks));
        let mut registered = !wakers.begin_poll_unregistered(cx.waker());
        if registered {
            wakers.begin_poll(cx.waker());
        }
        loop {
            if let Some(given) = self.next(&mut poll_child) {
                return Poll::Ready(Some(given));
            }
            if self.chunks.len() == 0 {
                // Nobody is left to be woken for, and the group may rest for long.
                self.rest();
                return Poll::Ready(None);
            }
            let Some(wakers) = &mut self.wakers else { return Poll::Pending };
            if !registered {
                wakers.register(cx.waker());
                registered = true;
            } else if !wakers.extend_poll() {
                return Poll::Pending;
            }
        }
    }

    /// Lets go of the task that polled.
    fn rest(&mut self) {
        if let Some(wakers) = &mut self.wakers {
            wakers.release_parent();
        }
    }

    /// Starts a poll: the children that are ready now are to be polled.
    #[inline]
    pub(crate) fn begin(&mut self, parent: &Waker) {
        let chunks = &self.chunks;
        self.wakers.get_or_insert_with(|| first_wakers(chunks)).begin_poll(parent);
    }

    /// Goes on with them until one gives something.
    #[inline]
    pub(crate) fn next<T>(
        &mut self,
        poll_child: &mut impl FnMut(Pin<&mut C>, &mut Context<'_>) -> Turn<T>,
    ) -> Option<(Key, T)> {
        while let Some(index) = self.wakers.as_mut()?.next_ready() {
            // Else it is a wake of a child that is gone.
            let Some(place) = self.chunks.occupied(index) else { continue };
            let key = place.key();
            match poll_one(place, self.wakers.as_ref()?, index, poll_child) {
                Turn::Item(item) => {
                    // It will not wake anybody for what it has already.
                    self.wakers.as_mut()?.make_ready(index);
                    return Some((key, item));
                }
                Turn::Last(item) => return Some((key, item)),
                Turn::Pending | Turn::End => {}
            }
        }
        None
    }

    /// Inserts a child and polls it at once. A poll must have been started.
    pub(crate) fn insert_and_poll<T>(
        &mut self,
        child: C,
        mut poll_child: impl FnMut(Pin<&mut C>, &mut Context<'_>) -> Turn<T>,
    ) -> Turn<T> {
        let index = self.insert(child).index as usize;
        let Some(wakers) = &mut self.wakers else { return Turn::Pending };
        wakers.clear_ready(index);
        let Some(place) = self.chunks.occupied(index) else { return Turn::Pending };
        poll_one(place, wakers, index, &mut poll_child)
    }
}

/// Polls a child. It is dropped when it has finished, or panics.
#[inline]
fn poll_one<C, T>(
    place: Occupied<'_, C>,
    wakers: &WakerVec,
    index: usize,
    poll_child: &mut impl FnMut(Pin<&mut C>, &mut Context<'_>) -> Turn<T>,
) -> Turn<T> {
    let mut place = Guard(Some(place));
    let Some(child) = place.0.as_mut().and_then(Occupied::child) else { return Turn::Pending };
    let waker = wakers.waker(index);
    let turn = poll_child(child, &mut Context::from_waker(&waker));
    match turn {
        Turn::Pending | Turn::Item(_) => place.keep(),
        // Now, not on return: a value that is on its way out would leak if this panicked.
        Turn::Last(_) | Turn::End => drop(place),
    }
    turn
}

/// Wakers for a group that was never polled: every child gets a first poll.
#[cold]
fn first_wakers<C>(chunks: &Chunks<C>) -> WakerVec {
    let mut wakers = WakerVec::idle_with_len(chunks.capacity());
    for index in (0..chunks.used()).filter(|&index| chunks.key(index).is_some()) {
        wakers.make_ready(index);
    }
    wakers
}

/// Grows in the steps of the chunks. New slots are born ready, but nobody is there yet.
#[cold]
fn grow(wakers: &mut WakerVec, capacity: usize) {
    let before = wakers.len();
    wakers.resize(capacity);
    for index in before..capacity {
        wakers.clear_ready(index);
    }
}

/// A child that is being polled. Dropped, also by a panic, it takes the child along.
struct Guard<'a, C>(Option<Occupied<'a, C>>);

impl<C> Guard<'_, C> {
    /// The child stays.
    fn keep(mut self) {
        self.0 = None;
    }
}

impl<C> Drop for Guard<'_, C> {
    fn drop(&mut self) {
        if let Some(place) = self.0.take() {
            place.vacate();
        }
    }
}
