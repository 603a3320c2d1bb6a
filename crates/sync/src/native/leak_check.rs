//! The marker that a model watches; nothing here.

/// A field of what a model must see dropped, and not used after that. Occupies no space and does
/// nothing.
#[derive(Debug, Default)]
pub struct LeakCheck(());

impl LeakCheck {
    /// A marker.
    pub const fn new() -> Self {
        Self(())
    }

    /// Says that what holds the marker is in use, so that its drop must be ordered behind this.
    #[inline(always)]
    pub fn used(&self) {}
}
