//! The executor's hold on its scheduler, and the verbs that all its types share.

use core::cell::Cell;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;
use std::fmt;

use async_task::{Runnable, Task};

use crate::run::Run;
use crate::scheduler::{Owner, Scheduler, SchedulerRef};
use crate::spawner::Spawner;
use crate::task_books::new_task;
use crate::tick::Tick;

/// Makes the scheduler at first use, on the thread that then owns it, and shuts it down on drop.
///
/// `!Send` and `!Sync`, so every method runs on the thread of that first use.
pub(crate) struct Handle {
    /// The scheduler, once there is one.
    scheduler: Cell<Option<NonNull<Scheduler<Runnable>>>>,
}

impl Handle {
    pub(crate) const fn new() -> Self {
        Self { scheduler: Cell::new(None) }
    }

    /// The scheduler as its owner sees it.
    #[inline]
    pub(crate) fn owner(&self) -> Owner<'_, Runnable> {
        let scheduler = self.scheduler.get().unwrap_or_else(|| self.create());
        // SAFETY: it lives until `self` abandons it.
        let scheduler = unsafe { scheduler.as_ref() };
        // SAFETY: `self` is `!Send` and `!Sync`, so this is the thread that created the scheduler.
        unsafe { scheduler.assume_owner() }
    }

    #[cold]
    fn create(&self) -> NonNull<Scheduler<Runnable>> {
        let scheduler = Scheduler::new();
        self.scheduler.set(Some(scheduler));
        scheduler
    }

    /// Spawns a future.
    ///
    /// # Safety
    ///
    /// What the future borrows outlives this handle, or the task.
    pub(crate) unsafe fn spawn<F: Future>(&self, future: F) -> Task<F::Output> {
        let owner = self.owner();
        owner.add_one();
        // SAFETY: passed on to the caller; the thread is the owner's.
        let (runnable, task) = unsafe { new_task(SchedulerRef::new(owner), future) };
        owner.enqueue(runnable);
        task
    }

    /// Spawns each future of an iterator.
    ///
    /// # Safety
    ///
    /// As for [`spawn`](Self::spawn).
    pub(crate) unsafe fn spawn_many<F: Future>(
        &self,
        futures: impl IntoIterator<Item = F>,
        handles: &mut impl Extend<Task<F::Output>>,
    ) {
        // SAFETY: passed on to the caller.
        handles.extend(futures.into_iter().map(|future| unsafe { self.spawn(future) }));
    }

    pub(crate) fn try_tick(&self) -> bool {
        let owner = self.owner();
        let _driving = owner.drive();
        owner.next().map(Runnable::run).is_some()
    }

    pub(crate) fn tick(&self) -> Tick<'_> {
        Tick::new(self)
    }

    pub(crate) fn run<F: Future>(&self, future: F) -> Run<'_, F> {
        Run::new(self, future)
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        let _turn = self.owner().block();
        selvedge_sync::thread::block_on(self.run(future))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.scheduler.get().is_none() || self.owner().unfinished() == 0
    }

    #[cfg(feature = "stats")]
    pub(crate) fn stats(&self) -> crate::stats::Stats {
        self.owner().stats()
    }

    pub(crate) fn spawner(&self) -> Spawner {
        Spawner::new(SchedulerRef::new(self.owner()))
    }

    /// Drops every unfinished future, and lets go of the scheduler.
    pub(crate) fn end(&mut self) {
        let Some(scheduler) = self.scheduler.get() else { return };
        if self.owner().is_driven() {
            // `process::exit` in a task: the frames below, which nobody returns to, hold a task that
            // cannot be dropped. All of it is leaked.
            self.owner().close();
            return;
        }
        self.owner().shut_down();
        self.scheduler.set(None);
        // SAFETY: `create` made it, on this thread, and this is the only end.
        unsafe { Scheduler::abandon(scheduler) };
    }

    /// Writes the fields that every executor type shows.
    pub(crate) fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct(name);
        if self.scheduler.get().is_some() {
            let owner = self.owner();
            fields.field("unfinished", &owner.unfinished()).field("queued", &owner.queued());
        } else {
            fields.field("unfinished", &0).field("queued", &0);
        }
        fields.finish()
    }
}

// No state of the executor is half-changed while code runs that may panic.
impl UnwindSafe for Handle {}
impl RefUnwindSafe for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end();
    }
}
