//! The owner's queue of items that are ready.

use std::collections::VecDeque;

/// First in, first out, with room for one item in place.
///
/// While there is never more than one item, as under an executor that is made for a single task,
/// nothing is allocated. `first` is older than everything in `rest`.
pub(super) struct RunQueue<T> {
    first: Option<T>,
    rest: VecDeque<T>,
}

impl<T> RunQueue<T> {
    /// Empty.
    pub(super) const fn new() -> Self {
        Self { first: None, rest: VecDeque::new() }
    }

    /// Adds an item behind all others.
    #[inline]
    pub(super) fn push_back(&mut self, item: T) {
        if self.rest.is_empty() && self.first.is_none() {
            self.first = Some(item);
        } else {
            self.rest.push_back(item);
        }
    }

    /// Takes the oldest item.
    #[inline]
    pub(super) fn pop_front(&mut self) -> Option<T> {
        self.first.take().or_else(|| self.rest.pop_front())
    }

    /// Whether nothing is ready.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items are ready.
    pub(super) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }
}
