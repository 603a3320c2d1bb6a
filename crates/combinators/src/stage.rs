//! How far a combinator has come.

/// Where a combinator stands between two polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Never polled.
    Fresh,
    /// Polled, and not yet done.
    Waiting,
    /// Inside a poll. Found at the start of one, it tells that a child panicked in the one before.
    Polling,
    /// Has given its output, or its last item.
    Done,
}

impl Stage {
    /// Whether a poll has nothing to give any more.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Polling)
    }
}

#[cold]
#[track_caller]
pub(crate) fn polled_after_completion() -> ! {
    panic!("a combinator was polled after it had completed")
}

#[cold]
#[track_caller]
pub(crate) fn polled_after_panic() -> ! {
    panic!("a combinator was polled again after one of its children had panicked")
}
