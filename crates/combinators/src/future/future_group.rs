//! A growing set of futures.

use core::fmt;
use core::future::Future;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};

use crate::group::{GroupChildren, Turn};

pub use crate::group::Key;

/// Futures that run together, and a stream of their outputs as they come.
///
/// Children may be inserted and removed at any time. A future that completes is dropped, and its output
/// is the next item. When all children are gone it gives
/// `None`, and may then be filled again.
///
/// A child is polled when it was woken, and at most once per poll of the group; a poll costs what the
/// woken children cost, however many there are. Children are never moved, and dropped where they
/// lie. Memory grows in doubling steps and is kept; so do the wakers, which are made at the first poll.
///
/// The waker of a child that is gone may poll, once, the child that has taken its place.
///
/// Insertion takes `&mut self` and wakes nobody: the task that inserts is the one that polls.
///
/// If a child panics in a poll, it is dropped, the panic reaches the caller, and the group goes on
/// without it.
///
/// # Cancel safety
///
/// Waiting for the next output may be given up at any time, and nothing is lost: no output is ever held
/// back. Dropping the group drops all children. Nothing is polled while you work on an output.
///
/// # Examples
///
/// ```
/// use core::future::ready;
/// use futures_lite::StreamExt as _;
/// use selvedge_combinators::future::FutureGroup;
///
/// # futures_lite::future::block_on(async {
/// let mut group = FutureGroup::new();
/// group.insert(ready(2));
/// let key = group.insert(ready(4));
/// group.remove(key);
///
/// let mut sum = 0;
/// while let Some(output) = group.next().await {
///     if output < 10 {
///         group.insert(ready(output * 3));
///     }
///     sum += output;
/// }
/// assert_eq!(sum, 2 + 6 + 18);
/// # });
/// ```
#[must_use = "a group does nothing unless polled"]
pub struct FutureGroup<F> {
    children: GroupChildren<F>,
}

impl<F> FutureGroup<F> {
    /// An empty group. Allocates nothing.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty group with room for so many futures.
    ///
    /// # Panics
    ///
    /// If they are more than 2³¹.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { children: GroupChildren::with_capacity(capacity) }
    }

    /// How many futures are in the group.
    pub fn len(&self) -> usize {
        self.children.len()
    }

    /// How many futures fit before memory grows.
    pub fn capacity(&self) -> usize {
        self.children.capacity()
    }

    /// Whether there is no future in the group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room for `additional` more futures. Children that are there stay where they are.
    ///
    /// # Panics
    ///
    /// If the group would hold more than 2³¹.
    pub fn reserve(&mut self, additional: usize) {
        self.children.reserve(additional);
    }

    /// Adds a future, to be polled in the next poll of the group, and gives its key.
    ///
    /// # Panics
    ///
    /// If the group holds 2³¹ already.
    pub fn insert(&mut self, future: F) -> Key {
        self.children.insert(future)
    }

    /// Drops the future that `key` names, where it lies. Whether it was there.
    ///
    /// ```
    /// use core::future::ready;
    /// use selvedge_combinators::future::FutureGroup;
    ///
    /// let mut group = FutureGroup::new();
    /// let key = group.insert(ready(1));
    /// assert!(group.remove(key) && !group.remove(key));
    ///
    /// group.insert(ready(2)); // in the same place, under another key
    /// assert!(!group.contains_key(key) && group.len() == 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Only if the destructor of the future does; it is gone all the same.
    pub fn remove(&mut self, key: Key) -> bool {
        self.children.remove(key)
    }

    /// Whether the future that `key` names is there.
    pub fn contains_key(&self, key: Key) -> bool {
        self.children.contains(key)
    }

    /// The same group, as a stream that also gives the key of each output.
    ///
    /// ```
    /// use core::future::ready;
    /// use futures_lite::StreamExt as _;
    /// use selvedge_combinators::future::FutureGroup;
    ///
    /// # futures_lite::future::block_on(async {
    /// let mut group = FutureGroup::new();
    /// let key = group.insert(ready(2));
    /// let mut group = group.keyed();
    /// assert_eq!(group.next().await, Some((key, 2)));
    /// # });
    /// ```
    pub fn keyed(self) -> Keyed<F> {
        Keyed { group: self }
    }
}

impl<F: Future> FutureGroup<F> {
    fn poll_keyed(&mut self, cx: &mut Context<'_>) -> Poll<Option<(Key, F::Output)>> {
        self.children.poll(cx, |child, cx| match child.poll(cx) {
            Poll::Ready(output) => Turn::Last(output),
            Poll::Pending => Turn::Pending,
        })
    }
}

impl<F: Future> Stream for FutureGroup<F> {
    type Item = F::Output;

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<F::Output>> {
        self.poll_keyed(cx).map(|next| next.map(|(_, item)| item))
    }

    /// For what is in the group now.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

/// Terminated while it is empty.
impl<F: Future> FusedStream for FutureGroup<F> {
    fn is_terminated(&self) -> bool {
        self.is_empty()
    }
}

impl<F> Default for FutureGroup<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Extend<F> for FutureGroup<F> {
    fn extend<I: IntoIterator<Item = F>>(&mut self, children: I) {
        let children = children.into_iter();
        // The upper bound may be anything.
        self.reserve(children.size_hint().0);
        for child in children {
            self.insert(child);
        }
    }
}

impl<F> FromIterator<F> for FutureGroup<F> {
    fn from_iter<I: IntoIterator<Item = F>>(children: I) -> Self {
        let mut group = Self::new();
        group.extend(children);
        group
    }
}

impl<F> fmt::Debug for FutureGroup<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FutureGroup")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

/// The stream of [`FutureGroup::keyed`]. It derefs to the group.
#[derive(Debug)]
#[must_use = "a group does nothing unless polled"]
pub struct Keyed<F> {
    group: FutureGroup<F>,
}

impl<F> Keyed<F> {
    /// The group.
    pub fn into_inner(self) -> FutureGroup<F> {
        self.group
    }
}

impl<F: Future> Stream for Keyed<F> {
    type Item = (Key, F::Output);

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.group.poll_keyed(cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.group.size_hint()
    }
}

impl<F: Future> FusedStream for Keyed<F> {
    fn is_terminated(&self) -> bool {
        self.group.is_terminated()
    }
}

impl<F> Deref for Keyed<F> {
    type Target = FutureGroup<F>;

    fn deref(&self) -> &FutureGroup<F> {
        &self.group
    }
}

impl<F> DerefMut for Keyed<F> {
    fn deref_mut(&mut self) -> &mut FutureGroup<F> {
        &mut self.group
    }
}
