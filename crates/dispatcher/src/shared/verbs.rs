//! The verbs, for guards and for the global form alike.

use std::time::{Duration, Instant};

use super::control::{Control, Thread};
use super::{Hiring, Shared};
use crate::error::DispatchError;
use crate::queue::Gate;

/// The verbs of a dispatcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verbs<'a> {
    pub(super) shared: &'a Shared,
    /// Where the worker is spawned by the first verb that needs it, not by whoever made it.
    lazy: Option<(&'static Shared, Hiring)>,
}

impl Verbs<'_> {
    /// Those of a dispatcher whose worker is there.
    pub(crate) fn of(shared: &Shared) -> Verbs<'_> {
        Verbs { shared, lazy: None }
    }

    /// Those of a dispatcher whose worker is spawned on demand.
    pub(crate) fn lazy(shared: &'static Shared, hiring: Hiring) -> Verbs<'static> {
        Verbs { shared, lazy: Some((shared, hiring)) }
    }

    /// Refuses to work in a forked child.
    pub(super) fn check_process(&self) -> Result<(), DispatchError> {
        match self.shared.is_foreign() {
            true => Err(DispatchError::Forked),
            false => Ok(()),
        }
    }

    /// Refuses to wait where that would take for ever.
    pub(super) fn check_may_wait(&self) -> Result<(), DispatchError> {
        self.check_process()?;
        match self.shared.is_worker() {
            true => Err(DispatchError::WouldDeadlock),
            false => Ok(()),
        }
    }

    /// Spawns the worker, if there is none yet and it is up to the verbs.
    pub(super) fn ensure_worker(&self, control: &mut Control) -> Result<(), DispatchError> {
        match (&control.thread, self.lazy) {
            (Thread::Vacant, Some((shared, hiring))) => {
                let spawned = shared.spawn_for_static(hiring);
                let handle = spawned.map_err(|error| DispatchError::Spawn(error.kind()))?;
                control.thread = Thread::Spawned(handle);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn block_on_queue(&self, deadline: Deadline) -> Result<(), DispatchError> {
        self.check_may_wait()?;
        self.shared.wait(self.shared.until_now(), deadline.0)
    }

    /// Waits until the task with this number is done with, where that takes no other thread to open the
    /// gate, and this one is not the worker.
    pub(crate) fn follow(&self, index: u64) {
        let shut = self.shared.queue.tail().load().gate() == Gate::Shut;
        if shut || self.shared.is_worker() {
            return;
        }
        let until = self.shared.until_after(index);
        // Whatever became of it, it is done with.
        let _: Result<(), DispatchError> = self.shared.wait(until, None);
    }
}

/// When a verb stops waiting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(pub(super) Option<Instant>);

impl Deadline {
    /// Never.
    pub(crate) const NEVER: Self = Self(None);

    /// After this time from now on; never where the clock does not reach so far.
    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }
}
