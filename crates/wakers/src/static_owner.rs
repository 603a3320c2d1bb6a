//! The owner of static sub-wakers.

use core::ptr::NonNull;

use crate::claim::Claim;
use crate::layout::pages_for;
use crate::owner_methods::owner_methods;
use crate::root::Root;
use crate::shape::Shape;
use crate::slots::Slots;

/// The one owner of a [`StaticWakers`](crate::StaticWakers), which it gives back when dropped.
///
/// Forgotten, it keeps the claim for ever.
pub struct StaticOwner {
    slots: Slots,
    len: usize,
    claim: &'static Claim,
}

impl StaticOwner {
    /// The new owner: all slots ready.
    ///
    /// # Safety
    ///
    /// The caller has the claim, and the owner's words are as new or as a former owner left them; the
    /// block lives for ever and has that shape.
    pub(crate) unsafe fn new(root: NonNull<Root>, shape: Shape, claim: &'static Claim) -> Self {
        // SAFETY: passed on.
        let mut slots = unsafe { Slots::new(root) };
        slots.set_ready_from(shape, 0);
        Self { slots, len: shape.len, claim }
    }

    #[inline(always)]
    fn shape(&self) -> Shape {
        Shape { len: self.len, pages: pages_for(self.len) }
    }
}

owner_methods!([] StaticOwner, counted: false);

impl Drop for StaticOwner {
    fn drop(&mut self) {
        let parent = self.slots.take_parent();
        // The next owner counts from zero, so this one leaves nothing in the pages.
        self.slots.cut_off(Shape { len: 0, ..self.shape() }, self.len);
        self.claim.release();
        // Last of all: this is user code.
        drop(parent);
    }
}
