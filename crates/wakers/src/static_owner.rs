//! The owner of static sub-wakers.

use core::ptr::NonNull;

use crate::claim::Claim;
use crate::owner_methods::owner_methods;
use crate::root::Root;
use crate::slots::{Shape, Slots};

/// The one owner of a [`StaticWakers`](crate::StaticWakers), which it gives back when dropped.
pub struct StaticOwner {
    slots: Slots,
    shape: Shape,
    claim: &'static Claim,
}

impl StaticOwner {
    /// The new owner: all slots ready, whatever the former one left.
    ///
    /// # Safety
    ///
    /// The caller has the claim; the block lives for ever and has that shape.
    pub(crate) unsafe fn new(root: NonNull<Root>, shape: Shape, claim: &'static Claim) -> Self {
        // SAFETY: passed on.
        let mut slots = unsafe { Slots::new(root) };
        slots.cut_off(Shape { len: 0, ..shape });
        slots.set_ready_from(shape, 0);
        Self { slots, shape, claim }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        self.shape
    }
}

owner_methods!([] StaticOwner, counted: false);

impl Drop for StaticOwner {
    fn drop(&mut self) {
        let parent = self.slots.take_parent();
        self.claim.release();
        // Last of all: this is user code.
        drop(parent);
    }
}
