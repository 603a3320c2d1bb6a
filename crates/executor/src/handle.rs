//! The executor's hold on its scheduler, and the verbs that all its types share.

use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::{self, NonNull};
use std::fmt;

use async_task::{Runnable, Task};
use selvedge_sync::atomic::{AtomicPtr, Ordering};
use selvedge_sync::const_fn;

use crate::run::Run;
use crate::scheduler::{Caller, Driver, Scheduler, SchedulerRef, TurnOf};
use crate::spawner::Spawner;
use crate::task_books::new_task;
use crate::tick::Tick;

/// Makes the scheduler at first use, and shuts it down on drop.
pub(crate) struct Handle {
    /// The scheduler, once there is one, of which this holds a reference.
    scheduler: AtomicPtr<Scheduler<Runnable>>,
}

impl Handle {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { scheduler: AtomicPtr::new(ptr::null_mut()) }
        }
    }

    #[inline]
    pub(crate) fn scheduler(&self) -> &Scheduler<Runnable> {
        self.existing().unwrap_or_else(|| self.create())
    }

    #[inline]
    fn existing(&self) -> Option<&Scheduler<Runnable>> {
        // ORDERING: Acquire, from the exchange in `create`: the scheduler is built.
        let scheduler = self.scheduler.load(Ordering::Acquire);
        // SAFETY: `self` holds a reference until it is dropped.
        unsafe { scheduler.as_ref() }
    }

    #[cold]
    fn create(&self) -> &Scheduler<Runnable> {
        let ours = Scheduler::new();
        let null = ptr::null_mut();
        // ORDERING: Release: the scheduler is built for whoever loads the pointer (`existing`), as this
        // thread will if another one came first.
        let made = self.scheduler.compare_exchange(
            null,
            ours.as_ptr(),
            Ordering::Release,
            Ordering::Relaxed,
        );
        if made.is_err() {
            // SAFETY: nobody has seen ours; its one reference ends here.
            unsafe { Scheduler::release(ours) };
        }
        self.existing().expect("somebody has made the scheduler")
    }

    /// Spawns a future.
    ///
    /// # Safety
    ///
    /// The future may move to other threads, and what it borrows outlives this handle, or the task.
    #[inline]
    pub(crate) unsafe fn spawn<F: Future>(&self, future: F) -> Task<F::Output> {
        let scheduler = self.scheduler();
        let mut handle = None;
        scheduler.spawn(|| {
            // SAFETY: passed on to the caller; `spawn` has counted the task.
            let (runnable, task) = unsafe { new_task(scheduler, future) };
            handle = Some(task);
            runnable
        });
        handle.expect("the task was made")
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
        let Some(scheduler) = self.existing() else { return false };
        let mut driver = Driver::new(scheduler, Caller::Foreign);
        driver
            .polled(TurnOf::Outermost, |driver, _| driver.next_item().map(Runnable::run).is_some())
    }

    pub(crate) fn tick(&self) -> Tick<'_> {
        Tick::new(self)
    }

    pub(crate) fn run<F: Future>(&self, future: F) -> Run<'_, F> {
        Run::new(self, Caller::Foreign, future)
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        selvedge_sync::thread::block_on(Run::new(self, Caller::Parked, future))
    }

    /// Like [`run`](Self::run), for a thread that does nothing but poll it when it is woken.
    pub(crate) fn run_lent<F: Future>(&self, future: F) -> Run<'_, F> {
        Run::new(self, Caller::Lent, future)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.existing().is_none_or(|scheduler| scheduler.unfinished() == 0)
    }

    #[cfg(feature = "stats")]
    pub(crate) fn stats(&self) -> crate::stats::Stats {
        self.existing().map(Scheduler::stats).unwrap_or_default()
    }

    pub(crate) fn spawner(&self) -> Spawner {
        Spawner::new(SchedulerRef::new(self.scheduler()))
    }

    /// Drops every unfinished future, and lets go of the scheduler.
    pub(crate) fn end(&mut self) {
        // Relaxed: `&mut self`; whoever handed it here has synchronised with all users.
        let Some(scheduler) = NonNull::new(self.scheduler.load(Ordering::Relaxed)) else { return };
        // SAFETY: `self` holds a reference.
        let it = unsafe { scheduler.as_ref() };
        if it.is_driven_here() {
            // `process::exit` in a task: the frames below, which nobody returns to, hold a task that
            // cannot be dropped. All of it is leaked.
            it.close();
            return;
        }
        it.shut_down();
        self.scheduler.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: the reference that `create` left with `self`.
        unsafe { Scheduler::release(scheduler) };
    }

    /// Writes the fields that every executor type shows.
    pub(crate) fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unfinished, queued, sleeping) =
            self.existing().map_or((0, 0, 0), |it| (it.unfinished(), it.queued(), it.sleeping()));
        f.debug_struct(name)
            .field("unfinished", &unfinished)
            .field("queued", &queued)
            .field("sleeping", &sleeping)
            .finish()
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

impl Default for Handle {
    fn default() -> Self {
        Self::new()
    }
}
