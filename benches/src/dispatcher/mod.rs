//! Table `dispatcher`: queues of closures that one worker thread runs in order.

pub mod subjects;
pub mod workloads;

mod gate;
#[cfg(target_os = "linux")]
mod worker;

#[cfg(test)]
mod tests;

/// A serial dispatcher under measurement.
///
/// An adapter says how to make it, launch onto it, and wait for it. What is launched counts itself
/// on the worker thread, so a subject that lost a task would fail its row.
pub trait DispatcherSubject: 'static {
    /// The subject's name in the table.
    const NAME: &'static str;

    /// The dispatcher with its worker thread.
    type Dispatcher;

    /// What a producer launches through.
    type Guard: Clone + Send + 'static;

    /// A dispatcher whose worker runs what is launched. Its queue has no bound.
    fn new() -> Self::Dispatcher;

    /// A guard for one producer.
    fn guard(dispatcher: &Self::Dispatcher) -> Self::Guard;

    /// Queues `task`.
    ///
    /// # Panics
    ///
    /// If it is refused.
    fn launch(guard: &Self::Guard, task: impl FnOnce() + Send + 'static);

    /// Waits until all that was launched before has run.
    fn flush(guard: &Self::Guard);

    /// Ends the worker once the queue is empty, and joins it.
    fn shutdown(dispatcher: Self::Dispatcher);
}

/// A dispatcher whose queue can be bounded.
pub trait Bounded: DispatcherSubject {
    /// A dispatcher like that of [`new`](DispatcherSubject::new), with room for `bound` tasks that
    /// have not started.
    fn bounded(bound: usize) -> Self::Dispatcher;
}

/// How much each workload does.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Launches between two drains in the rows that time launches of small closures.
    pub launches: u64,
    /// The same for `fn 1024`, and for the rows with a gate.
    pub held: u64,
    /// Tasks in the queue at the start of `drain`.
    pub drain: u64,
    /// The bound of the queue that `flush` finds full.
    pub full: usize,
    /// Tasks that all producers of `throughput` together launch between two waits.
    pub throughput: u64,
    /// The least number of wakes that a percentile is taken from.
    pub wakes: u64,
}

impl Scale {
    /// The sizes of the table.
    pub const TABLE: Self =
        Self { launches: 4096, held: 1024, drain: 8192, full: 1000, throughput: 4096, wakes: 200 };

    /// Sizes for tests of the workloads.
    pub const TINY: Self =
        Self { launches: 5, held: 5, drain: 5, full: 3, throughput: 8, wakes: 3 };
}
