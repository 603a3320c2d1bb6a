//! What an executor has done so far.

/// What an executor has done so far; with the feature `stats` alone.
///
/// Each number is exact for some moment of the call that read it; while drivers run, the moments differ.
/// Each counts modulo the range of `usize`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Tasks that were spawned.
    pub spawned: usize,
    /// Tasks that are over: completed, panicked or cancelled, and their futures dropped.
    pub finished: usize,
    /// Polls of tasks' futures. (Main futures of `run` are no tasks.)
    pub polled: usize,
    /// How often a driver took tasks, one or several at once, out of another one's queue.
    pub steals: usize,
    /// Wakes (and cancellations) that queued a task on a thread that was driving nothing, such as a reactor's.
    pub remote_wakes: usize,
    /// Tasks that are ready and wait in a queue.
    pub queued: usize,
}
