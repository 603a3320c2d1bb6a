//! Closing, and opening again.

use selvedge_sync::sync::MutexGuard;

use super::asker::Asker;
use super::control::{Cause, Claim, Control, Thread};
use super::verbs::{Deadline, Verbs};
use super::{Shared, Until};
use crate::error::DispatchError;
use crate::panics::swallow;
use crate::queue::{Closed, Gate, Wake};
use crate::report::Report;

impl Verbs<'_> {
    pub(crate) fn shutdown(&self, deadline: Deadline) -> Result<Report, DispatchError> {
        self.check_may_wait()?;
        let (claim, asker) = self.claim(Cause::Shutdown, deadline)?;
        match self.wait_for_end(asker.generation, deadline) {
            Err(DispatchError::TimedOut) => {
                if claim == Claim::Second || self.give_up(asker.generation) {
                    return Ok(asker.report(true));
                }
            }
            other => other?,
        }
        if claim == Claim::Second {
            return Err(asker.ending().refusal.into());
        }
        self.join(asker.generation)?;
        Ok(asker.report(false))
    }

    pub(crate) fn kill(&self) -> Result<usize, DispatchError> {
        self.check_may_wait()?;
        let (claim, asker) = self.claim(Cause::Kill, Deadline::NEVER)?;
        self.wait_for_end(asker.generation, Deadline::NEVER)?;
        if claim == Claim::Second {
            return Err(asker.ending().refusal.into());
        }
        self.join(asker.generation)?;
        Ok(usize::try_from(asker.ending().stats.dropped).unwrap_or(usize::MAX))
    }

    /// Ends this generation and begins the next, with a shut gate.
    pub(crate) fn reset(&self) -> Result<(), DispatchError> {
        self.check_may_wait()?;
        let (claim, asker) = self.claim(Cause::Shutdown, Deadline::NEVER)?;
        self.wait_for_end(asker.generation, Deadline::NEVER)?;
        self.join(asker.generation)?;
        let first_alone = cfg!(selvedge_mutant = "renewed_by_the_first_alone");
        if claim == Claim::First || !first_alone {
            self.shared.renew(asker.generation);
        }
        Ok(())
    }

    /// Closes, or waits for who does: until the end, or until that one has run out of time, whose place
    /// this one takes then. Until `deadline` at the latest.
    fn claim(&self, cause: Cause, deadline: Deadline) -> Result<(Claim, Asker<'_>), DispatchError> {
        let mut control = self.shared.control();
        let asker = Asker::new(self.shared, &mut control);
        let generation = asker.generation;
        loop {
            if control.is_settled(generation) {
                return Ok((Claim::Second, asker));
            }
            if self.close(control, cause)? == Claim::First {
                return Ok((Claim::First, asker));
            }
            match self.shared.wait(Until::Settled { generation }, deadline.0) {
                // The wait for the end will say so, too.
                Err(DispatchError::TimedOut) => return Ok((Claim::Second, asker)),
                other => other?,
            }
            control = self.shared.control();
        }
    }

    /// Claims the closing, and closes if the claim is the first.
    fn close(
        &self,
        mut control: MutexGuard<'_, Control>,
        cause: Cause,
    ) -> Result<Claim, DispatchError> {
        if control.claim(cause) == Claim::Second {
            return Ok(Claim::Second);
        }
        if cause == Cause::Kill {
            self.shared.progress.kill();
        }
        let closed = self.shared.queue.tail().close();
        if closed.before == Gate::Shut {
            control.opened_at = Some(closed.end);
        }
        let started = self.end_without_worker(&mut control, closed.end);
        if started.is_err() {
            control.give_up();
        }
        self.shared.release(control, closed.wake);
        started.map(|()| Claim::First)
    }

    /// Spawns the worker where there is something for it to do; without it, that is the end.
    fn end_without_worker(&self, control: &mut Control, end: u64) -> Result<(), DispatchError> {
        match control.thread {
            Thread::Vacant if self.shared.progress.reached().started == end => {
                control.ended = true;
                Ok(())
            }
            Thread::Vacant => self.ensure_worker(control),
            Thread::Spawned(_) | Thread::Taken => Ok(()),
        }
    }

    fn wait_for_end(&self, generation: u64, deadline: Deadline) -> Result<(), DispatchError> {
        let under_a_lock = cfg!(selvedge_mutant = "end_awaited_under_a_lock");
        let _held = under_a_lock.then(|| self.shared.head.lock());
        self.shared.wait(Until::Ended { generation }, deadline.0)
    }

    /// Waits for the thread, which has nothing to do any more.
    fn join(&self, generation: u64) -> Result<(), DispatchError> {
        let mut control = self.shared.control();
        if control.generation != generation {
            return Ok(());
        }
        let handle = match control.thread {
            Thread::Spawned(_) => core::mem::replace(&mut control.thread, Thread::Taken),
            Thread::Vacant | Thread::Taken => return Ok(()),
        };
        drop(control);
        match handle {
            Thread::Spawned(handle) => handle.join().map_err(|_| DispatchError::WorkerPanic),
            Thread::Vacant | Thread::Taken => Ok(()),
        }
    }

    /// Lets the next closing verb take the place of this one, unless the end has come after all.
    fn give_up(&self, generation: u64) -> bool {
        let mut control = self.shared.control();
        if control.is_over(generation) {
            return false;
        }
        control.give_up();
        if !cfg!(selvedge_mutant = "give_up_releases_nobody") {
            // The next one may be waiting already.
            self.shared.release(control, Wake::Nobody);
        }
        true
    }
}

impl Shared {
    /// For the drop of a `Dispatcher`: waits for nothing.
    pub(crate) fn abandon(&self) {
        if self.is_foreign() {
            return;
        }
        let mut control = self.control();
        if control.closing.is_some() {
            // A verb was first. One that ran out of time may still be followed by another.
            return;
        }
        let _: Claim = control.claim(Cause::Dropped);
        let Closed { wake, .. } = self.queue.tail().abandon();
        self.release(control, wake);
    }

    /// Wakes the worker, and everybody who waits: blocked launches look again.
    fn release(&self, mut control: MutexGuard<'_, Control>, wake: Wake) {
        let silent = cfg!(selvedge_mutant = "close_does_not_release_waiters");
        let waiters = if silent { Vec::new() } else { self.all_waiters(&mut control) };
        drop(control);
        self.wake(wake);
        for waker in waiters {
            swallow(|| waker.wake());
        }
    }

    /// For the worker, at its end: nobody waits for it any more.
    pub(super) fn end(&self) {
        let mut control = self.control();
        control.ended = true;
        self.release(control, Wake::Nobody);
    }

    /// For the worker: remembers that what has a number from `index` on is dropped.
    pub(super) fn note_dropped(&self, index: u64) {
        let mut control = self.control();
        let end = self.queue.tail().load().index();
        if !cfg!(selvedge_mutant = "dropped_tasks_not_noted") {
            control.dropped.push((index, end));
        }
    }

    /// Begins the next generation, unless somebody has.
    fn renew(&self, generation: u64) {
        let mut control = self.control();
        if control.generation != generation || !control.ended {
            return;
        }
        self.progress.revive();
        let now = self.stats_now(&control);
        let start = self.queue.tail().reopen();
        control.renew(start, self.ledger.read(), now);
    }
}
