//! The worker's loop.

use std::io;
use std::thread::available_parallelism;
use std::time::Duration;

use selvedge_sync::MODELLED;
use selvedge_sync::sync::Arc;
use selvedge_sync::thread::{Builder, JoinHandle, sleep, spin_loop, yield_now};

use super::control::Thread;
use super::progress::Step;
use super::{Hiring, Owner, Shared};
use crate::queue::{Head, Look, Seen};
use crate::task::{Discard, ErasedTask, Words};

impl Shared {
    /// Spawns the worker of a dispatcher that was just made.
    pub(crate) fn spawn(this: &Arc<Self>, builder: Builder) -> io::Result<()> {
        let owner = Owner::Counted(this.clone());
        let handle = builder.spawn(move || Worker::new(&owner).work())?;
        this.control().thread = Thread::Spawned(handle);
        Ok(())
    }

    /// Spawns the worker of a generation of a static.
    pub(super) fn spawn_for_static(&'static self, hiring: Hiring) -> io::Result<JoinHandle<()>> {
        let mut builder = Builder::new().name(hiring.name.into());
        if let Some(bytes) = hiring.stack_size {
            builder = builder.stack_size(bytes);
        }
        builder.spawn(move || Worker::new(self).work())
    }
}

/// What the worker knows by itself.
struct Worker<'s> {
    shared: &'s Shared,
    /// Its place in the queue, unless others may take tasks out: then it is under the lock.
    head: Option<Head>,
    /// Whether `Progress` says that a task is running.
    running: bool,
    /// Why what follows is to be dropped, if it is.
    fate: Option<Discard>,
    /// Whether it is noted from where on tasks are dropped.
    noted: bool,
    spin: u32,
    /// How often it has looked at the next slot in vain.
    stalls: u32,
}

/// Whether there may be more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    GoOn,
    Drained,
    /// The task has forked, and this is the child: the queue is the parent's.
    Stranded,
}

/// What the worker does next.
enum Next<'p> {
    Task { task: ErasedTask<'p>, index: u64, step: Step },
    Stalled,
    Nothing(Seen),
    Abandoned,
    Drained,
}

/// Whatever ends the worker, nobody may wait for it in vain.
struct LastAct<'s>(&'s Shared);

impl Drop for LastAct<'_> {
    fn drop(&mut self) {
        if !cfg!(selvedge_mutant = "end_not_told") {
            self.0.end();
        }
    }
}

impl<'s> Worker<'s> {
    fn new(shared: &'s Shared) -> Self {
        shared.employ();
        let take = |place: &mut Head| core::mem::replace(place, Head::new());
        let head = (!shared.limits.evicts()).then(|| take(&mut shared.head.lock()));
        let spin = shared.spin.unwrap_or_else(default_spin);
        Self { shared, head, running: false, fate: None, noted: false, spin, stalls: 0 }
    }

    /// Runs tasks until the queue is closed and drained.
    fn work(self) {
        // Dropped after the worker, which gives its place in the queue back.
        let last = LastAct(self.shared);
        let mut worker = self;
        loop {
            match worker.turn() {
                Turn::GoOn => {}
                Turn::Drained => break,
                Turn::Stranded => {
                    // Locks may be held by threads that are not there.
                    core::mem::forget((worker, last));
                    return;
                }
            }
        }
        worker.rest();
        drop(worker);
        drop(last);
    }

    /// Runs one task, or does what comes before there is one.
    #[inline]
    fn turn(&mut self) -> Turn {
        let mut place = Words::uninit();
        match self.next(&mut place) {
            Next::Task { task, index, step } => {
                self.stalls = 0;
                self.process(task, index, step);
                if self.shared.is_foreign() {
                    return Turn::Stranded;
                }
            }
            Next::Stalled => {
                self.rest();
                stall(&mut self.stalls);
            }
            Next::Nothing(seen) => {
                self.rest();
                self.sleep(seen);
            }
            Next::Abandoned => self.fate = Some(Discard::Unopened),
            Next::Drained => return Turn::Drained,
        }
        Turn::GoOn
    }

    /// Takes the next task and starts it, in one step where others may take tasks out.
    fn next<'p>(&mut self, place: &'p mut Words) -> Next<'p> {
        match &mut self.head {
            Some(head) => take(self.shared, head, place, &mut self.running),
            None => take(self.shared, &mut self.shared.head.lock(), place, &mut self.running),
        }
    }

    #[inline]
    fn process(&mut self, task: ErasedTask<'_>, index: u64, step: Step) {
        if step.watched {
            // All before it are done with.
            self.shared.serve(index);
        }
        if step.killed || self.fate.is_some() {
            self.discard(task, index);
        } else {
            #[cfg(feature = "tracing")]
            let _span =
                tracing::trace_span!(target: "selvedge", "closure", number = index).entered();
            task.run(&self.shared.ledger);
        }
    }

    #[cold]
    fn discard(&mut self, task: ErasedTask<'_>, index: u64) {
        let why = *self.fate.get_or_insert(Discard::Killed);
        let before = self.shared.ledger.dropped();
        task.discard(why, &self.shared.ledger);
        // A cancelled task is not dropped. Noted before the step that passes this one.
        if !self.noted && self.shared.ledger.dropped() != before {
            self.noted = true;
            self.shared.note_dropped(index);
        }
    }

    /// Tells that all is finished that was started.
    fn rest(&mut self) {
        if self.running {
            self.running = false;
            let step = self.shared.progress.rest();
            if step.watched {
                self.shared.serve(self.shared.progress.reached().finished);
            }
        }
    }

    /// Sleeps until the word is not `seen` any more, after a few looks.
    fn sleep(&self, seen: Seen) {
        for _ in 0..self.spin {
            for _ in 0..64 {
                spin_loop();
            }
            if self.shared.queue.tail().load() != seen {
                return;
            }
        }
        if self.shared.queue.tail().park(seen) {
            self.shared.ledger.count_sleep();
            self.shared.event.wait();
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if let Some(head) = self.head.take() {
            *self.shared.head.lock() = head;
        }
    }
}

/// For models: plays the worker on the calling thread until the task with number `end` is reached, or
/// the queue is closed and drained.
#[cfg(feature = "loom")]
pub(crate) fn play(shared: &Shared, end: u64) {
    let mut worker = Worker::new(shared);
    while worker.shared.progress.reached().started < end {
        if worker.turn() == Turn::Drained {
            return worker.work();
        }
    }
    worker.rest();
}

/// For models: no verb is to spawn a worker, or to do without.
#[cfg(feature = "loom")]
pub(crate) fn expect_player(shared: &Shared) {
    shared.control().thread = Thread::Taken;
}

/// Takes the next task and starts it.
#[inline]
fn take<'p>(
    shared: &Shared,
    head: &mut Head,
    place: &'p mut Words,
    running: &mut bool,
) -> Next<'p> {
    match shared.queue.look(head, place) {
        Look::Task(task) => {
            let index = head.index() - 1;
            let step = shared.progress.start(index, *running);
            *running = true;
            Next::Task { task, index, step }
        }
        Look::Stalled => Next::Stalled,
        Look::Nothing(seen) => Next::Nothing(seen),
        Look::Abandoned => Next::Abandoned,
        Look::Drained => Next::Drained,
    }
}

/// Gives the thread time that stands between reserving a slot and filling it: a moment first, then
/// the processor, then time that grows to a millisecond. So a launch need not look for a sleeper.
#[cold]
fn stall(stalls: &mut u32) {
    *stalls += 1;
    let looks = *stalls;
    if !MODELLED && looks <= SPINS {
        spin_loop();
    } else if MODELLED || looks <= YIELDS {
        yield_now();
    } else {
        sleep(Duration::from_micros(16 << (looks - YIELDS).min(6)));
    }
}

/// Looks at a stalled slot with nothing in between.
const SPINS: u32 = 32;
/// Looks in all, before it sleeps between them.
const YIELDS: u32 = SPINS + 16;

/// How often a worker that was not told looks again before it sleeps: `Builder::spin` says so, too.
fn default_spin() -> u32 {
    let cores = || available_parallelism().map_or(1, usize::from);
    if MODELLED || cores() < 2 { 0 } else { 32 }
}
