//! Places for children that never move.
#![expect(unsafe_code, reason = "children are pinned in their chunk")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::pin::Pin;

use super::key::Key;

/// The smallest first chunk.
const SMALLEST: usize = 4;

/// A growing number of places, each with or without a child in it.
///
/// Memory grows by whole chunks, each as large as all before it together, and is kept. A place is
/// used again for a later child, under another generation.
pub(crate) struct Chunks<C> {
    chunks: Vec<Box<[Place<C>]>>,
    /// Places that have been used once.
    used: usize,
    /// Children.
    len: usize,
    /// The place left last, `NOWHERE` if none.
    free: u32,
}

struct Place<C> {
    child: Option<C>,
    /// How many children have left this place.
    generation: u32,
    /// While it is empty: the place that was left before it.
    next_free: u32,
}

const NOWHERE: u32 = u32::MAX;

impl<C> Chunks<C> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), used: 0, len: 0, free: NOWHERE }
    }

    /// How many children there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many places have been used: every index is below.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// How many children fit before memory grows.
    pub(crate) fn capacity(&self) -> usize {
        match self.chunks.len() {
            0 => 0,
            n => self.chunks[0].len() << (n - 1),
        }
    }

    /// Makes room for `additional` more children.
    ///
    /// # Panics
    ///
    /// If there would be more than 2³¹ of them.
    pub(crate) fn reserve(&mut self, additional: usize) {
        let wanted = self.len.saturating_add(additional);
        while self.capacity() < wanted {
            let more = match self.capacity() {
                0 => wanted.max(SMALLEST).checked_next_power_of_two(),
                capacity => Some(capacity),
            };
            let more = more.filter(|&more| self.capacity() + more <= 1 << 31);
            let more = more.expect("a group holds at most 2^31 children");
            let empty = || Place { child: None, generation: 0, next_free: NOWHERE };
            self.chunks.push((0..more).map(|_| empty()).collect());
        }
    }

    /// Which chunk, and where in it.
    #[inline]
    fn locate(&self, index: usize) -> Option<(usize, usize)> {
        let first = self.chunks.first()?.len();
        if index < first {
            return Some((0, index));
        }
        // Chunk k > 0 holds the indices from `first << (k - 1)` on, as many as there are below.
        let chunk = (index / first).ilog2() as usize;
        Some((chunk + 1, index - (first << chunk)))
    }

    #[inline]
    fn place(&self, index: usize) -> Option<&Place<C>> {
        let (chunk, offset) = self.locate(index)?;
        self.chunks.get(chunk)?.get(offset)
    }

    #[inline]
    fn place_mut(&mut self, index: usize) -> Option<&mut Place<C>> {
        let (chunk, offset) = self.locate(index)?;
        self.chunks.get_mut(chunk)?.get_mut(offset)
    }

    /// Puts a child into a place; gives its index and its generation.
    pub(crate) fn insert(&mut self, child: C) -> Key {
        if self.free == NOWHERE {
            // Places that are given up, below, count as used and are never free.
            let needed = (self.used + 1).saturating_sub(self.len);
            self.reserve(needed);
        }
        let reused = self.free != NOWHERE;
        let index = if reused { self.free as usize } else { self.used };
        let place = self.place_mut(index).expect("there is room");
        let (generation, next_free) = (place.generation, place.next_free);
        debug_assert!(place.child.is_none());
        place.child = Some(child);
        if reused {
            self.free = next_free;
        } else {
            self.used += 1;
        }
        self.len += 1;
        Key { index: index as u32, generation }
    }

    /// The generation of a place that holds a child.
    pub(crate) fn key(&self, index: usize) -> Option<Key> {
        let place = self.place(index)?;
        place.child.as_ref()?;
        Some(Key { index: index as u32, generation: place.generation })
    }

    /// Whether the child that the key names is there.
    pub(crate) fn contains(&self, key: Key) -> bool {
        self.key(key.index as usize) == Some(key)
    }

    /// The child in a place.
    #[inline]
    pub(crate) fn child(&mut self, index: usize) -> Option<Pin<&mut C>> {
        let child = self.place_mut(index)?.child.as_mut()?;
        // SAFETY: a child lies in a chunk, which is never moved nor freed while it is there. It is
        // dropped in place by `remove`, or with the chunk, and never moved out.
        Some(unsafe { Pin::new_unchecked(child) })
    }

    /// All children.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &C> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).filter_map(|place| place.child.as_ref())
    }

    /// Drops a child in place. Whether there was one.
    ///
    /// A panic in its destructor finds the place empty.
    pub(crate) fn remove(&mut self, index: usize) -> bool {
        let free = self.free;
        let Some(place) = self.place_mut(index).filter(|place| place.child.is_some()) else {
            return false;
        };
        place.generation = place.generation.wrapping_add(1);
        place.next_free = free;
        // A place whose generations are used up is given up.
        let again = place.generation != 0;
        self.len -= 1;
        if again {
            self.free = index as u32;
        }
        if let Some(place) = self.place_mut(index) {
            place.child = None;
        }
        true
    }
}
