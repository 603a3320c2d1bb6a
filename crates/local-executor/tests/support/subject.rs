//! What the tests are about that both executors share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub(crate) use std::cell::{Cell, RefCell};

pub(crate) use selvedge_local_executor::{
    LocalExecutor as Executor, SpawnError, Spawner, StaticLocalExecutor as StaticExecutor, Task,
};

/// What users call the executor.
pub(crate) const EXECUTOR: &str = "LocalExecutor";

/// For what several tasks hold, which stay on their thread here.
pub(crate) type Shared<T> = std::rc::Rc<T>;

/// By ticks, of tasks that yield for ever.
pub(crate) const POLLS_UNTIL_A_THOUSAND_HAD_A_TURN: usize = 1000;

/// Before a foreign wake is looked at.
pub(crate) const POLLS_FOR_EACH_READY_TASK: usize = 1;

/// Whether spawners take what makes a future.
pub(crate) const SPAWNS_WITH_MAKERS: bool = true;

pub(crate) fn spawn_made<M, F>(spawner: &Spawner, make: M) -> Option<Task<F::Output>>
where
    M: FnOnce() -> F + Send + 'static,
    F: Future + 'static,
    F::Output: Send + 'static,
{
    spawner.spawn_with(make).ok()
}
