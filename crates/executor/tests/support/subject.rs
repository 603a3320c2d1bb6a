//! What the tests are about that both executors share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

#[path = "cells.rs"]
mod cells;

pub(crate) use selvedge_executor::{Executor, SpawnError, Spawner, StaticExecutor, Task};

pub(crate) use self::cells::{Cell, RefCell};

/// What users call the executor.
pub(crate) const EXECUTOR: &str = "Executor";

/// For what several tasks hold, which change threads here.
pub(crate) type Shared<T> = std::sync::Arc<T>;

/// By ticks, of tasks that yield for ever and were spawned outside of any driver: the last of them comes
/// from the injector after twice as many polls, and waits for the others.
pub(crate) const POLLS_UNTIL_A_THOUSAND_HAD_A_TURN: usize = 3064;

/// Before a foreign wake is looked at: its own, and two while it is ahead in the injector.
pub(crate) const POLLS_FOR_EACH_READY_TASK: usize = 3;

/// Whether spawners take what makes a future.
pub(crate) const SPAWNS_WITH_MAKERS: bool = false;

pub(crate) fn spawn_made<M, F>(_: &Spawner, _: M) -> Option<Task<F::Output>>
where
    M: FnOnce() -> F,
    F: Future,
{
    unreachable!("spawners take futures only")
}
