#![cfg(selvedge_shuttle)]
//! The whole dispatcher, its worker thread included, under random schedules: four producers against
//! each of the closing and waiting verbs.
//!
//! No time passes here, so the timed verbs wait for what they wait for, and are not tried.

use std::sync::Arc;

use selvedge_dispatcher::{Dispatcher, Guard, Overflow, Report, TaskError};
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::thread::{self, JoinHandle, block_on};
use selvedge_sync::{random, schedules};

const PRODUCERS: usize = 4;
const TASKS: usize = 3;

/// What the tasks of one dispatcher did.
#[derive(Default)]
struct Seen {
    /// By producer: the number of the next task.
    next: [AtomicUsize; PRODUCERS],
    ran: AtomicUsize,
    dropped: AtomicUsize,
}

impl Seen {
    fn ran(&self) -> usize {
        self.ran.load(Ordering::SeqCst)
    }

    fn dropped(&self) -> usize {
        self.dropped.load(Ordering::SeqCst)
    }

    /// The task `number` of `producer`.
    fn run(&self, producer: usize, number: usize) {
        let next = self.next[producer].swap(number + 1, Ordering::Relaxed);
        assert!(next <= number, "a task is out of order");
        self.ran.fetch_add(1, Ordering::SeqCst);
    }
}

/// Counts the end of a closure, whether it ran or not.
struct Counted(Arc<Seen>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Producers that launch numbered tasks.
struct Scene {
    guard: Guard,
    seen: Arc<Seen>,
    producers: Vec<JoinHandle<usize>>,
}

impl Scene {
    fn new(dispatcher: &Dispatcher) -> Self {
        let (guard, seen) = (dispatcher.guard(), Arc::default());
        let producers = (0..PRODUCERS).map(|producer| produce(&guard, &seen, producer)).collect();
        Self { guard, seen, producers }
    }

    /// The gate is opened before the producers begin.
    fn open(dispatcher: &Dispatcher) -> Self {
        dispatcher.guard().open().unwrap();
        Self::new(dispatcher)
    }

    /// The gate is opened before the producers begin, or left shut.
    fn open_or_shut(dispatcher: &Dispatcher) -> Self {
        if random(2) == 0 { Self::open(dispatcher) } else { Self::new(dispatcher) }
    }

    /// Waits for the producers to end. How many of their tasks were accepted.
    fn accepted(&mut self) -> usize {
        self.producers.drain(..).map(|thread| thread.join().unwrap()).sum()
    }

    /// Every task that was accepted ran, as the report says, and no closure is left.
    fn assert_all_ran(&mut self, report: Report) {
        let accepted = self.accepted();
        assert_eq!((report.run as usize, self.seen.ran()), (accepted, accepted));
        self.assert_all_dropped();
    }

    fn assert_all_dropped(&self) {
        assert_eq!(self.seen.dropped(), PRODUCERS * TASKS);
    }
}

/// A thread that launches the tasks of one producer, and says how many were accepted.
fn produce(guard: &Guard, seen: &Arc<Seen>, producer: usize) -> JoinHandle<usize> {
    let (guard, seen) = (guard.clone(), seen.clone());
    thread::spawn(move || {
        let mut accepted = 0;
        for number in 0..TASKS {
            let counted = Counted(seen.clone());
            let launched = guard.launch(move || counted.0.run(producer, number));
            accepted += usize::from(launched.is_ok());
        }
        accepted
    })
}

#[test]
fn four_producers_against_flush_init_and_waits_leave_no_task_behind() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let mut scene = Scene::new(&dispatcher);
        assert_eq!(scene.guard.flush_init(), Ok(0));
        scene.guard.block_on_queue().unwrap();
        block_on(scene.guard.flush()).unwrap();
        assert_eq!(scene.accepted(), PRODUCERS * TASKS);
        scene.guard.block_on_queue().unwrap();
        assert_eq!(scene.seen.ran(), PRODUCERS * TASKS);
        scene.guard.shutdown().unwrap();
        scene.assert_all_dropped();
    });
}

#[test]
fn four_producers_against_a_full_queue_are_counted_one_by_one() {
    schedules(|| {
        let dispatcher = Dispatcher::new(2);
        let mut scene = Scene::new(&dispatcher);
        let turned_away = scene.guard.flush_init().unwrap();
        let accepted = scene.accepted();
        assert!(turned_away <= PRODUCERS * TASKS - accepted);
        let report = scene.guard.shutdown().unwrap();
        assert_eq!((report.run as usize, scene.seen.ran()), (accepted, accepted));
        assert_eq!(scene.guard.stats().turned_away as usize, PRODUCERS * TASKS - accepted);
        scene.assert_all_dropped();
    });
}

#[test]
fn four_producers_against_shutdown_run_what_was_accepted() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let mut scene = Scene::open_or_shut(&dispatcher);
        let report = scene.guard.shutdown().unwrap();
        assert!(!report.running && !report.timed_out);
        scene.assert_all_ran(report);
    });
}

#[test]
fn four_producers_against_kill_run_or_drop_what_was_accepted() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let mut scene = Scene::open_or_shut(&dispatcher);
        let killed = scene.guard.kill().unwrap();
        let ran = scene.seen.ran();
        let accepted = scene.accepted();
        assert_eq!(scene.seen.ran(), ran, "a task ran after the kill");
        assert_eq!(ran + killed, accepted);
        scene.assert_all_dropped();
    });
}

#[test]
fn a_kill_that_races_a_shutdown_leaves_one_winner() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let mut scene = Scene::open(&dispatcher);
        let other = scene.guard.clone();
        let killing = thread::spawn(move || other.kill());
        let report = scene.guard.shutdown();
        let killed = killing.join().unwrap();
        let accepted = scene.accepted();
        let dropped = match (&report, &killed) {
            (Ok(report), _) => report.dropped as usize,
            (Err(_), Ok(dropped)) => *dropped,
            (Err(_), Err(_)) => panic!("neither verb closed the dispatcher"),
        };
        assert_eq!(scene.seen.ran() + dropped, accepted);
        scene.assert_all_dropped();
    });
}

#[test]
fn every_handle_resolves_while_tasks_are_cancelled_and_the_dispatcher_closes() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let guard = dispatcher.guard();
        guard.open().unwrap();
        let threads: Vec<_> = (0..PRODUCERS)
            .map(|producer| {
                let guard = guard.clone();
                thread::spawn(move || {
                    let handle = match guard.launch_with_handle(move || producer) {
                        Ok(handle) => handle,
                        Err(_refused) => return,
                    };
                    let outcome = match random(3) {
                        0 => {
                            handle.cancel();
                            return;
                        }
                        1 => handle.wait(),
                        _ => block_on(handle),
                    };
                    match outcome {
                        Ok(number) => assert_eq!(number, producer),
                        Err(error) => assert!(matches!(error, TaskError::Killed), "{error}"),
                    }
                })
            })
            .collect();
        if random(2) == 0 {
            guard.kill().unwrap();
        } else {
            guard.shutdown().unwrap();
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn producers_that_wait_for_room_get_it_or_their_closure_back() {
    schedules(|| {
        let builder = Dispatcher::builder().max_queue_size(100).bound_once_open(1);
        let dispatcher = builder.overflow(Overflow::Block).build().unwrap();
        let mut scene = Scene::open(&dispatcher);
        if random(2) == 0 {
            scene.guard.block_on_queue().unwrap();
        }
        let report = scene.guard.shutdown().unwrap();
        scene.assert_all_ran(report);
    });
}

#[test]
fn the_oldest_tasks_make_room_and_are_counted() {
    schedules(|| {
        let builder = Dispatcher::builder().max_queue_size(100).bound_once_open(2);
        let dispatcher = builder.overflow(Overflow::DropOldest).build().unwrap();
        let mut scene = Scene::open(&dispatcher);
        assert_eq!(scene.accepted(), PRODUCERS * TASKS);
        let report = scene.guard.shutdown().unwrap();
        let evicted = scene.guard.stats().evicted as usize;
        assert_eq!(report.run as usize, scene.seen.ran());
        assert_eq!(scene.seen.ran() + evicted, PRODUCERS * TASKS);
        scene.assert_all_dropped();
    });
}

#[test]
fn a_dispatcher_that_is_dropped_lets_queued_work_finish_or_discards_it() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let open = random(2) == 0;
        let mut scene = if open { Scene::open(&dispatcher) } else { Scene::new(&dispatcher) };
        drop(dispatcher);
        let accepted = scene.accepted();
        while scene.seen.dropped() < PRODUCERS * TASKS {
            thread::yield_now();
        }
        assert_eq!(scene.seen.ran(), if open { accepted } else { 0 });
    });
}
