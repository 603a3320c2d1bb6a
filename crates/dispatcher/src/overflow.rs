//! What a launch does when the queue is full.

/// What a launch does when the queue is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Overflow {
    /// It is turned away with the closure, and counted.
    #[default]
    Reject,
    /// The oldest task that has not started makes room: its handle gets
    /// [`Evicted`](crate::TaskError::Evicted), its closure is dropped on the launching thread, and it is
    /// counted. A bound of zero turns launches away as under `Reject`.
    ///
    /// Under this policy each launch and each task takes a lock, for two sides take from the queue.
    DropOldest,
    /// It waits until a task starts. Before the gate opens, and on the worker thread, it acts as
    /// `Reject`: nobody else could make room there.
    Block,
}
