//! tokio's multi-threaded runtime, without I/O and timers.

use ::tokio::{runtime::Builder, spawn};

use crate::{executor::ExecutorSubject, fixtures::Joined};

/// tokio's multi-threaded runtime.
#[derive(Debug)]
pub struct Tokio;

impl ExecutorSubject for Tokio {
    const NAME: &'static str = "tokio";

    /// The runtime is the one whose context this thread is in.
    type Executor = ();
    type Handle<T: Send + 'static> = Joined<T>;

    fn drive<R>(drivers: usize, work: impl FnOnce(Self::Executor) -> R) -> R {
        let runtime = Builder::new_multi_thread().worker_threads(drivers).build();
        let runtime = runtime.expect("threads for the runtime");
        let _context = runtime.enter();
        work(())
    }

    fn spawn<T: Send + 'static>(
        (): Self::Executor,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Self::Handle<T> {
        Joined::from(spawn(future))
    }
}
