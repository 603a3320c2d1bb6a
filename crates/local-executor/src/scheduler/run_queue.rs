//! The owner's queue of items that are ready.

use std::collections::VecDeque;

/// How many items fit without an allocation.
const INLINE: usize = 8;

/// First in, first out, with room for a few items in place.
///
/// Short-lived executors with a handful of tasks never allocate for it. Everything in `inline` is
/// older than everything in `overflow`.
pub(super) struct RunQueue<T> {
    inline: [Option<T>; INLINE],
    head: usize,
    len: usize,
    overflow: VecDeque<T>,
}

impl<T> RunQueue<T> {
    /// Empty.
    pub(super) const fn new() -> Self {
        Self { inline: [const { None }; INLINE], head: 0, len: 0, overflow: VecDeque::new() }
    }

    /// Adds an item behind all others.
    #[inline]
    pub(super) fn push_back(&mut self, item: T) {
        if self.len < INLINE && self.overflow.is_empty() {
            let tail = (self.head + self.len) % INLINE;
            self.inline[tail] = Some(item);
            self.len += 1;
        } else {
            self.overflow.push_back(item);
        }
    }

    /// Takes the oldest item.
    #[inline]
    pub(super) fn pop_front(&mut self) -> Option<T> {
        if self.len == 0 {
            return self.overflow.pop_front();
        }
        let head = self.head;
        self.head = (head + 1) % INLINE;
        self.len -= 1;
        self.inline[head].take()
    }

    /// Whether nothing is ready.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items are ready.
    pub(super) fn len(&self) -> usize {
        self.len + self.overflow.len()
    }
}
