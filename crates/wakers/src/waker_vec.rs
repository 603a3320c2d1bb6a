//! Sub-wakers whose number is chosen, and changed, at run time.

use core::ptr::NonNull;

use crate::block;
use crate::layout::pages_for;
use crate::owner_methods::owner_methods;
use crate::root::Root;
use crate::shape::Shape;
use crate::slots::Slots;

/// Any number of sub-wakers, in one allocation until it grows.
///
/// Growing adds memory and moves nothing, so wakers that are out there stay what they are.
///
/// ```
/// use core::task::Waker;
/// use selvedge_wakers::WakerVec;
///
/// let mut wakers = WakerVec::idle_with_len(100);
/// let old = wakers.waker(99).clone();
/// wakers.resize(1000); // the new ones are ready
/// assert!(old.will_wake(&wakers.waker(99)));
///
/// wakers.begin_poll(Waker::noop());
/// assert_eq!(wakers.next_ready(), Some(100));
/// ```
pub struct WakerVec {
    slots: Slots,
    len: usize,
    /// Pages behind the root, some of them perhaps unused.
    pages: usize,
}

impl WakerVec {
    /// Sub-wakers that are all ready.
    ///
    /// # Panics
    ///
    /// If memory for them would not fit the address space.
    #[inline]
    pub fn with_len(len: usize) -> Self {
        let mut wakers = Self::idle_with_len(len);
        wakers.set_all_ready();
        wakers
    }

    /// Sub-wakers of which none is ready.
    ///
    /// # Panics
    ///
    /// If memory for them would not fit the address space.
    #[inline]
    pub fn idle_with_len(len: usize) -> Self {
        let block = block::new(pages_for(len));
        // SAFETY: the block is new.
        unsafe { Self::from_block(block, len) }
    }

    /// The owner of a block, with nothing set.
    ///
    /// # Safety
    ///
    /// The block was made for `len` slots, has no owner yet, and the owner's reference is given up.
    #[inline]
    pub(crate) unsafe fn from_block(block: NonNull<Root>, len: usize) -> Self {
        // SAFETY: passed on; the block is released by the destructor.
        Self { slots: unsafe { Slots::new(block) }, len, pages: pages_for(len) }
    }

    /// Changes the number of sub-wakers.
    ///
    /// Those that are added are ready. Those that are cut off are never reported again, whatever
    /// their old wakers do; such a wake may wake the parent for nothing. If the array grows again, the
    /// old wakers of a slot are wakers of the slot that takes its place.
    ///
    /// Memory at least doubles when it grows, and is kept when the array shrinks.
    ///
    /// # Panics
    ///
    /// If memory for them would not fit the address space.
    pub fn resize(&mut self, len: usize) {
        let before = self.len;
        let needed = pages_for(len);
        if needed > self.pages {
            let more = (needed - self.pages).max(self.pages + 1);
            // SAFETY: `self` is borrowed exclusively, and has so many pages.
            unsafe { block::grow(self.slots.block(), self.pages + 1, more) };
            if self.pages == 0 {
                self.slots.flag_root(self.shape());
            }
            self.pages += more;
        }
        self.len = len;
        if len < before {
            self.slots.cut_off(self.shape(), before);
        } else {
            self.slots.set_ready_from(self.shape(), before);
        }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        Shape { len: self.len, pages: self.pages }
    }
}

owner_methods!([] WakerVec, counted: true);

impl Drop for WakerVec {
    #[inline]
    fn drop(&mut self) {
        let parent = self.slots.take_parent();
        // SAFETY: the owner's reference, given back once.
        unsafe { block::release_owner(self.slots.block()) };
        // Last of all: this is user code.
        drop(parent);
    }
}
