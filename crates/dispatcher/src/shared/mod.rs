//! What guards, the worker and all who wait share: one allocation, or one static.

mod asker;
mod closing;
mod control;
mod hiring;
mod launch;
mod limits;
mod opening;
mod owner;
mod progress;
mod verbs;
mod wait;
mod worker;

use core::fmt;
use core::task::Waker;

use selvedge_sync::atomic::{AtomicU64, Ordering};
use selvedge_sync::sync::{LeakCheck, Mutex, MutexGuard};
use selvedge_sync::thread::Event;

use self::control::Control;
pub(crate) use self::hiring::Hiring;
pub(crate) use self::limits::Limits;
pub(crate) use self::owner::{Origin, Owner};
use self::progress::{Progress, Reached};
pub(crate) use self::verbs::{Deadline, Verbs};
pub(crate) use self::wait::{Until, Wait};
#[cfg(feature = "loom")]
pub(crate) use self::worker::{expect_player, play};
use crate::fork::Stamp;
use crate::ledger::Ledger;
use crate::line::Line;
use crate::panics::{Panics, swallow};
use crate::queue::{Head, Queue};
use crate::stats::Stats;

/// What guards, the worker and all who wait share.
pub(crate) struct Shared {
    queue: Queue,
    progress: Line<Progress>,
    /// Read by each launch, and never written.
    pub(crate) limits: Line<Limits>,
    pub(crate) ledger: Ledger,
    /// How often the worker looks again before it sleeps; `None`: as many cores suggest.
    pub(crate) spin: Option<u32>,
    stamp: Stamp,
    /// Zero until somebody asks.
    id: AtomicU64,
    /// How far the worker must come for the first of those who wait.
    due: AtomicU64,
    control: Mutex<Control>,
    /// The worker's: it keeps it for as long as it lives, unless others may take tasks out.
    head: Mutex<Head>,
    /// Ends the worker's sleep.
    event: Event,
    _leaks: LeakCheck,
}

impl Shared {
    selvedge_sync::const_fn! {
        /// An empty queue behind a shut gate, and no worker.
        pub(crate) const fn new(
            limits: Limits,
            panics: Panics,
            spin: Option<u32>,
            stamp: Stamp,
        ) -> Self {
            Self {
                queue: Queue::new(),
                progress: Line(Progress::new()),
                limits: Line(limits),
                ledger: Ledger::new(panics),
                spin,
                stamp,
                id: AtomicU64::new(0),
                due: AtomicU64::new(u64::MAX),
                control: Mutex::new(Control::new()),
                head: Mutex::new(Head::new()),
                event: Event::new(),
                _leaks: LeakCheck::new(),
            }
        }
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock()
    }

    /// Whether this is a forked child of the process of the worker.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        self.stamp.is_foreign()
    }

    pub(crate) fn stats(&self) -> Stats {
        if self.is_foreign() {
            return Stats::default();
        }
        // Where tasks are taken out by several, a launch may stand over the bound under this lock.
        let head = self.limits.evicts().then(|| self.head.lock());
        let control = self.control();
        let stats = self.stats_now(&control);
        drop(control);
        drop(head);
        stats
    }

    fn stats_now(&self, control: &Control) -> Stats {
        // In this order: a task that is started meanwhile is not counted twice.
        let end = self.queue.tail().load().index();
        let started = self.progress.reached().started;
        let (now, base) = (self.ledger.read(), &control.base);
        Stats {
            queued: end.saturating_sub(started),
            run: now.run - base.run,
            panicked: now.panicked - base.panicked,
            turned_away: now.turned_away - base.turned_away,
            evicted: now.evicted - base.evicted,
            dropped: now.dropped - base.dropped,
            sleeps: now.sleeps - base.sleeps,
        }
    }

    /// Wakes everybody who waits for no more than `finished`.
    #[inline]
    fn serve(&self, finished: u64) {
        // Relaxed: `Progress::watch` came after the store, and this comes after a look at that.
        if finished >= self.due.load(Ordering::Relaxed) {
            self.wake_up_to(finished);
        }
    }

    #[cold]
    fn wake_up_to(&self, finished: u64) {
        let mut last = None;
        loop {
            let mut control = self.control();
            // Who comes after this began has looked at what this tells. Were those woken who are there
            // again, too early, they could keep the worker here.
            let last = *last.get_or_insert(control.last_waiter);
            let mut due = control.waiters.range(..=(finished, u64::MAX));
            let key = due.find(|((_, number), _)| *number <= last).map(|(key, _)| *key);
            let waker = key.and_then(|key| control.waiters.remove(&key));
            self.note_due(&mut control);
            drop(control);
            match waker {
                Some(waker) => swallow(|| waker.wake()),
                None => return,
            }
        }
    }

    /// Keeps `due` true to the list. To be called before its lock is released.
    fn note_due(&self, control: &mut Control) {
        let due = control.waiters.keys().next().map_or(u64::MAX, |(due, _)| *due);
        if due != control.due {
            control.due = due;
            // Relaxed: `Progress::watch` publishes it.
            self.due.store(due, Ordering::Relaxed);
        }
        if due == u64::MAX && core::mem::take(&mut control.watched) {
            self.progress.unwatch();
        }
    }

    /// Takes everybody out of the list who waits.
    fn all_waiters(&self, control: &mut Control) -> Vec<Waker> {
        let waiters = core::mem::take(&mut control.waiters);
        self.note_due(control);
        waiters.into_values().collect()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("tail", self.queue.tail())
            .field("progress", &*self.progress)
            .field("limits", &*self.limits)
            .finish_non_exhaustive()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The worker holds a reference until it has emptied the queue, so only memory is left.
        self.queue.free(&mut self.head.lock());
    }
}
