//! Threads that drive an executor until they are told to end.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_executor::{Executor, StaticExecutor, Task, Workers};

use self::watchdog::watchdog;

#[test]
fn workers_run_as_many_tasks_at_once_as_there_are_threads() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(3).start(&EX).unwrap();
    assert_eq!(workers.threads(), 3);
    let line = Arc::new(Barrier::new(3));
    let meet = || {
        let line = line.clone();
        EX.spawn(async move {
            line.wait();
        })
    };
    for _ in 0..50 {
        let tasks = [meet(), meet(), meet()];
        block_on(async {
            for task in tasks {
                task.await;
            }
        });
    }
    workers.shutdown();
}

#[test]
fn threads_have_the_names_and_stacks_that_were_asked_for() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let workers = Workers::new(1).name_prefix("weaver").stack_size(64 << 20);
    let name = workers.scope(&ex, || {
        block_on(ex.spawn(async {
            // More than the default stack has room for.
            let deep = std::hint::black_box([1_u8; 4 << 20]);
            (thread::current().name().unwrap().to_owned(), deep[deep.len() - 1])
        }))
    });
    assert_eq!(name.unwrap(), ("weaver-0".to_owned(), 1));
}

#[test]
fn what_is_unfinished_at_the_end_stays_with_the_executor() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    for drop_only in [false, true] {
        let workers = Workers::new(2).start(&EX).unwrap();
        let (send, receive) = async_channel::bounded(1);
        let task = EX.spawn(async move { receive.recv().await.unwrap() });
        block_on(EX.spawn(yield_now()));
        if drop_only {
            drop(workers)
        } else {
            workers.shutdown()
        }
        send.try_send(7).unwrap();
        assert!(!task.is_finished());
        assert_eq!(EX.block_on(task), 7);
    }
}

#[test]
fn a_scope_ends_its_threads_when_its_body_panics() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let body = || -> () { std::panic::resume_unwind(Box::new("body")) };
    let caught = catch_unwind(AssertUnwindSafe(|| Workers::new(2).scope(&ex, body)));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"body"));
    assert_eq!(Workers::new(2).scope(&ex, || block_on(ex.spawn(async { 1 }))).unwrap(), 1);
}

#[test]
fn panics_of_tasks_take_no_worker_and_no_other_task_away() {
    let _watchdog = watchdog();
    let ran = AtomicUsize::new(0);
    let ex = Executor::new();
    Workers::new(2)
        .scope(&ex, || {
            let tasks: Vec<Task<()>> = (0..500)
                .map(|i| {
                    let ran = &ran;
                    ex.spawn(async move {
                        yield_now().await;
                        if i % 3 == 0 {
                            std::panic::resume_unwind(Box::new("planned"));
                        }
                        ran.fetch_add(1, Ordering::Relaxed);
                    })
                })
                .collect();
            for task in tasks {
                let _ = catch_unwind(AssertUnwindSafe(|| block_on(task)));
            }
        })
        .unwrap();
    assert_eq!(ran.load(Ordering::Relaxed), 333);
}

#[test]
fn workers_may_be_shut_down_from_one_of_their_own_tasks() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let place = Arc::new(Mutex::new(None));
    let workers = Workers::new(2).start(ex).unwrap();
    *place.lock().unwrap() = Some(workers);
    let task = ex.spawn(async move {
        let workers = place.lock().unwrap().take();
        workers.expect("put there before the spawn").shutdown();
    });
    block_on(task);
    assert_eq!(ex.block_on(ex.spawn(async { 2 })), 2);
}

#[test]
#[should_panic(expected = "one worker at least")]
fn no_workers_at_all_are_refused() {
    let _ = Workers::new(0);
}

#[test]
fn there_is_a_worker_at_least_where_the_system_is_asked() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    assert_eq!(Workers::available().scope(&ex, || block_on(ex.spawn(async { 3 }))).unwrap(), 3);
}

/// Polls a future so many times at most, parking in between, and leaves it unfinished then.
fn impatient(mut worker: Pin<&mut dyn Future<Output = ()>>, polls: usize) {
    for _ in 0..polls {
        let poll = block_on(poll_fn(|cx| Poll::Ready(worker.as_mut().poll(cx))));
        if poll.is_ready() {
            return;
        }
        thread::yield_now();
    }
}

#[test]
fn workers_wait_in_a_loop_that_the_user_gives_them() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = calls.clone();
    let workers = Workers::new(2).blocking_on(move |worker| {
        seen.fetch_add(1, Ordering::Relaxed);
        block_on(worker);
    });
    let sum = workers.scope(&ex, || {
        let spawn = |n: u64| {
            ex.spawn(async move {
                yield_now().await;
                n
            })
        };
        let tasks: Vec<_> = (0..1_000).map(spawn).collect();
        block_on(async {
            let mut sum = 0;
            for task in tasks {
                sum += task.await;
            }
            sum
        })
    });
    assert_eq!(sum.unwrap(), 499_500);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[test]
fn a_loop_that_gives_up_early_is_called_again_and_loses_nothing() {
    let _watchdog = watchdog();
    let done = AtomicUsize::new(0);
    let ex = Executor::new();
    let workers = Workers::new(2).blocking_on(|worker| impatient(worker, 3));
    workers
        .scope(&ex, || {
            for _ in 0..500 {
                let task = ex.spawn(async {
                    yield_now().await;
                    done.fetch_add(1, Ordering::Relaxed);
                });
                block_on(task);
            }
        })
        .unwrap();
    assert_eq!(done.load(Ordering::Relaxed), 500);
}

#[test]
fn a_loop_that_polls_a_worker_once_too_often_gets_ready_again() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(1).blocking_on(|mut worker| {
        block_on(worker.as_mut());
        block_on(worker);
    });
    let workers = workers.start(&EX).unwrap();
    assert_eq!(block_on(EX.spawn(async { 7 })), 7);
    workers.shutdown();
}

#[test]
fn a_loop_that_panics_is_taken_up_again() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let panicked = Arc::new(AtomicUsize::new(0));
    let panics = panicked.clone();
    let workers = Workers::new(1).blocking_on(move |worker| {
        if panics.fetch_add(1, Ordering::Relaxed) < 3 {
            panic!("the user's loop panics, as it should here");
        }
        block_on(worker);
    });
    let answer = workers.scope(&ex, || block_on(ex.spawn(async { 42 })));
    assert_eq!(answer.unwrap(), 42);
    assert_eq!(panicked.load(Ordering::Relaxed), 4);
}

#[test]
fn a_worker_that_lends_itself_runs_what_its_own_thread_wakes() {
    let _watchdog = watchdog();
    let waiting = Arc::new(Mutex::new(None::<Waker>));
    let reactor = waiting.clone();
    let ex = Executor::new();
    // A loop that wakes a task between two polls of the worker, as a reactor does, and hears of it.
    let workers = Workers::new(1).blocking_on(move |mut worker| {
        let told = Arc::new(Told::default());
        let waker = Waker::from(told.clone());
        while worker.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            if let Some(waker) = reactor.lock().unwrap().take() {
                waker.wake();
                assert!(
                    told.0.swap(0, Ordering::Relaxed) > 0,
                    "nobody told the only worker there is"
                );
                continue;
            }
            thread::yield_now();
        }
    });
    let woken = workers.scope(&ex, || {
        block_on(ex.spawn(async {
            for _ in 0..100 {
                let mut first = true;
                poll_fn(|cx| {
                    if std::mem::take(&mut first) {
                        *waiting.lock().unwrap() = Some(cx.waker().clone());
                        return Poll::Pending;
                    }
                    Poll::Ready(())
                })
                .await;
            }
            100
        }))
    });
    assert_eq!(woken.unwrap(), 100);
}

/// Counts how often it was woken.
#[derive(Default)]
struct Told(AtomicUsize);

impl Wake for Told {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
