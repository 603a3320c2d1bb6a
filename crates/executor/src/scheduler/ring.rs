//! The memory of a run queue.

use core::ptr;

use selvedge_sync::atomic::{AtomicPtr, Ordering};

/// A power of two of words, addressed by positions that never stop growing.
pub(super) struct Ring {
    words: Box<[AtomicPtr<()>]>,
}

impl Ring {
    /// An empty ring.
    pub(super) fn new(capacity: usize) -> Self {
        debug_assert!(capacity.is_power_of_two(), "positions are masked");
        Self { words: (0..capacity).map(|_| AtomicPtr::new(ptr::null_mut())).collect() }
    }

    /// Writes the word at a position.
    #[inline]
    pub(super) fn put(&self, position: usize, item: *mut ()) {
        // Relaxed: published by the store of the tail, or of the pointer to this ring.
        self.word(position).store(item, Ordering::Relaxed);
    }

    /// Reads the word at a position: null, or something stale, where the reader has come too late, as
    /// its exchange of the head will tell.
    #[inline]
    pub(super) fn get(&self, position: usize) -> *mut () {
        // Relaxed: see `put`.
        self.word(position).load(Ordering::Relaxed)
    }

    /// Copies the words from one position up to another.
    pub(super) fn copy(&self, from: &Self, mut position: usize, end: usize) {
        while position != end {
            self.put(position, from.get(position));
            position = position.wrapping_add(1);
        }
    }

    #[inline]
    fn word(&self, position: usize) -> &AtomicPtr<()> {
        &self.words[position & (self.words.len() - 1)]
    }
}
