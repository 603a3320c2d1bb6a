//! Launching: from a closure to a filled slot.

use selvedge_sync::sync::Arc;

use super::{Reached, Shared, Until};
use crate::error::{LaunchError, LaunchErrorKind};
use crate::overflow::Overflow;
use crate::queue::{Gate, Reservation, Seen, Wake};
use crate::task::{Completion, Discard, Handled, Large, LargeHandled, Launch, Plain, Words, fits};

/// Whether a launch may reserve a slot.
#[must_use]
enum Admission {
    Granted,
    Full,
    Refused,
}

impl Shared {
    /// Queues a closure; its number if it was accepted.
    #[inline]
    pub(crate) fn launch<F>(&self, f: F) -> Result<u64, LaunchError<F>>
    where
        F: FnOnce() + Send + 'static,
    {
        // Boxed before anything is reserved: between that and the filling nothing may fail.
        if const { fits::<Plain<F>>() } {
            self.push(Plain(f)).map_err(|refused| refused.map(|task| task.0))
        } else {
            self.push(Large(Box::new(f))).map_err(|refused| refused.map(|task| *task.0))
        }
    }

    /// Queues a closure with a handle to its output; its number if it was accepted.
    pub(crate) fn launch_handled<F, T>(
        &self,
        closure: F,
        completion: Arc<Completion<T>>,
    ) -> Result<u64, LaunchError<F>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        if const { fits::<Handled<F, T>>() } {
            let refused = self.push(Handled::new(closure, completion));
            refused.map_err(|refused| refused.map(Handled::into_closure))
        } else {
            let refused = self.push(LargeHandled { closure: Box::new(closure), completion });
            refused.map_err(|refused| refused.map(|task| *task.closure))
        }
    }

    #[inline]
    fn push<T: Launch>(&self, task: T) -> Result<u64, LaunchError<T>> {
        if self.is_foreign() {
            return Err(LaunchError::new(LaunchErrorKind::Forked, task));
        }
        let mut seen = self.queue.tail().load();
        while seen.gate() == Gate::Open && self.limits.is_plain_once_open() {
            if cfg!(selvedge_mutant = "gate_checked_before_the_push") {
                seen = self.queue.tail().load();
            }
            match self.queue.reserve::<T>(seen) {
                Ok(reserved) => return Ok(self.fill(&reserved, task)),
                Err(now) => seen = now,
            }
        }
        self.push_exactly(task)
    }

    #[inline]
    fn fill<T: Launch>(&self, reserved: &Reservation<'_>, task: T) -> u64 {
        reserved.fill(task.into_stored());
        self.wake(reserved.wake);
        reserved.index
    }

    #[inline]
    pub(super) fn wake(&self, wake: Wake) {
        if wake == Wake::Worker && !cfg!(selvedge_mutant = "wake_skipped") {
            self.event.set();
        }
    }

    /// The way with a look at the length.
    #[cold]
    fn push_exactly<T: Launch>(&self, task: T) -> Result<u64, LaunchError<T>> {
        if self.limits.evicts() {
            return self.push_and_evict(task);
        }
        loop {
            let seen = self.queue.tail().load();
            match self.admit(seen) {
                Admission::Granted => {
                    let late = cfg!(selvedge_mutant = "length_checked_before_the_push");
                    let seen = if late { self.queue.tail().load() } else { seen };
                    if let Ok(reserved) = self.queue.reserve::<T>(seen) {
                        return Ok(self.fill(&reserved, task));
                    }
                }
                Admission::Full if self.may_wait(seen) => self.wait_for_room(seen),
                Admission::Full => return Err(self.turn_away(task)),
                Admission::Refused => {
                    return Err(LaunchError::new(self.control().refusal(), task));
                }
            }
        }
    }

    fn turn_away<T>(&self, task: T) -> LaunchError<T> {
        self.ledger.count_turned_away();
        LaunchError::new(LaunchErrorKind::Full, task)
    }

    /// Whether a task may get the number in `seen`, if the word is still that when it gets it.
    fn admit(&self, seen: Seen) -> Admission {
        let Some(bound) = self.bound(seen.gate()) else { return Admission::Refused };
        let has_room = |reached: Reached| seen.index().saturating_sub(reached.started) < bound;
        // Tasks that start meanwhile make more room, never less. A full queue is believed only if
        // the newest value says so: then it was full at that moment, for the tail only grows.
        if has_room(self.progress.reached()) || has_room(self.progress.reached_now()) {
            Admission::Granted
        } else {
            Admission::Full
        }
    }

    /// How many tasks may be queued behind this gate; `None` if none is accepted.
    fn bound(&self, gate: Gate) -> Option<u64> {
        match gate {
            Gate::Shut => Some(self.limits.before),
            Gate::Open => Some(self.limits.after.unwrap_or(u64::MAX)),
            Gate::Closed | Gate::Abandoned => None,
        }
    }

    fn may_wait(&self, seen: Seen) -> bool {
        self.limits.policy == Overflow::Block && seen.gate() == Gate::Open && !self.is_worker()
    }

    /// Waits until the queue that was full with the number in `seen` has room, or is closed.
    fn wait_for_room(&self, seen: Seen) {
        let bound = self.bound(seen.gate()).unwrap_or(u64::MAX);
        let count = seen.index().saturating_sub(bound) + 1;
        // It fails in a forked child alone, where no thread waits: the one that forks was not waiting.
        let _ = self.wait(Until::Started { count }, None);
    }

    /// The way for a queue whose oldest task makes room: under the lock of the head all the way, so
    /// that the oldest slot is always filled.
    fn push_and_evict<T: Launch>(&self, task: T) -> Result<u64, LaunchError<T>> {
        let mut head = self.head.lock();
        let (bound, reserved) = loop {
            let seen = self.queue.tail().load();
            match self.bound(seen.gate()) {
                None => {
                    drop(head);
                    return Err(LaunchError::new(self.control().refusal(), task));
                }
                Some(0) => {
                    drop(head);
                    return Err(self.turn_away(task));
                }
                Some(bound) => {
                    if let Ok(reserved) = self.queue.reserve::<T>(seen) {
                        break (bound, reserved);
                    }
                }
            }
        };
        reserved.fill(task.into_stored());
        let index = reserved.index;
        let mut wake = reserved.wake;
        // More than one where the bound shrank at the opening of the gate.
        loop {
            let over = (index + 1).saturating_sub(head.index()) > bound;
            let mut place = Words::uninit();
            let victim =
                over.then(|| (self.queue.evict(&mut head, &mut place), self.progress.skip()));
            drop(head);
            self.wake(wake);
            wake = Wake::Nobody;
            let Some((victim, step)) = victim else { return Ok(index) };
            // Before the victim's destructor, which is user code: those who wait need not wait for it.
            if step.watched {
                self.serve(self.progress.reached().finished);
            }
            victim.discard(Discard::Evicted, &self.ledger);
            head = self.head.lock();
        }
    }
}
