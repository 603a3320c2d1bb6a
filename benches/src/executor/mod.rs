//! Table `executor`: executors that run their tasks on several threads.

pub mod subjects;
pub mod workloads;

#[cfg(test)]
mod tests;

/// A multi-threaded executor under measurement.
///
/// An adapter says how to drive it on a number of threads and how to spawn onto it. The work of a
/// row is one root task, so the thread that waits does the same for every subject.
pub trait ExecutorSubject: 'static {
    /// The subject's name in the table.
    const NAME: &'static str;

    /// What tasks spawn through.
    type Executor: Copy + Send + Sync + 'static;

    /// Resolves to a task's output.
    type Handle<T: Send + 'static>: Future<Output = T> + Send + 'static;

    /// Drives a new executor on `drivers` threads of its own while `work` runs on this one.
    fn drive<R>(drivers: usize, work: impl FnOnce(Self::Executor) -> R) -> R;

    /// Spawns one task, which may run from now on.
    fn spawn<T: Send + 'static>(
        ex: Self::Executor,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Self::Handle<T>;

    /// Spawns many tasks in one call, where the subject has one; otherwise one after the other.
    fn spawn_many<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
        ex: Self::Executor,
        futures: impl Iterator<Item = F>,
        handles: &mut Vec<Self::Handle<T>>,
    ) {
        handles.extend(futures.map(|future| Self::spawn(ex, future)));
    }
}

/// How much each workload does.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Tasks of `spawn_batch`.
    pub batch: usize,
    /// Tasks of `spawn_many_local`.
    pub light_tasks: usize,
    /// Tasks of the other rows of async-executor's published benchmark.
    pub tasks: usize,
    /// Steps that each of those takes.
    pub steps: usize,
    /// Round trips of `ping_pong`.
    pub round_trips: usize,
    /// Tasks of `steal`.
    pub shared_tasks: usize,
    /// Dependent multiplications in each of those.
    pub multiplications: u32,
}

impl Scale {
    /// The sizes of async-executor's published benchmark, and those of our own rows.
    pub const TABLE: Self = Self {
        batch: 250,
        light_tasks: 25_000,
        tasks: 300,
        steps: 300,
        round_trips: 1000,
        shared_tasks: 10_000,
        multiplications: 500,
    };

    /// Sizes for tests of the workloads.
    pub const TINY: Self = Self {
        batch: 3,
        light_tasks: 5,
        tasks: 7,
        steps: 4,
        round_trips: 5,
        shared_tasks: 10,
        multiplications: 5,
    };
}
