//! The trait by which libraries spawn onto whatever executor they are given.

use futures_task::{FutureObj, Spawn, SpawnError};

use crate::executor::Executor;
use crate::spawner::Spawner;
use crate::static_executor::StaticExecutor;

/// Spawns detached tasks. Never fails: whoever can call it keeps the executor alive.
impl Spawn for Executor<'_> {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn(future).detach();
        Ok(())
    }
}

/// Spawns detached tasks. Never fails.
impl Spawn for &'static StaticExecutor {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn(future).detach();
        Ok(())
    }
}

/// Spawns detached tasks. Fails, and drops the future, once the executor has been dropped.
impl Spawn for Spawner {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        match Spawner::spawn(self, future) {
            Ok(task) => {
                task.detach();
                Ok(())
            }
            Err(_) => Err(SpawnError::shutdown()),
        }
    }

    fn status(&self) -> Result<(), SpawnError> {
        if self.is_closed() { Err(SpawnError::shutdown()) } else { Ok(()) }
    }
}
