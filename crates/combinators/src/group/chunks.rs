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
    /// The first chunk's length is 2 to this power.
    first_log: u32,
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
        Self { chunks: Vec::new(), used: 0, len: 0, free: NOWHERE, first_log: 0 }
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
            if self.chunks.is_empty() {
                self.first_log = more.ilog2();
            }
            let empty = || Place { child: None, generation: 0, next_free: NOWHERE };
            self.chunks.push((0..more).map(|_| empty()).collect());
        }
    }

    /// Which chunk, and where in it. Only if there is a chunk.
    #[inline]
    fn locate(&self, index: usize) -> (usize, usize) {
        // A shift and not a division: the first chunk's length is a power of two.
        let halvings = index >> self.first_log;
        if halvings == 0 {
            return (0, index);
        }
        // Chunk k > 0 holds the indices from `first << (k - 1)` on, as many as there are below.
        let chunk = halvings.ilog2();
        (chunk as usize + 1, index - (1 << (self.first_log + chunk)))
    }

    #[inline]
    fn place(&self, index: usize) -> Option<&Place<C>> {
        let (chunk, offset) = self.locate(index);
        self.chunks.get(chunk)?.get(offset)
    }

    #[inline]
    fn place_mut(&mut self, index: usize) -> Option<&mut Place<C>> {
        let (chunk, offset) = self.locate(index);
        self.chunks.get_mut(chunk)?.get_mut(offset)
    }

    /// A place with a child in it.
    #[inline]
    pub(crate) fn occupied(&mut self, index: usize) -> Option<Occupied<'_, C>> {
        let (chunk, offset) = self.locate(index);
        let place = self.chunks.get_mut(chunk)?.get_mut(offset)?;
        place.child.as_ref()?;
        Some(Occupied { place, index: index as u32, free: &mut self.free, len: &mut self.len })
    }

    /// Puts a child into a place; gives what names it.
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

    /// What names the child at a place, if there is one.
    pub(crate) fn key(&self, index: usize) -> Option<Key> {
        let place = self.place(index)?;
        place.child.as_ref()?;
        Some(Key { index: index as u32, generation: place.generation })
    }

    /// Whether the child that the key names is there.
    pub(crate) fn contains(&self, key: Key) -> bool {
        self.key(key.index as usize) == Some(key)
    }

    /// All children.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &C> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).filter_map(|place| place.child.as_ref())
    }

    /// Drops a child in place. Whether there was one.
    ///
    /// A panic in its destructor finds the place empty.
    pub(crate) fn remove(&mut self, index: usize) -> bool {
        self.occupied(index).map(Occupied::vacate).is_some()
    }
}

/// A place with a child in it, until that is dropped.
pub(crate) struct Occupied<'a, C> {
    place: &'a mut Place<C>,
    index: u32,
    free: &'a mut u32,
    len: &'a mut usize,
}

impl<C> Occupied<'_, C> {
    /// What names the child.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        Key { index: self.index, generation: self.place.generation }
    }

    /// The child.
    #[inline]
    pub(crate) fn child(&mut self) -> Option<Pin<&mut C>> {
        let child = self.place.child.as_mut()?;
        // SAFETY: a child lies in a chunk, which is never moved nor freed while it is there. It is
        // dropped in place by `vacate`, or with the chunk, and never moved out.
        Some(unsafe { Pin::new_unchecked(child) })
    }

    /// Drops the child in place. A panic in its destructor finds the place empty.
    #[inline]
    pub(crate) fn vacate(self) {
        let Self { place, index, free, len } = self;
        place.generation = place.generation.wrapping_add(1);
        place.next_free = *free;
        *len -= 1;
        // A place whose generations are used up is given up.
        if place.generation != 0 {
            *free = index;
        }
        place.child = None;
    }
}
