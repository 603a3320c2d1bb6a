//! One thing per child, kept until all are there.
#![expect(unsafe_code, reason = "implements a promise to `Children`")]

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::liveness::Liveness;

/// Room for one `T` per child. A child with an entry has finished.
pub trait Ledger<T>: Liveness<Entry = T> {
    /// All entries, in index order.
    type All;
    /// Takes the entries, of which there must be one for each child.
    fn take_all(&mut self) -> Self::All;
    /// Drops the entries.
    fn clear(&mut self);
}

const HOLE: &str = "every child has given its output";

/// For an array: no allocation.
pub struct ArrayLedger<T, const N: usize>([Option<T>; N]);

// SAFETY: each child has its own place, which is filled once. `Ledger` empties it again, but is only
// lent out when no child is alive.
unsafe impl<T, const N: usize> Liveness for ArrayLedger<T, N> {
    type Entry = T;

    #[inline]
    fn all_live(_: usize) -> Self {
        Self([const { None }; N])
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        self.0[index].is_none()
    }

    #[inline]
    fn retire(&mut self, index: usize, _: usize, entry: T) {
        self.0[index] = Some(entry);
    }
}

impl<T, const N: usize> Ledger<T> for ArrayLedger<T, N> {
    type All = [T; N];

    #[inline]
    fn take_all(&mut self) -> [T; N] {
        core::mem::replace(&mut self.0, [const { None }; N]).map(|entry| entry.expect(HOLE))
    }

    fn clear(&mut self) {
        self.0 = [const { None }; N];
    }
}

/// For a vector: one allocation, which becomes the output's, made when the first child finishes.
pub struct HeapLedger<T>(Vec<Option<T>>);

// SAFETY: as for `ArrayLedger`; places that are not there yet are empty.
unsafe impl<T> Liveness for HeapLedger<T> {
    type Entry = T;

    #[inline]
    fn all_live(_: usize) -> Self {
        Self(Vec::new())
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        !matches!(self.0.get(index), Some(Some(_)))
    }

    #[inline]
    fn retire(&mut self, index: usize, len: usize, entry: T) {
        if self.0.is_empty() {
            self.0.reserve_exact(len);
            self.0.resize_with(len, || None);
        }
        self.0[index] = Some(entry);
    }
}

impl<T> Ledger<T> for HeapLedger<T> {
    type All = Vec<T>;

    #[inline]
    fn take_all(&mut self) -> Vec<T> {
        core::mem::take(&mut self.0).into_iter().map(|entry| entry.expect(HOLE)).collect()
    }

    fn clear(&mut self) {
        self.0 = Vec::new();
    }
}

/// For a boxed slice.
pub struct BoxLedger<T>(HeapLedger<T>);

// SAFETY: `HeapLedger` is right.
unsafe impl<T> Liveness for BoxLedger<T> {
    type Entry = T;

    #[inline]
    fn all_live(len: usize) -> Self {
        Self(HeapLedger::all_live(len))
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        self.0.is_live(index)
    }

    #[inline]
    fn retire(&mut self, index: usize, len: usize, entry: T) {
        self.0.retire(index, len, entry);
    }
}

impl<T> Ledger<T> for BoxLedger<T> {
    type All = Box<[T]>;

    #[inline]
    fn take_all(&mut self) -> Box<[T]> {
        self.0.take_all().into_boxed_slice()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
