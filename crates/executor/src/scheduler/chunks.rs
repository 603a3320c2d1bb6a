//! Memory that grows and never moves.

use core::ptr;

use selvedge_sync::atomic::{AtomicPtr, Ordering};

/// An array in chunks, each as large as all before it together and `first` more.
///
/// Who adds a chunk, and who may look at which index, is the affair of whoever has the array: an index goes
/// from thread to thread with an acquiring operation only.
pub(super) struct Chunks<E, const MOST: usize> {
    first: usize,
    chunks: [AtomicPtr<E>; MOST],
}

impl<E, const MOST: usize> Chunks<E, MOST> {
    /// No chunk; the first one will have room for `first` elements.
    pub(super) fn new(first: usize) -> Self {
        Self { first, chunks: core::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())) }
    }

    /// The element at an index of a chunk that was added before.
    #[inline]
    pub(super) fn get(&self, index: usize) -> &E {
        let (chunk, offset) = self.place(index);
        // Relaxed: whoever knows the index has it from a thread that has seen the chunk, by something
        // that brings the chunk along.
        let chunk = self.chunks[chunk].load(Ordering::Relaxed);
        assert!(!chunk.is_null(), "an index of a chunk that was added");
        // SAFETY: a chunk has room for the offsets that `place` gives, and stays until `self` is
        // cleared, which nobody outlives.
        let element = unsafe { chunk.add(offset) };
        // SAFETY: as above.
        unsafe { &*element }
    }

    /// Adds the chunk that begins at `index`, and says how many elements it has. One thread at a time.
    pub(super) fn add(&self, index: usize, mut make: impl FnMut(usize) -> E) -> usize {
        let (chunk, offset) = self.place(index);
        debug_assert_eq!(offset, 0, "chunks are added whole");
        let more = self.first << chunk;
        let elements: Box<[E]> = (index..index + more).map(&mut make).collect();
        // Relaxed: see `get`.
        self.chunks[chunk].store(Box::into_raw(elements).cast(), Ordering::Relaxed);
        more
    }

    /// Frees all chunks.
    ///
    /// # Safety
    ///
    /// All use of them has happened before, and there is none after this.
    pub(super) unsafe fn clear(&self) {
        for (i, chunk) in self.chunks.iter().enumerate() {
            // Relaxed: passed on to the caller.
            let chunk = chunk.swap(ptr::null_mut(), Ordering::Relaxed);
            if !chunk.is_null() {
                let elements = ptr::slice_from_raw_parts_mut(chunk, self.first << i);
                // SAFETY: it came from a boxed slice of that length in `add`.
                drop(unsafe { Box::from_raw(elements) });
            }
        }
    }

    /// The chunk of an index, and the place in it.
    #[inline]
    fn place(&self, index: usize) -> (usize, usize) {
        let chunk = (index / self.first + 1).ilog2() as usize;
        (chunk, index + self.first - (self.first << chunk))
    }
}

impl<E, const MOST: usize> Drop for Chunks<E, MOST> {
    fn drop(&mut self) {
        // SAFETY: `&mut self`; whoever drops it has synchronised with all users.
        unsafe { self.clear() };
    }
}
