//! Which children are still there.
#![expect(unsafe_code, reason = "the trait is a promise to `Children`")]

use alloc::boxed::Box;
use core::convert::Infallible;

/// A record of finished children.
///
/// # Safety
///
/// `is_live(i)` is true for a new record, becomes false by `retire(i, ..)`, and is changed by nothing
/// else that a shared or a lent exclusive reference can do while children are alive.
pub unsafe trait Liveness {
    /// What is noted about a finished child.
    type Entry;
    /// A record of `len` children that are all alive.
    fn all_live(len: usize) -> Self;
    /// Whether a child is alive.
    fn is_live(&self, index: usize) -> bool;
    /// Notes that a child, one of `len`, has finished.
    fn retire(&mut self, index: usize, len: usize, entry: Self::Entry);
}

/// A record with nothing but a mark per child.
pub trait Marks: Liveness<Entry = ()> {}
impl<L: Liveness<Entry = ()>> Marks for L {}

/// Children that stay until all of them go.
pub(super) struct Always;

// SAFETY: `retire` cannot be called.
unsafe impl Liveness for Always {
    type Entry = Infallible;

    #[inline]
    fn all_live(_: usize) -> Self {
        Self
    }

    #[inline]
    fn is_live(&self, _: usize) -> bool {
        true
    }

    fn retire(&mut self, _: usize, _: usize, entry: Infallible) {
        match entry {}
    }
}

/// Children that finish in index order.
pub struct InOrder {
    first: usize,
}

// SAFETY: `first` never falls. A child that finishes out of order takes those below it along: they
// are leaked, which is safe. `retire` is not called for them again, as they are not alive.
unsafe impl Liveness for InOrder {
    type Entry = ();

    #[inline]
    fn all_live(_: usize) -> Self {
        Self { first: 0 }
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        index >= self.first
    }

    fn retire(&mut self, index: usize, _: usize, (): ()) {
        debug_assert_eq!(index, self.first);
        self.first = self.first.max(index + 1);
    }
}

/// A byte per child.
pub struct Flags<const N: usize>([bool; N]);

// SAFETY: each child has its own byte.
unsafe impl<const N: usize> Liveness for Flags<N> {
    type Entry = ();

    #[inline]
    fn all_live(_: usize) -> Self {
        Self([true; N])
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        self.0[index]
    }

    #[inline]
    fn retire(&mut self, index: usize, _: usize, (): ()) {
        self.0[index] = false;
    }
}

const WORD: usize = u64::BITS as usize;

/// A bit per child: in place for up to 64 of them, else in a block that is made when the first
/// child finishes.
pub enum Bits {
    /// Set: finished.
    Few(u64),
    /// Set: finished.
    Many(Box<[u64]>),
}

// SAFETY: each child has its own bit. An empty block stands for no bit set.
unsafe impl Liveness for Bits {
    type Entry = ();

    #[inline]
    fn all_live(len: usize) -> Self {
        if len <= WORD { Self::Few(0) } else { Self::Many(Box::default()) }
    }

    #[inline]
    fn is_live(&self, index: usize) -> bool {
        let word = match self {
            Self::Few(word) => *word,
            Self::Many(words) => words.get(index / WORD).copied().unwrap_or(0),
        };
        word & 1 << (index % WORD) == 0
    }

    #[inline]
    fn retire(&mut self, index: usize, len: usize, (): ()) {
        match self {
            Self::Few(word) => *word |= 1 << index,
            Self::Many(words) => {
                if words.is_empty() {
                    *words = alloc::vec![0; len.div_ceil(WORD)].into();
                }
                words[index / WORD] |= 1 << (index % WORD);
            }
        }
    }
}
