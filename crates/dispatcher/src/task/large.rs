//! Closures too large for a slot.

use selvedge_sync::sync::Arc;

use super::{Completion, Handled, Launch, Plain};

/// A large closure. In its slot it is a trait object, for that is called where it lies, and not moved
/// out of its box first.
pub(crate) struct Large<F>(pub(crate) Box<F>);

impl<F: FnOnce() + Send + 'static> Launch for Large<F> {
    type Stored = Plain<Box<dyn FnOnce() + Send>>;

    const BOXED: usize = size_of::<F>();

    #[inline]
    fn into_stored(self) -> Self::Stored {
        Plain(self.0)
    }
}

/// A large closure with a handle to its output.
pub(crate) struct LargeHandled<F, T> {
    pub(crate) closure: Box<F>,
    pub(crate) completion: Arc<Completion<T>>,
}

impl<F, T> Launch for LargeHandled<F, T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    type Stored = Handled<Box<dyn FnOnce() -> T + Send>, T>;

    const BOXED: usize = size_of::<F>();

    fn into_stored(self) -> Self::Stored {
        Handled::new(self.closure, self.completion)
    }
}
