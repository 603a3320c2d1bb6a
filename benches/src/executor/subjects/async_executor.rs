//! `Executor` of async-executor.

use ::async_executor::Executor;
use async_task::Task;
use futures_lite::future::block_on;

use super::on_threads;
use crate::executor::ExecutorSubject;

/// `Executor` of async-executor.
#[derive(Debug)]
pub struct AsyncExecutor;

impl ExecutorSubject for AsyncExecutor {
    const NAME: &'static str = "async-executor";

    type Executor = &'static Executor<'static>;
    type Handle<T: Send + 'static> = Task<T>;

    fn drive<R>(drivers: usize, work: impl FnOnce(Self::Executor) -> R) -> R {
        let ex: Self::Executor = Box::leak(Box::new(Executor::new()));
        on_threads(drivers, |stop| _ = block_on(ex.run(stop.recv())), || work(ex))
    }

    fn spawn<T: Send + 'static>(
        ex: Self::Executor,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Self::Handle<T> {
        ex.spawn(future)
    }

    fn spawn_many<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
        ex: Self::Executor,
        futures: impl Iterator<Item = F>,
        handles: &mut Vec<Self::Handle<T>>,
    ) {
        ex.spawn_many(futures, handles);
    }
}
