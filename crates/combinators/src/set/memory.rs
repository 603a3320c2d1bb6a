//! Where children of one type lie.
#![expect(unsafe_code, reason = "children are reached by address")]

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::pin::Pin;

use selvedge_wakers::{WakerArray, WakerVec};

use super::ledger::{ArrayLedger, BoxLedger, HeapLedger, Ledger};
use super::liveness::{Bits, Flags, Marks};
use super::wakers::Wakers;

/// A run of children in memory, which this value holds but never touches.
///
/// # Safety
///
/// `base` and `base_mut` give the same address, which stays the same as long as the value is pinned,
/// or for ever if the value is `Unpin` although its children are not. From there on lie `len`
/// children, whose number never changes, valid for reads and writes. They were all alive when the
/// value was made. The value itself moves, reads and drops none of them.
pub unsafe trait Memory {
    /// What lies there.
    type Child;
    /// Room for one thing per child, which becomes the output.
    type Ledger<T>: Ledger<T>;
    /// A mark per child.
    type Marks: Marks;
    /// Sub-wakers for the children.
    type Wakers: Wakers;
    /// Whether children are dropped here, or belong to somebody else.
    const OWNED: bool;

    /// How many children there are.
    fn len(&self) -> usize;
    /// Where the first one lies.
    fn base(&self) -> *const Self::Child;
    /// Where the first one lies.
    fn base_mut(&mut self) -> *mut Self::Child;
}

/// The children of an array, in place.
pub struct Inline<C, const N: usize>(MaybeUninit<[C; N]>);

impl<C, const N: usize> Inline<C, N> {
    #[inline]
    pub(crate) fn new(children: [C; N]) -> Self {
        Self(MaybeUninit::new(children))
    }
}

// SAFETY: the array lies in this value, which is `Unpin` only if the children are. `MaybeUninit`
// neither reads nor drops them.
unsafe impl<C, const N: usize> Memory for Inline<C, N> {
    type Child = C;
    type Ledger<T> = ArrayLedger<T, N>;
    type Marks = Flags<N>;
    type Wakers = WakerArray<N>;
    const OWNED: bool = true;

    #[inline]
    fn len(&self) -> usize {
        N
    }

    #[inline]
    fn base(&self) -> *const C {
        self.0.as_ptr().cast()
    }

    #[inline]
    fn base_mut(&mut self) -> *mut C {
        self.0.as_mut_ptr().cast()
    }
}

/// The buffer of a vector, and how many children lie in it.
struct Buffer<C> {
    /// Of length 0: it frees the memory and nothing else.
    memory: Vec<C>,
    len: usize,
}

impl<C> Buffer<C> {
    fn new(mut children: Vec<C>) -> Self {
        let len = children.len();
        // SAFETY: 0 is never too long. The elements are left to whoever holds the memory.
        unsafe { children.set_len(0) };
        Self { memory: children, len }
    }
}

/// The children of a vector.
pub struct Heap<C>(Buffer<C>);

/// The children of a boxed slice: like a vector's, but the outputs are boxed as well.
pub struct Boxed<C>(Buffer<C>);

impl<C> Heap<C> {
    #[inline]
    pub(crate) fn new(children: Vec<C>) -> Self {
        Self(Buffer::new(children))
    }
}

impl<C> Boxed<C> {
    #[inline]
    pub(crate) fn new(children: Vec<C>) -> Self {
        Self(Buffer::new(children))
    }
}

// The children lie elsewhere.
impl<C> Unpin for Heap<C> {}
impl<C> Unpin for Boxed<C> {}

// SAFETY: a vector's buffer stays where it is while nothing is pushed, also when the vector moves. A
// vector of length 0 touches nothing in it.
unsafe impl<C> Memory for Heap<C> {
    type Child = C;
    type Ledger<T> = HeapLedger<T>;
    type Marks = Bits;
    type Wakers = WakerVec;
    const OWNED: bool = true;

    #[inline]
    fn len(&self) -> usize {
        self.0.len
    }

    #[inline]
    fn base(&self) -> *const C {
        self.0.memory.as_ptr()
    }

    #[inline]
    fn base_mut(&mut self) -> *mut C {
        self.0.memory.as_mut_ptr()
    }
}

// SAFETY: as for `Heap`.
unsafe impl<C> Memory for Boxed<C> {
    type Child = C;
    type Ledger<T> = BoxLedger<T>;
    type Marks = Bits;
    type Wakers = WakerVec;
    const OWNED: bool = true;

    #[inline]
    fn len(&self) -> usize {
        self.0.len
    }

    #[inline]
    fn base(&self) -> *const C {
        self.0.memory.as_ptr()
    }

    #[inline]
    fn base_mut(&mut self) -> *mut C {
        self.0.memory.as_mut_ptr()
    }
}

/// Children that are pinned, and will be dropped, somewhere else.
pub struct Borrowed<'a, C>(Pin<&'a mut [C]>);

impl<'a, C> Borrowed<'a, C> {
    #[inline]
    pub(crate) fn new(children: Pin<&'a mut [C]>) -> Self {
        Self(children)
    }
}

// SAFETY: the slice is borrowed exclusively and pinned for longer than this value lives.
unsafe impl<C> Memory for Borrowed<'_, C> {
    type Child = C;
    type Ledger<T> = HeapLedger<T>;
    type Marks = Bits;
    type Wakers = WakerVec;
    const OWNED: bool = false;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn base(&self) -> *const C {
        self.0.as_ptr()
    }

    #[inline]
    fn base_mut(&mut self) -> *mut C {
        // SAFETY: nothing is moved through the pointer.
        unsafe { self.0.as_mut().get_unchecked_mut() }.as_mut_ptr()
    }
}
