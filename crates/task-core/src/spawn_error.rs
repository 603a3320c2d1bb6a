//! Why a spawn was refused.

use core::error::Error;
use std::fmt;

/// The executor is gone: what was to be spawned comes back.
pub struct SpawnError<F> {
    refused: F,
}

impl<F> SpawnError<F> {
    /// A refusal of this.
    pub fn new(refused: F) -> Self {
        Self { refused }
    }

    /// Gives back what was refused, untouched.
    pub fn into_inner(self) -> F {
        self.refused
    }
}

impl<F> fmt::Debug for SpawnError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpawnError").finish_non_exhaustive()
    }
}

impl<F> fmt::Display for SpawnError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the executor has been dropped; take the future back with `into_inner`")
    }
}

impl<F> Error for SpawnError<F> {}
