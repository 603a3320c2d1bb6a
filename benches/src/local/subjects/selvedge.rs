//! Selvedge's `LocalExecutor`.

use async_task::Task;
use selvedge_local_executor::LocalExecutor;

use crate::local::LocalSubject;

/// Selvedge's `LocalExecutor`.
#[derive(Debug)]
pub struct Selvedge;

impl LocalSubject for Selvedge {
    const NAME: &'static str = "selvedge";

    type Executor = LocalExecutor<'static>;
    type Handle<T: 'static> = Task<T>;

    fn new() -> Self::Executor {
        LocalExecutor::new()
    }

    fn spawn<T: 'static>(
        ex: &Self::Executor,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        ex.spawn(future)
    }

    fn spawn_many<T: 'static, F: Future<Output = T> + 'static>(
        ex: &Self::Executor,
        futures: impl Iterator<Item = F>,
        handles: &mut Vec<Self::Handle<T>>,
    ) {
        ex.spawn_many(futures, handles);
    }

    fn run<T>(ex: &Self::Executor, main: impl Future<Output = T>) -> impl Future<Output = T> {
        ex.run(main)
    }
}
