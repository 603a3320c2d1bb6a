//! Why a task has no output.

use core::error::Error;
use std::fmt;

use super::PanicPayload;

/// Why a task has no output.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// It panicked, or what it captured panicked when dropped. With the payload.
    Panicked(PanicPayload),
    /// Its handle cancelled it before it started.
    Cancelled,
    /// The dispatcher was killed before it started.
    Killed,
    /// A newer task took its place in a full queue.
    Evicted,
    /// The dispatcher was dropped before its gate was opened.
    Discarded,
    /// It has not finished, and the thread that waits is the one that would run it. It may still run.
    WouldDeadlock,
    /// This process is a forked child: the task stayed with the parent.
    Forked,
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(payload) => match payload.message() {
                Some(message) => write!(f, "the task panicked: {message}"),
                None => f.write_str("the task panicked"),
            },
            Self::Cancelled => f.write_str("the task was cancelled before it started"),
            Self::Killed => f.write_str("the dispatcher was killed before the task started"),
            Self::Evicted => f.write_str("a newer task took this one's place in the full queue"),
            Self::Discarded => f.write_str("the dispatcher was dropped before its gate was opened"),
            Self::WouldDeadlock => {
                f.write_str("a task must not wait for one behind it; wait on another thread")
            }
            Self::Forked => f.write_str("the task stayed with the parent process"),
        }
    }
}

impl Error for TaskError {}
