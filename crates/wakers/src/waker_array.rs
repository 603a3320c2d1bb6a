//! Sub-wakers whose number is known at compile time.

use core::ptr::NonNull;

use crate::block;
use crate::layout::pages_for;
use crate::owner_methods::owner_methods;
use crate::root::Root;
use crate::shape::Shape;
use crate::slots::Slots;

/// `N` sub-wakers in one allocation.
///
/// ```
/// use core::task::Waker;
/// use selvedge_wakers::WakerArray;
///
/// let mut array = WakerArray::<3>::idle();
/// array.waker(1).wake_by_ref();
/// array.begin_poll(Waker::noop());
/// assert_eq!(array.next_ready(), Some(1));
/// assert_eq!(array.next_ready(), None);
/// ```
pub struct WakerArray<const N: usize> {
    slots: Slots,
}

impl<const N: usize> WakerArray<N> {
    const SHAPE: Shape = Shape { len: N, pages: pages_for(N) };

    /// A constant, so that the code for what an array of this size does not have goes away.
    #[inline(always)]
    fn shape(&self) -> Shape {
        Self::SHAPE
    }

    /// Sub-wakers that are all ready, as a combinator wants them: every child gets a first poll.
    ///
    /// # Panics
    ///
    /// If memory for them would not fit the address space.
    #[inline]
    pub fn new() -> Self {
        let mut array = Self::idle();
        array.slots.set_ready_from(Self::SHAPE, 0);
        array
    }

    /// Sub-wakers of which none is ready.
    ///
    /// # Panics
    ///
    /// If memory for them would not fit the address space.
    #[inline]
    pub fn idle() -> Self {
        let block = block::new(Self::SHAPE.pages);
        // SAFETY: the block is new.
        unsafe { Self::from_block(block) }
    }

    /// The owner of a block, with nothing set.
    ///
    /// # Safety
    ///
    /// The block was made for `N` slots, has no owner yet, and the owner's reference is given up.
    #[inline]
    pub(crate) unsafe fn from_block(block: NonNull<Root>) -> Self {
        // SAFETY: passed on; the block is released by the destructor.
        Self { slots: unsafe { Slots::new(block) } }
    }
}

impl<const N: usize> Default for WakerArray<N> {
    fn default() -> Self {
        Self::new()
    }
}

owner_methods!([const N: usize] WakerArray<N>, counted: true);

impl<const N: usize> Drop for WakerArray<N> {
    #[inline]
    fn drop(&mut self) {
        let parent = self.slots.take_parent();
        // SAFETY: the owner's reference, given back once.
        unsafe { block::release_owner(self.slots.block()) };
        // Last of all: this is user code.
        drop(parent);
    }
}
