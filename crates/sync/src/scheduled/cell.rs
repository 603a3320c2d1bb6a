//! A cell that notices when another thread gets in while it is accessed.

use core::cell::Cell;

/// `core::cell::UnsafeCell` with a count of the accesses that are under way.
///
/// Threads switch at operations of the façade only, so an access is interrupted where its closure
/// has one in it.
#[derive(Debug, Default)]
pub struct UnsafeCell<T> {
    value: core::cell::UnsafeCell<T>,
    /// So many readers, or -1 for a writer.
    accesses: Cell<isize>,
}

impl<T> UnsafeCell<T> {
    /// Wraps `value`.
    pub const fn new(value: T) -> Self {
        Self { value: core::cell::UnsafeCell::new(value), accesses: Cell::new(0) }
    }

    /// Gives `access` a pointer for reading.
    #[track_caller]
    pub fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
        assert!(self.accesses.get() >= 0, "a cell is read while it is written");
        let _end = self.begin(1);
        access(self.value.get().cast_const())
    }

    /// Gives `access` a pointer for writing.
    #[track_caller]
    pub fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
        assert!(self.accesses.get() == 0, "a cell is written while it is accessed");
        let _end = self.begin(-1);
        access(self.value.get())
    }

    /// Takes the value out.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }

    fn begin(&self, step: isize) -> Access<'_> {
        self.accesses.set(self.accesses.get() + step);
        Access { accesses: &self.accesses, step }
    }
}

/// An access under way; ends also where its closure panics.
struct Access<'a> {
    accesses: &'a Cell<isize>,
    step: isize,
}

impl Drop for Access<'_> {
    fn drop(&mut self) {
        self.accesses.set(self.accesses.get() - self.step);
    }
}
