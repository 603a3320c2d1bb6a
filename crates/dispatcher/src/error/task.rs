//! Why a task has no output.

use core::any::Any;
use core::error::Error;
use std::fmt;

use crate::panics::message;

/// Why a task has no output.
#[non_exhaustive]
pub enum TaskError {
    /// It panicked, or what it captured panicked when dropped. With the payload.
    Panicked(Box<dyn Any + Send + 'static>),
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

impl fmt::Debug for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(payload) => {
                f.debug_tuple("Panicked").field(&message(&**payload).unwrap_or("..")).finish()
            }
            Self::Cancelled => f.write_str("Cancelled"),
            Self::Killed => f.write_str("Killed"),
            Self::Evicted => f.write_str("Evicted"),
            Self::Discarded => f.write_str("Discarded"),
            Self::WouldDeadlock => f.write_str("WouldDeadlock"),
            Self::Forked => f.write_str("Forked"),
        }
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(payload) => match message(&**payload) {
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
