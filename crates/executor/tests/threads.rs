//! Several threads: work that is shared, tasks behind others that block, drivers that stall or go.

#[path = "../../task-core/tests/shared/support/by_hand.rs"]
mod by_hand;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;

use async_channel::{bounded, unbounded};
use futures_lite::future::{block_on, yield_now};
use selvedge_executor::{Executor, StaticExecutor, Task};

use self::by_hand::ByHand;
use self::watchdog::watchdog;

/// Drives a new executor on `drivers` threads, by somebody else's `block_on` or our own, for `body`.
fn driven<R>(drivers: usize, parked: bool, body: impl FnOnce(&'static StaticExecutor) -> R) -> R {
    let ex = Executor::new().leak();
    let (stop, stopped) = unbounded::<()>();
    thread::scope(|scope| {
        for _ in 0..drivers {
            let stopped = stopped.clone();
            scope.spawn(move || match parked {
                true => ex.block_on(stopped.recv()),
                false => block_on(ex.run(stopped.recv())),
            });
        }
        let _stop = stop;
        body(ex)
    })
}

async fn join(tasks: Vec<Task<()>>) {
    for task in tasks {
        task.await;
    }
}

#[test]
fn as_many_tasks_run_at_once_as_there_are_drivers() {
    let _watchdog = watchdog();
    for (drivers, parked) in [(1, false), (2, false), (2, true), (4, false), (4, true)] {
        driven(drivers, parked, |ex| {
            let line = Arc::new(Barrier::new(drivers));
            let meet = || {
                let line = line.clone();
                ex.spawn(async move {
                    line.wait();
                })
            };
            for _ in 0..100 {
                block_on(join((0..drivers).map(|_| meet()).collect()));
            }
        });
    }
}

#[test]
fn what_one_task_spawns_is_shared_among_all_drivers() {
    let _watchdog = watchdog();
    for (drivers, parked) in [(2, false), (2, true), (3, false), (3, true)] {
        driven(drivers, parked, |ex| {
            let line = Arc::new(Barrier::new(drivers));
            for _ in 0..100 {
                let line = line.clone();
                block_on(ex.spawn(async move {
                    let meet = || {
                        let line = line.clone();
                        ex.spawn(async move {
                            line.wait();
                        })
                    };
                    join((0..drivers).map(|_| meet()).collect()).await;
                }));
            }
        });
    }
}

// E14: a task behind one that blocks its thread, while another driver sleeps.
#[test]
fn what_a_task_spawns_or_wakes_before_it_blocks_runs_elsewhere() {
    let _watchdog = watchdog();
    for parked in [false, true] {
        driven(2, parked, |ex| {
            let (ask, asked) = bounded(1);
            ex.spawn(async move {
                while let Ok(answer) = asked.recv().await {
                    let answer: std::sync::mpsc::Sender<()> = answer;
                    answer.send(()).unwrap();
                }
            })
            .detach();
            for round in 0..500 {
                let ask = ask.clone();
                block_on(ex.spawn(async move {
                    let (send, receive) = channel();
                    if round % 2 == 0 {
                        ask.try_send(send).unwrap();
                    } else {
                        ex.spawn(async move { send.send(()).unwrap() }).detach();
                    }
                    // Blocks the thread, as no task should.
                    receive.recv().unwrap();
                }));
            }
        });
    }
}

// E15: a wake-up between a driver's last look and its sleep.
#[test]
fn no_spawn_from_outside_falls_between_two_drivers_that_go_to_sleep() {
    let _watchdog = watchdog();
    let rounds = if cfg!(miri) { 50 } else { 10_000 };
    for parked in [false, true] {
        driven(2, parked, |ex| {
            for round in 0..rounds {
                assert_eq!(block_on(ex.spawn(async move { round })), round);
            }
        });
    }
}

#[test]
fn a_token_goes_round_between_tasks_of_several_drivers() {
    let _watchdog = watchdog();
    for parked in [false, true] {
        driven(3, parked, |ex| {
            let links = 50;
            let (first, mut last) = bounded::<usize>(1);
            for _ in 0..links {
                let (send, receive) = bounded(1);
                let from = std::mem::replace(&mut last, receive);
                ex.spawn(async move {
                    while let Ok(token) = from.recv().await {
                        if send.send(token + 1).await.is_err() {
                            return;
                        }
                    }
                })
                .detach();
            }
            for _ in 0..100 {
                first.send_blocking(0).unwrap();
                assert_eq!(last.recv_blocking(), Ok(links));
            }
        });
    }
}

#[test]
fn a_driver_that_was_told_and_is_never_polled_holds_nothing_back() {
    let _watchdog = watchdog();
    for parked in [false, true] {
        driven(1, parked, |ex| {
            let mut stalled = ByHand::new(ex.run(pending()));
            let mut ticker = ByHand::new(ex.tick());
            // Answers some calls, like a good driver, and then no more.
            for _ in 0..10 {
                let _ = stalled.poll();
                let _ = ticker.poll();
                ticker = ByHand::new(ex.tick());
                let _ = ticker.poll();
                block_on(ex.spawn(async {}));
            }
            for _ in 0..100 {
                let _ = stalled.poll();
                for _ in 0..10 {
                    block_on(ex.spawn(async { ex.spawn(async {}).await }));
                }
            }
        });
    }
}

#[test]
fn what_is_in_the_queue_of_a_stalled_driver_is_found_by_every_other() {
    let _watchdog = watchdog();
    for way in ["try_tick", "tick", "run", "block_on"] {
        let ex = Executor::new().leak();
        let ran = Arc::new(AtomicUsize::new(0));
        let counted = ran.clone();
        // Spawns on its driver, which then has its turn and is not polled again.
        ex.spawn(async move {
            for _ in 0..500 {
                let ran = counted.clone();
                ex.spawn(async move {
                    ran.fetch_add(1, Ordering::Relaxed);
                })
                .detach();
            }
        })
        .detach();
        let mut stalled = ByHand::new(ex.run(pending()));
        assert!(stalled.poll().is_pending());
        assert!((1..500).contains(&ran.load(Ordering::Relaxed)), "it had one turn");
        thread::spawn(move || {
            while !ex.is_empty() {
                match way {
                    "try_tick" => assert!(ex.try_tick()),
                    "tick" => block_on(ex.tick()),
                    "run" => block_on(ex.run(yield_now())),
                    _ => ex.block_on(yield_now()),
                }
            }
        })
        .join()
        .unwrap();
        assert_eq!(ran.load(Ordering::Relaxed), 500, "{way}");
    }
}

// E12, and: a driver on another thread reaches what is queued behind a task that is being polled.
#[test]
fn what_is_queued_behind_a_task_that_blocks_is_found_by_every_other_driver() {
    let _watchdog = watchdog();
    for way in ["try_tick", "tick", "run", "block_on"] {
        let ex = Executor::new().leak();
        let (go, gone) = channel();
        let (free, freed) = channel::<()>();
        let blocked = ex.spawn(async move {
            for _ in 0..3 {
                ex.spawn(async {}).detach();
            }
            go.send(()).unwrap();
            freed.recv().unwrap();
        });
        let thread = thread::spawn(move || block_on(ex.run(blocked)));
        gone.recv().unwrap();
        for _ in 0..3 {
            match way {
                "try_tick" => assert!(ex.try_tick()),
                "tick" => block_on(ex.tick()),
                "run" => block_on(ex.run(yield_now())),
                _ => ex.block_on(yield_now()),
            }
        }
        assert!(!ex.try_tick(), "{way} left something");
        free.send(()).unwrap();
        thread.join().unwrap();
        assert!(ex.is_empty());
    }
}

#[test]
fn a_run_future_may_move_between_threads_from_poll_to_poll() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let (send, receive) = unbounded();
    let echo = ex.spawn(async move {
        let mut sum = 0;
        while let Ok(number) = receive.recv().await {
            yield_now().await;
            sum += number;
        }
        sum
    });
    let mut run = Box::pin(ex.run(echo));
    for number in 0..100 {
        send.try_send(number).unwrap();
        run = thread::spawn(move || {
            let polled = block_on(futures_lite::future::poll_once(run.as_mut()));
            assert!(polled.is_none());
            run
        })
        .join()
        .unwrap();
    }
    drop(send);
    assert_eq!(thread::spawn(move || block_on(run)).join().unwrap(), 4950);
}

// A driver with work of its own comes to the injector, and to what another one does not get to.
#[test]
fn a_busy_driver_looks_at_the_injector_and_at_a_stalled_neighbour() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let ran = Arc::new(AtomicUsize::new(0));
    let count = |ran: &Arc<AtomicUsize>| {
        let ran = ran.clone();
        async move {
            ran.fetch_add(1, Ordering::Relaxed);
        }
    };
    let (mine, theirs) = (count(&ran), ran.clone());
    let mut stalled = ByHand::new(ex.run(async move {
        for _ in 0..100 {
            let ran = theirs.clone();
            ex.spawn(async move {
                ran.fetch_add(1, Ordering::Relaxed);
            })
            .detach();
        }
        // Uses up its turn, so that some stay in its queue.
        loop {
            yield_now().await;
        }
    }));
    let busy: Vec<_> = (0..10)
        .map(|_| {
            ex.spawn(async {
                loop {
                    yield_now().await
                }
            })
        })
        .collect();
    assert!(stalled.poll().is_pending());
    ex.spawn(mine).detach();
    let mut polls = 0;
    let mut driver = ByHand::new(ex.run(pending()));
    while ran.load(Ordering::Relaxed) < 101 {
        assert!(driver.poll().is_pending());
        polls += 1;
        assert!(polls < 100, "{} of 101 ran in {polls} turns", ran.load(Ordering::Relaxed));
    }
    drop(busy);
}

#[test]
fn is_empty_tells_the_truth_while_others_drive() {
    let _watchdog = watchdog();
    driven(2, false, |ex| {
        for _ in 0..2000 {
            let task = ex.spawn(async { ex.spawn(yield_now()).await });
            if ex.is_empty() {
                // The books are closed a moment before the handle knows.
                while !task.is_finished() {
                    thread::yield_now();
                }
            }
            block_on(task);
            while !ex.is_empty() {
                thread::yield_now();
            }
        }
    });
}
