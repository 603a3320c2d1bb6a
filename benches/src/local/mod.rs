//! Table `local`: executors that run their tasks on one thread.

pub mod rows;
pub mod subjects;
pub mod workloads;

#[cfg(test)]
mod tests;

use futures_lite::future;

/// A single-threaded executor under measurement.
///
/// Every subject is driven by the same [`block_on`](future::block_on); an adapter only says how to
/// make the executor, spawn onto it and run it.
pub trait LocalSubject: 'static {
    /// The subject's name in the table.
    const NAME: &'static str;

    /// The executor.
    type Executor: 'static;

    /// Resolves to a task's output.
    type Handle<T: 'static>: Future<Output = T> + 'static;

    /// Makes an executor.
    fn new() -> Self::Executor;

    /// Spawns one task, which may run from now on.
    fn spawn<T: 'static>(
        ex: &Self::Executor,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T>;

    /// Spawns many tasks in one call, where the subject has one; otherwise one after the other.
    fn spawn_many<T: 'static, F: Future<Output = T> + 'static>(
        ex: &Self::Executor,
        futures: impl Iterator<Item = F>,
        handles: &mut Vec<Self::Handle<T>>,
    ) {
        handles.extend(futures.map(|future| Self::spawn(ex, future)));
    }

    /// Polls `main` and the executor's tasks until `main` is done.
    fn run<T>(ex: &Self::Executor, main: impl Future<Output = T>) -> impl Future<Output = T>;

    /// [`run`](Self::run), on this thread and to its end.
    fn block_on<T>(ex: &Self::Executor, main: impl Future<Output = T>) -> T {
        future::block_on(Self::run(ex, main))
    }
}

/// How much each workload does.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Tasks of `spawn_batch`.
    pub batch: usize,
    /// Tasks of `spawn_many_local`.
    pub light_tasks: usize,
    /// Tasks of the other rows.
    pub tasks: usize,
    /// Steps that each of those takes.
    pub steps: usize,
}

impl Scale {
    /// The sizes of async-executor's published benchmark.
    pub const PUBLISHED: Self = Self { batch: 250, light_tasks: 25_000, tasks: 300, steps: 300 };

    /// Sizes for tests of the workloads.
    pub const TINY: Self = Self { batch: 3, light_tasks: 5, tasks: 7, steps: 4 };
}
