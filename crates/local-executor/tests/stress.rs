//! Stress: wakes, spawns, cancels and drops from several threads at once, the real async-task included.

#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::cell::Cell;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_local_executor::{LocalExecutor, Task};

use self::dropped::Dropped;
use self::watchdog::watchdog;

const WAKES: usize = if cfg!(miri) { 300 } else { 1_000_000 };
const ROUNDS: usize = if cfg!(miri) { 30 } else { 10_000 };

/// A count that other threads raise and one task follows.
#[derive(Default)]
struct Channel {
    sent: AtomicUsize,
    waker: Mutex<Option<Waker>>,
}

impl Channel {
    fn send(&self) {
        self.sent.fetch_add(1, Ordering::SeqCst);
        let waker = self.waker.lock().unwrap().clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits until `total` were sent, however often it is polled in between.
    async fn receive_all(&self, total: usize) {
        poll_fn(|cx| {
            self.waker.lock().unwrap().get_or_insert_with(|| cx.waker().clone());
            if self.sent.load(Ordering::SeqCst) == total { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

// E3, E4, E15: a single wake-up that is lost leaves a task that waits for ever.
#[test]
fn a_million_foreign_wakes_are_all_heeded_while_tasks_run() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let channels: Vec<_> = (0..8).map(|_| Arc::new(Channel::default())).collect();
    let per_channel = WAKES / channels.len();
    let tasks: Vec<_> = channels
        .iter()
        .map(|channel| {
            let channel = channel.clone();
            ex.spawn(async move { channel.receive_all(per_channel).await })
        })
        .collect();
    let busy = ex.spawn(async {
        loop {
            yield_now().await
        }
    });
    ex.block_on(async {
        for _ in 0..100 {
            yield_now().await
        }
    });
    let threads: Vec<_> = (0..2)
        .map(|half| {
            let channels: Vec<_> = channels.iter().skip(half * 4).take(4).cloned().collect();
            thread::spawn(move || {
                for _ in 0..per_channel {
                    channels.iter().for_each(|channel| channel.send());
                }
            })
        })
        .collect();
    ex.block_on(async {
        for task in tasks {
            task.await;
        }
    });
    drop(busy);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

// E4, E15: each wake is answered before the next one is made, so each single one counts. The delay
// before it varies, so that some fall into every moment of the driver's way to sleep.
#[test]
fn no_wake_of_a_ping_pong_between_threads_is_lost() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let turns = WAKES / 5;
    let (sent, answered): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
    let (send_waker, waker) = std::sync::mpsc::channel();
    let task = ex.spawn({
        let (sent, answered) = (sent.clone(), answered.clone());
        poll_fn(move |cx| {
            if answered.load(Ordering::SeqCst) == 0 {
                let _ = send_waker.send(cx.waker().clone());
            }
            let seen = sent.load(Ordering::SeqCst);
            answered.store(seen, Ordering::SeqCst);
            if seen == turns { Poll::Ready(()) } else { Poll::Pending }
        })
    });
    let thread = thread::spawn(move || {
        let waker: Waker = waker.recv().expect("the task is polled");
        for turn in 1..=turns {
            sent.store(turn, Ordering::SeqCst);
            waker.wake_by_ref();
            let mut tries = 0;
            while answered.load(Ordering::SeqCst) < turn {
                tries += 1;
                if tries % 1024 == 0 { thread::yield_now() } else { std::hint::spin_loop() }
            }
            (0..turn % 128).for_each(|_| std::hint::spin_loop());
        }
    });
    ex.block_on(task);
    thread.join().unwrap();
}

#[test]
fn no_foreign_wake_of_a_main_future_is_lost() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let (send, receive) = async_channel::bounded(1);
    let (reply, replies) = async_channel::bounded(1);
    let turns = WAKES / 40;
    let thread = thread::spawn(move || {
        for turn in 0..turns {
            send.send_blocking(turn).unwrap();
            assert_eq!(replies.recv_blocking(), Ok(turn));
        }
    });
    ex.block_on(async {
        for turn in 0..turns {
            assert_eq!(receive.recv().await, Ok(turn));
            reply.send(turn).await.unwrap();
        }
    });
    thread.join().unwrap();
}

/// Two threads that run what they are given, round by round, while the test drops an executor.
fn with_two_threads<W: Send + Sync>(
    mut prepare: impl FnMut(usize) -> (W, LocalExecutor<'static>),
    work: impl Fn(&W, usize) + Sync,
    mut check: impl FnMut(W),
) {
    let (start, end) = (Barrier::new(3), Barrier::new(3));
    let shared: Mutex<Option<Arc<W>>> = Mutex::new(None);
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        for me in 0..2 {
            let (start, end, shared, failed, work) = (&start, &end, &shared, &failed, &work);
            scope.spawn(move || {
                loop {
                    start.wait();
                    let Some(round) = shared.lock().unwrap().clone() else { return };
                    if catch_unwind(AssertUnwindSafe(|| work(&round, me))).is_err() {
                        failed.store(true, Ordering::SeqCst);
                    }
                    drop(round);
                    end.wait();
                }
            });
        }
        // A failure must not leave the threads at the barrier, where it would look like a hang.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            for round in 0..ROUNDS {
                let (work, ex) = prepare(round);
                *shared.lock().unwrap() = Some(Arc::new(work));
                start.wait();
                (0..round % 64).for_each(|_| std::hint::spin_loop());
                drop(ex);
                end.wait();
                assert!(!failed.load(Ordering::SeqCst), "a thread panicked in round {round}");
                let work = Arc::into_inner(shared.lock().unwrap().take().unwrap());
                check(work.expect("the threads gave it back"));
            }
        }));
        *shared.lock().unwrap() = None;
        start.wait();
        outcome.unwrap_or_else(|panic| resume_unwind(panic));
    });
}

// E1, E2, E8: a wake against the drop frees too early, leaks, or drops twice or elsewhere.
#[test]
fn executors_are_dropped_while_other_threads_wake() {
    const TASKS: usize = 4;
    let _watchdog = watchdog();
    let mut dropped = None;
    with_two_threads(
        |_| {
            let ex = LocalExecutor::new();
            let count = dropped.insert(Dropped::new()).clone();
            let wakers: Rc<Cell<Vec<Waker>>> = Rc::default();
            for _ in 0..TASKS {
                let (guard, wakers) = (count.guard(), wakers.clone());
                ex.spawn(poll_fn(move |cx| {
                    let _guard = &guard;
                    let mut all = wakers.take();
                    all.push(cx.waker().clone());
                    wakers.set(all);
                    Poll::<()>::Pending
                }))
                .detach();
            }
            while ex.try_tick() {}
            ((count, wakers.take()), ex)
        },
        |(_, wakers), _| {
            for _ in 0..2 {
                wakers.iter().for_each(Waker::wake_by_ref);
                wakers.iter().cloned().for_each(Waker::wake);
            }
        },
        |(count, wakers)| {
            assert_eq!(count.count(), TASKS, "when the drop is over no future is left");
            drop(wakers);
            assert_eq!(count.count(), TASKS);
            assert!(Arc::strong_count(&count) <= 2, "a future's guard was leaked");
        },
    );
}

#[test]
fn executors_are_dropped_while_other_threads_spawn() {
    const SPAWNS: usize = 3;
    let _watchdog = watchdog();
    let mut all_refused = 0;
    with_two_threads(
        |_| {
            let ex = LocalExecutor::new();
            let refused = Mutex::new(Vec::<Box<dyn Send>>::new());
            ((Dropped::new(), ex.spawner(), refused), ex)
        },
        |(dropped, spawner, refused), _| {
            for i in 0..SPAWNS {
                let guard = dropped.guard();
                let hold = async move {
                    let _guard = guard;
                    pending::<()>().await;
                };
                let back: Option<Box<dyn Send>> = if i == 1 {
                    let refusal = spawner.spawn_with(|| hold).map(Task::detach).err();
                    refusal.map(|refusal| Box::new(refusal.into_inner()) as _)
                } else {
                    let refusal = spawner.spawn(hold).map(Task::detach).err();
                    refusal.map(|refusal| Box::new(refusal.into_inner()) as _)
                };
                refused.lock().unwrap().extend(back);
            }
        },
        |(dropped, spawner, refused)| {
            let refused = refused.into_inner().unwrap();
            all_refused += refused.len();
            assert_eq!(dropped.count(), 2 * SPAWNS - refused.len(), "accepted, so dropped in time");
            drop(refused);
            assert_eq!(dropped.count(), 2 * SPAWNS);
            assert!(spawner.is_closed());
        },
    );
    println!("{all_refused} of {} spawns came too late", ROUNDS * 2 * SPAWNS);
}

#[test]
fn executors_are_dropped_while_other_threads_cancel() {
    let _watchdog = watchdog();
    with_two_threads(
        |round| {
            let ex = LocalExecutor::new();
            let dropped = Dropped::new();
            let tasks: [_; 2] = std::array::from_fn(|_| {
                let tasks: Vec<_> = (0..4)
                    .map(|_| {
                        let guard = dropped.guard();
                        ex.spawn(async move {
                            let _guard = guard;
                            pending::<()>().await;
                        })
                    })
                    .collect();
                Mutex::new(tasks)
            });
            if round % 2 == 0 {
                while ex.try_tick() {}
            }
            ((dropped, tasks), ex)
        },
        |(_, tasks), me| {
            for (i, task) in std::mem::take(&mut *tasks[me].lock().unwrap()).into_iter().enumerate()
            {
                match i {
                    0 => drop(task),
                    1 => assert_eq!(block_on(task.cancel()), None),
                    2 => task.detach(),
                    _ => assert_eq!(block_on(task.fallible()), None),
                }
            }
        },
        |(dropped, _)| assert_eq!(dropped.count(), 8),
    );
}

// Two foreign wakers, a nested driver, and a driver that sleeps beside them.
#[test]
fn nested_and_parallel_drivers_lose_no_foreign_wake() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new().leak();
    let turns = WAKES / 100;
    let stop = Arc::new(AtomicBool::new(false));
    let (send, receive) = async_channel::bounded::<usize>(1);
    let (reply, replies) = async_channel::bounded::<usize>(1);
    let thread = thread::spawn({
        let stop = stop.clone();
        move || {
            for turn in 0..turns {
                send.send_blocking(turn).unwrap();
                assert_eq!(replies.recv_blocking(), Ok(turn));
            }
            stop.store(true, Ordering::SeqCst);
        }
    });
    let echo = ex.spawn(async move {
        for turn in 0..turns {
            assert_eq!(receive.recv().await, Ok(turn));
            reply.send(turn).await.unwrap();
        }
    });
    let nested = ex.spawn(async { ex.block_on(ex.run(echo)) });
    block_on(futures_lite::future::race(ex.run(pending()), ex.run(nested)));
    thread.join().unwrap();
    assert!(stop.load(Ordering::SeqCst));
}
