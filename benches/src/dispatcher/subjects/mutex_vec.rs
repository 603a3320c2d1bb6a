//! The simplest sound design: a vector under a lock, which the worker takes away whole.

use core::{
    fmt::{self, Debug, Formatter},
    mem,
};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

use super::{Task, join, wait_for_marker, worker};
use crate::dispatcher::{Bounded, DispatcherSubject};

/// A vector under a lock.
#[derive(Debug)]
pub struct MutexVec;

/// What producers and the worker share.
pub struct Queue {
    state: Mutex<State>,
    /// The worker waits here for tasks.
    tasks: Condvar,
    /// Producers wait here for room.
    room: Condvar,
    bound: usize,
}

#[derive(Default)]
struct State {
    tasks: Vec<Task>,
    worker_sleeps: bool,
    closed: bool,
}

impl Queue {
    fn new(bound: usize) -> Arc<Self> {
        let (tasks, room) = (Condvar::new(), Condvar::new());
        Arc::new(Self { state: Mutex::default(), tasks, room, bound })
    }

    fn push(&self, task: Task) {
        let mut state = self.lock();
        while state.tasks.len() >= self.bound {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.tasks.push(task);
        self.wake(state);
    }

    fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.wake(state);
    }

    /// Lets go of the lock and then wakes the worker, if it sleeps.
    fn wake(&self, mut state: MutexGuard<'_, State>) {
        let sleeps = mem::take(&mut state.worker_sleeps);
        drop(state);
        if sleeps {
            self.tasks.notify_one();
        }
    }

    /// Exchanges an empty `batch` for all that is queued; waits if that is nothing, and gives
    /// `false` once the queue is closed and empty.
    fn take(&self, batch: &mut Vec<Task>) -> bool {
        let mut state = self.lock();
        while state.tasks.is_empty() {
            if state.closed {
                return false;
            }
            state.worker_sleeps = true;
            state = self.tasks.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        mem::swap(&mut state.tasks, batch);
        let was_full = batch.len() >= self.bound;
        drop(state);
        if was_full {
            self.room.notify_all();
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debug for Queue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("queued", &self.lock().tasks.len()).finish_non_exhaustive()
    }
}

impl DispatcherSubject for MutexVec {
    const NAME: &'static str = "mutex-vec";

    type Dispatcher = (Arc<Queue>, JoinHandle<()>);
    type Guard = Arc<Queue>;

    fn new() -> Self::Dispatcher {
        Self::bounded(usize::MAX)
    }

    fn guard(dispatcher: &Self::Dispatcher) -> Self::Guard {
        Arc::clone(&dispatcher.0)
    }

    fn launch(guard: &Self::Guard, task: impl FnOnce() + Send + 'static) {
        guard.push(Box::new(task));
    }

    fn flush(guard: &Self::Guard) {
        wait_for_marker::<Self>(guard);
    }

    fn shutdown((queue, worker): Self::Dispatcher) {
        queue.close();
        join(worker);
    }
}

impl Bounded for MutexVec {
    fn bounded(bound: usize) -> Self::Dispatcher {
        let queue = Queue::new(bound);
        let shared = Arc::clone(&queue);
        let run = move || {
            let mut batch = Vec::new();
            while shared.take(&mut batch) {
                batch.drain(..).for_each(|task| task());
            }
        };
        (queue, worker(run))
    }
}
