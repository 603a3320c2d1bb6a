//! The traits by which libraries spawn onto whatever executor they are given.

use futures_task::{FutureObj, LocalFutureObj, LocalSpawn, Spawn, SpawnError};

use crate::local_executor::LocalExecutor;
use crate::spawner::Spawner;
use crate::static_local_executor::StaticLocalExecutor;

/// Spawns detached tasks. Never fails: whoever can call it keeps the executor alive.
impl LocalSpawn for LocalExecutor<'_> {
    fn spawn_local_obj(&self, future: LocalFutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn(future).detach();
        Ok(())
    }
}

/// Spawns detached tasks, which are run on this thread like all others. Never fails.
impl Spawn for LocalExecutor<'_> {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn_local_obj(future.into())
    }
}

/// Spawns detached tasks. Never fails.
impl LocalSpawn for &'static StaticLocalExecutor {
    fn spawn_local_obj(&self, future: LocalFutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn(future).detach();
        Ok(())
    }
}

/// Spawns detached tasks, which are run on this thread like all others. Never fails.
impl Spawn for &'static StaticLocalExecutor {
    fn spawn_obj(&self, future: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.spawn_local_obj(future.into())
    }
}

/// Spawns detached tasks from any thread. Fails, and drops the future, once the executor has been dropped.
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
