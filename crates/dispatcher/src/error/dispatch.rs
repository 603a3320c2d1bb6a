//! Why a verb did not do what it is for.

use core::error::Error;
use std::fmt;
use std::io;

use super::LaunchErrorKind;

/// Why a verb of a dispatcher did not do what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// The queue was full. No verb gives it; it is what [`LaunchErrorKind::Full`] converts to.
    QueueFull,
    /// The gate was opened, or flushed, before.
    AlreadyFlushed,
    /// The dispatcher was shut down, or dropped.
    Closed,
    /// The dispatcher was killed, and tasks were dropped.
    Killed,
    /// The time that the caller gave was over.
    TimedOut,
    /// The worker would have waited for itself.
    WouldDeadlock,
    /// The worker thread ended by a panic outside every task.
    WorkerPanic,
    /// This process is a forked child: the worker stayed with the parent.
    Forked,
    /// The worker thread could not be spawned. The verb may be tried again.
    Spawn(io::ErrorKind),
}

impl fmt::Display for DispatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::QueueFull => "the queue is full; wait for it, or raise its bound",
            Self::AlreadyFlushed => {
                "the gate is open already; `block_on_queue` waits for the queue"
            }
            Self::Closed => "the dispatcher was closed; launch and wait before it is shut down",
            Self::Killed => "the dispatcher was killed, and queued tasks were dropped unrun",
            Self::TimedOut => "the time was over first; wait again, or give it longer",
            Self::WouldDeadlock => {
                "a task must not wait for its own dispatcher; wait on another thread"
            }
            Self::WorkerPanic => "the worker thread panicked outside a task; this is a bug",
            Self::Forked => "the worker stayed with the parent process; make a new dispatcher",
            Self::Spawn(kind) => {
                return write!(
                    f,
                    "the worker thread could not be spawned ({kind}); try again later"
                );
            }
        })
    }
}

impl Error for DispatchError {}

impl From<LaunchErrorKind> for DispatchError {
    fn from(kind: LaunchErrorKind) -> Self {
        match kind {
            LaunchErrorKind::Full => Self::QueueFull,
            LaunchErrorKind::Closed => Self::Closed,
            LaunchErrorKind::Killed => Self::Killed,
            LaunchErrorKind::WouldDeadlock => Self::WouldDeadlock,
            LaunchErrorKind::Forked => Self::Forked,
        }
    }
}
