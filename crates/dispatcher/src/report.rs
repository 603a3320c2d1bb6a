//! What a shutdown achieved.

/// What a shutdown achieved. The numbers count from the start of the dispatcher (of a
/// [`GlobalDispatcher`](crate::GlobalDispatcher): from its last reset).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Tasks that have run, those that panicked included.
    pub run: u64,
    /// Tasks that were dropped unrun by a kill.
    pub dropped: u64,
    /// Tasks that are still queued and will run, unless a kill comes.
    pub left: u64,
    /// Whether a task is running still.
    pub running: bool,
    /// Whether the time was over before the worker had ended.
    pub timed_out: bool,
}
