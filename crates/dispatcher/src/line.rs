//! Padding against false sharing.

use core::ops::Deref;

/// A value on cache lines of its own: two, for processors fetch them in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Line<T>(pub(crate) T);

impl<T> Deref for Line<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
