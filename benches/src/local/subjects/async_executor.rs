//! `LocalExecutor` of async-executor.

use ::async_executor::LocalExecutor;
use async_task::Task;

use crate::local::LocalSubject;

/// `LocalExecutor` of async-executor.
#[derive(Debug)]
pub struct AsyncExecutor;

impl LocalSubject for AsyncExecutor {
    const NAME: &'static str = "async-executor";

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
