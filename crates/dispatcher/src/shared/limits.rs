//! How many tasks may be queued, and what happens beyond.

use crate::overflow::Overflow;

/// How many tasks may be queued, and what happens beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// While the gate is shut.
    pub(crate) before: u64,
    /// Once it is open; `None` is unbounded.
    pub(crate) after: Option<u64>,
    pub(crate) policy: Overflow,
}

impl Limits {
    /// Unbounded once open, and nothing is evicted.
    pub(crate) const fn before(bound: usize) -> Self {
        Self { before: bound as u64, after: None, policy: Overflow::Reject }
    }

    /// Whether a launch through an open gate need not look at the length.
    #[inline]
    pub(crate) fn is_plain_once_open(&self) -> bool {
        self.after.is_none() && !self.evicts()
    }

    /// Whether tasks are taken out by others than the worker.
    #[inline]
    pub(crate) fn evicts(&self) -> bool {
        matches!(self.policy, Overflow::DropOldest)
    }
}
