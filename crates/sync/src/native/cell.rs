//! A cell with closure access, in the shape that a model needs.

/// `core::cell::UnsafeCell` whose contents are reached through closures only.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// Wraps `value`.
    pub const fn new(value: T) -> Self {
        Self(core::cell::UnsafeCell::new(value))
    }

    /// Gives `access` a pointer for reading.
    ///
    /// Dereferencing it is sound while nobody writes.
    #[inline(always)]
    pub fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
        access(self.0.get().cast_const())
    }

    /// Gives `access` a pointer for writing.
    ///
    /// Dereferencing it is sound while nobody else reads or writes.
    #[inline(always)]
    pub fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
        access(self.0.get())
    }

    /// Takes the value out.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}
