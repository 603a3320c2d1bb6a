//! The reasons for which a launch is refused.

use std::fmt;

/// Why a launch was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchErrorKind {
    /// The queue was full.
    Full,
    /// The dispatcher was shut down, or dropped.
    Closed,
    /// The dispatcher was killed.
    Killed,
    /// The launch would have had to wait for the very thread it is made on.
    ///
    /// No launch waits on the worker today: one that finds the queue full there is
    /// [`Full`](Self::Full) under every policy that does not make room.
    WouldDeadlock,
    /// This process is a forked child: the worker stayed with the parent.
    Forked,
}

impl fmt::Display for LaunchErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the queue is full",
            Self::Closed => "the dispatcher was closed",
            Self::Killed => "the dispatcher was killed",
            Self::WouldDeadlock => "the worker would wait for itself",
            Self::Forked => "the worker stayed with the parent process",
        })
    }
}
