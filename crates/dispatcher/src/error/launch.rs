//! A refused launch, with the closure that was refused.

use core::error::Error;
use std::fmt;

use super::LaunchErrorKind;

/// A launch was refused: the closure comes back, and has not run.
pub struct LaunchError<F> {
    kind: LaunchErrorKind,
    refused: F,
}

impl<F> LaunchError<F> {
    pub(crate) fn new(kind: LaunchErrorKind, refused: F) -> Self {
        Self { kind, refused }
    }

    /// Why it was refused.
    pub fn kind(&self) -> LaunchErrorKind {
        self.kind
    }

    /// Gives the closure back, untouched.
    pub fn into_inner(self) -> F {
        self.refused
    }

    /// The same refusal of what `f` makes of the closure.
    pub(crate) fn map<G>(self, f: impl FnOnce(F) -> G) -> LaunchError<G> {
        LaunchError { kind: self.kind, refused: f(self.refused) }
    }
}

impl<F> fmt::Debug for LaunchError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaunchError").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl<F> fmt::Display for LaunchError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "launch refused, {}; take the closure back with `into_inner`", self.kind)
    }
}

impl<F> Error for LaunchError<F> {}
