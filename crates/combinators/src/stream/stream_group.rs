//! A growing set of streams.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};

use crate::group::{GroupChildren, Turn};
use crate::set::add_hints;

pub use crate::group::Key;

/// Streams that run together, and one stream of their items as they come.
///
/// Children may be inserted and removed at any time. A stream that ends is dropped. One that always has an
/// item does not keep the others from their turn. When all children are gone it gives
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
/// Waiting for the next item may be given up at any time, and nothing is lost: no item is ever held
/// back. Dropping the group drops all children. Nothing is polled while you work on an item.
///
/// # Examples
///
/// ```
/// use futures_lite::{StreamExt as _, stream};
/// use selvedge_combinators::stream::StreamGroup;
///
/// # futures_lite::future::block_on(async {
/// let mut group = StreamGroup::new();
/// group.insert(stream::iter(vec![1, 3]));
/// group.insert(stream::iter(vec![2]));
///
/// let items: Vec<_> = (&mut group).collect().await;
/// assert_eq!(items, [1, 2, 3]);
/// # });
/// ```
#[must_use = "a group does nothing unless polled"]
pub struct StreamGroup<S> {
    children: GroupChildren<S>,
}

impl<S> StreamGroup<S> {
    /// An empty group. Allocates nothing.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty group with room for so many streams.
    ///
    /// # Panics
    ///
    /// If they are more than 2³¹.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { children: GroupChildren::with_capacity(capacity) }
    }

    /// How many streams are in the group.
    pub fn len(&self) -> usize {
        self.children.len()
    }

    /// How many streams fit before memory grows.
    pub fn capacity(&self) -> usize {
        self.children.capacity()
    }

    /// Whether there is no stream in the group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room for `additional` more streams. Children that are there stay where they are.
    ///
    /// # Panics
    ///
    /// If the group would hold more than 2³¹.
    pub fn reserve(&mut self, additional: usize) {
        self.children.reserve(additional);
    }

    /// Adds a stream, to be polled in the next poll of the group, and gives its key.
    ///
    /// # Panics
    ///
    /// If the group holds 2³¹ already.
    pub fn insert(&mut self, stream: S) -> Key {
        self.children.insert(stream)
    }

    /// Drops the stream that `key` names, where it lies. Whether it was there.
    ///
    /// ```
    /// use futures_lite::stream::once;
    /// use selvedge_combinators::stream::StreamGroup;
    ///
    /// let mut group = StreamGroup::new();
    /// let key = group.insert(once(1));
    /// assert!(group.remove(key) && !group.remove(key));
    ///
    /// group.insert(once(2)); // in the same place, under another key
    /// assert!(!group.contains_key(key) && group.len() == 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Only if the destructor of the stream does; it is gone all the same.
    pub fn remove(&mut self, key: Key) -> bool {
        self.children.remove(key)
    }

    /// Whether the stream that `key` names is there.
    pub fn contains_key(&self, key: Key) -> bool {
        self.children.contains(key)
    }

    /// The same group, as a stream that also gives the key of each item.
    ///
    /// ```
    /// use futures_lite::{StreamExt as _, stream};
    /// use selvedge_combinators::stream::StreamGroup;
    ///
    /// # futures_lite::future::block_on(async {
    /// let mut group = StreamGroup::new();
    /// let key = group.insert(stream::once(2));
    /// let mut group = group.keyed();
    /// assert_eq!(group.next().await, Some((key, 2)));
    /// # });
    /// ```
    pub fn keyed(self) -> Keyed<S> {
        Keyed { group: self }
    }
}

impl<S: Stream> StreamGroup<S> {
    fn poll_keyed(&mut self, cx: &mut Context<'_>) -> Poll<Option<(Key, S::Item)>> {
        self.children.poll(cx, |child, cx| match child.poll_next(cx) {
            Poll::Ready(Some(item)) => Turn::Item(item),
            Poll::Ready(None) => Turn::End,
            Poll::Pending => Turn::Pending,
        })
    }
}

impl<S: Stream> Stream for StreamGroup<S> {
    type Item = S::Item;

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.poll_keyed(cx).map(|next| next.map(|(_, item)| item))
    }

    /// For what is in the group now.
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.children.iter().map(Stream::size_hint).fold((0, Some(0)), add_hints)
    }
}

/// Terminated while it is empty.
impl<S: Stream> FusedStream for StreamGroup<S> {
    fn is_terminated(&self) -> bool {
        self.is_empty()
    }
}

impl<S> Default for StreamGroup<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Extend<S> for StreamGroup<S> {
    fn extend<I: IntoIterator<Item = S>>(&mut self, children: I) {
        let children = children.into_iter();
        // The upper bound may be anything.
        self.reserve(children.size_hint().0);
        for child in children {
            self.insert(child);
        }
    }
}

impl<S> FromIterator<S> for StreamGroup<S> {
    fn from_iter<I: IntoIterator<Item = S>>(children: I) -> Self {
        let mut group = Self::new();
        group.extend(children);
        group
    }
}

impl<S> fmt::Debug for StreamGroup<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamGroup")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

/// The stream of [`StreamGroup::keyed`]. It derefs to the group.
#[derive(Debug)]
#[must_use = "a group does nothing unless polled"]
pub struct Keyed<S> {
    group: StreamGroup<S>,
}

impl<S> Keyed<S> {
    /// The group.
    pub fn into_inner(self) -> StreamGroup<S> {
        self.group
    }
}

impl<S: Stream> Stream for Keyed<S> {
    type Item = (Key, S::Item);

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.group.poll_keyed(cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.group.size_hint()
    }
}

impl<S: Stream> FusedStream for Keyed<S> {
    fn is_terminated(&self) -> bool {
        self.group.is_terminated()
    }
}

impl<S> Deref for Keyed<S> {
    type Target = StreamGroup<S>;

    fn deref(&self) -> &StreamGroup<S> {
        &self.group
    }
}

impl<S> DerefMut for Keyed<S> {
    fn deref_mut(&mut self) -> &mut StreamGroup<S> {
        &mut self.group
    }
}
