//! A marker whose leak, or use without order before its drop, ends a model with an error.

/// A field of what a model must see dropped, and not used after that.
///
/// loom reports the allocation inside if it is not dropped, and a use that races with the drop.
#[derive(Debug)]
pub struct LeakCheck {
    _reported: loom::sync::Arc<()>,
    used: loom::cell::UnsafeCell<()>,
}

impl LeakCheck {
    /// A marker.
    #[expect(clippy::new_without_default, reason = "the build's marker has a const constructor")]
    pub fn new() -> Self {
        Self { _reported: loom::sync::Arc::new(()), used: loom::cell::UnsafeCell::new(()) }
    }

    /// Says that what holds the marker is in use, so that its drop must be ordered behind this.
    #[track_caller]
    pub fn used(&self) {
        self.used.with(|_| ());
    }
}

impl Drop for LeakCheck {
    fn drop(&mut self) {
        self.used.with_mut(|_| ());
    }
}
