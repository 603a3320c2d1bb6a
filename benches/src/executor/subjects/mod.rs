//! The adapters of table `executor`, one file per subject.

mod async_executor;
mod async_executor_static;
mod selvedge;
mod tokio;

pub use self::{
    async_executor::AsyncExecutor, async_executor_static::AsyncExecutorStatic, selvedge::Selvedge,
    tokio::Tokio,
};

use std::thread;

use async_channel::{Receiver, bounded};

/// Calls `drive` on `drivers` threads while `work` runs on this one; they are to end when what they
/// got closes.
fn on_threads<R>(
    drivers: usize,
    drive: impl Fn(Receiver<()>) + Sync,
    work: impl FnOnce() -> R,
) -> R {
    let (stop, stopped) = bounded(1);
    thread::scope(|scope| {
        for _ in 0..drivers {
            scope.spawn(|| drive(stopped.clone()));
        }
        // Dropped when `work` is over, also when it panics.
        let _stop = stop;
        work()
    })
}
