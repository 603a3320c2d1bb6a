#![cfg(selvedge_shuttle)]
//! The whole dispatcher, its worker thread included, under random schedules: four producers against
//! each of the closing and waiting verbs.
//!
//! No time passes here, so the timed verbs wait for what they wait for, and are not tried.

use std::sync::Arc;

use selvedge_dispatcher::{Dispatcher, Guard, Overflow, TaskError};
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

/// Producers that launch numbered tasks, and say how many were accepted.
fn producers(guard: &Guard, seen: &Arc<Seen>) -> Vec<JoinHandle<usize>> {
    let producer = |producer: usize| {
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
    };
    (0..PRODUCERS).map(producer).collect()
}

fn accepted(producers: Vec<JoinHandle<usize>>) -> usize {
    producers.into_iter().map(|thread| thread.join().unwrap()).sum()
}

#[test]
fn four_producers_against_flush_init_and_waits_leave_no_task_behind() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        let producers = producers(&guard, &seen);
        assert_eq!(guard.flush_init(), Ok(0));
        guard.block_on_queue().unwrap();
        block_on(guard.flush()).unwrap();
        assert_eq!(accepted(producers), PRODUCERS * TASKS);
        guard.block_on_queue().unwrap();
        assert_eq!(seen.ran(), PRODUCERS * TASKS);
        guard.shutdown().unwrap();
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn four_producers_against_a_full_queue_are_counted_one_by_one() {
    schedules(|| {
        let dispatcher = Dispatcher::new(2);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        let producers = producers(&guard, &seen);
        let turned_away = guard.flush_init().unwrap();
        let accepted = accepted(producers);
        assert!(turned_away <= PRODUCERS * TASKS - accepted);
        let report = guard.shutdown().unwrap();
        assert_eq!((report.run as usize, seen.ran()), (accepted, accepted));
        assert_eq!(guard.stats().turned_away as usize, PRODUCERS * TASKS - accepted);
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn four_producers_against_shutdown_run_what_was_accepted() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        if random(2) == 0 {
            guard.open().unwrap();
        }
        let producers = producers(&guard, &seen);
        let report = guard.shutdown().unwrap();
        assert!(!report.running && !report.timed_out);
        let accepted = accepted(producers);
        assert_eq!((report.run as usize, seen.ran()), (accepted, accepted));
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn four_producers_against_kill_run_or_drop_what_was_accepted() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        if random(2) == 0 {
            guard.open().unwrap();
        }
        let producers = producers(&guard, &seen);
        let killed = guard.kill().unwrap();
        let ran = seen.ran();
        let accepted = accepted(producers);
        assert_eq!(seen.ran(), ran, "a task ran after the kill");
        assert_eq!(ran + killed, accepted);
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn a_kill_that_races_a_shutdown_leaves_one_winner() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        guard.open().unwrap();
        let producers = producers(&guard, &seen);
        let other = guard.clone();
        let killing = thread::spawn(move || other.kill());
        let report = guard.shutdown();
        let killed = killing.join().unwrap();
        let accepted = accepted(producers);
        let dropped = match (&report, &killed) {
            (Ok(report), _) => report.dropped as usize,
            (Err(_), Ok(dropped)) => *dropped,
            (Err(_), Err(_)) => panic!("neither verb closed the dispatcher"),
        };
        assert_eq!(seen.ran() + dropped, accepted);
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn every_handle_resolves_while_tasks_are_cancelled_and_the_dispatcher_is_killed() {
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
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        guard.open().unwrap();
        let producers = producers(&guard, &seen);
        if random(2) == 0 {
            guard.block_on_queue().unwrap();
        }
        let report = guard.shutdown().unwrap();
        let accepted = accepted(producers);
        assert_eq!((report.run as usize, seen.ran()), (accepted, accepted));
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn the_oldest_tasks_make_room_and_are_counted() {
    schedules(|| {
        let builder = Dispatcher::builder().max_queue_size(100).bound_once_open(2);
        let dispatcher = builder.overflow(Overflow::DropOldest).build().unwrap();
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        guard.open().unwrap();
        let producers = producers(&guard, &seen);
        assert_eq!(accepted(producers), PRODUCERS * TASKS);
        let report = guard.shutdown().unwrap();
        let evicted = guard.stats().evicted as usize;
        assert_eq!(report.run as usize, seen.ran());
        assert_eq!(seen.ran() + evicted, PRODUCERS * TASKS);
        assert_eq!(seen.dropped(), PRODUCERS * TASKS);
    });
}

#[test]
fn a_dispatcher_that_is_dropped_lets_queued_work_finish_or_discards_it() {
    schedules(|| {
        let dispatcher = Dispatcher::new(100);
        let (guard, seen) = (dispatcher.guard(), Arc::new(Seen::default()));
        let open = random(2) == 0;
        if open {
            guard.open().unwrap();
        }
        let producers = producers(&guard, &seen);
        drop(dispatcher);
        let accepted = accepted(producers);
        while seen.dropped() < PRODUCERS * TASKS {
            thread::yield_now();
        }
        assert_eq!(seen.ran(), if open { accepted } else { 0 });
    });
}
