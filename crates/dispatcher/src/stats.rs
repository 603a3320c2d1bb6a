//! Numbers of a dispatcher.

/// Numbers of a dispatcher, counted from its start (of a
/// [`GlobalDispatcher`](crate::GlobalDispatcher): from its last reset).
///
/// Taken while nothing happens, they add up: what was accepted is `queued`, `run`, `evicted`, `dropped`, or
/// was cancelled by its handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Tasks that were accepted and have not started.
    pub queued: u64,
    /// Tasks that have run, those that panicked included.
    pub run: u64,
    /// Tasks that panicked.
    pub panicked: u64,
    /// Launches that found the queue full and got their closure back.
    pub turned_away: u64,
    /// Tasks that made room for newer ones.
    pub evicted: u64,
    /// Tasks that were dropped unrun, by a kill or by the drop of an unopened dispatcher.
    pub dropped: u64,
    /// How often the worker went to sleep. One wake-up ends each sleep: the only system call that a
    /// launch ever makes.
    pub sleeps: u64,
}
