//! A marker whose leak ends a model with an error.

/// A field of what a model must see dropped: loom reports the allocation inside if it is not.
#[derive(Debug)]
pub struct LeakCheck {
    _reported: loom::sync::Arc<()>,
}

impl LeakCheck {
    /// A marker.
    #[expect(clippy::new_without_default, reason = "the build's marker has a const constructor")]
    pub fn new() -> Self {
        Self { _reported: loom::sync::Arc::new(()) }
    }
}
