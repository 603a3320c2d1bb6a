//! The marker that a model watches; nothing here.

/// A field of what a model must see dropped. Occupies no space and does nothing.
#[derive(Debug, Default)]
pub struct LeakCheck(());

impl LeakCheck {
    /// A marker.
    pub const fn new() -> Self {
        Self(())
    }
}
