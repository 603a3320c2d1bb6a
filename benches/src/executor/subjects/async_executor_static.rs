//! `StaticExecutor` of async-executor, which has no call that spawns many tasks.

use async_executor::StaticExecutor;
use async_task::Task;
use futures_lite::future::block_on;

use super::on_threads;
use crate::executor::ExecutorSubject;

/// `StaticExecutor` of async-executor.
#[derive(Debug)]
pub struct AsyncExecutorStatic;

impl ExecutorSubject for AsyncExecutorStatic {
    const NAME: &'static str = "async-executor-static";

    type Executor = &'static StaticExecutor;
    type Handle<T: Send + 'static> = Task<T>;

    fn drive<R>(drivers: usize, work: impl FnOnce(Self::Executor) -> R) -> R {
        let ex: Self::Executor = Box::leak(Box::new(StaticExecutor::new()));
        on_threads(drivers, |stop| _ = block_on(ex.run(stop.recv())), || work(ex))
    }

    fn spawn<T: Send + 'static>(
        ex: Self::Executor,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Self::Handle<T> {
        ex.spawn(future)
    }
}
