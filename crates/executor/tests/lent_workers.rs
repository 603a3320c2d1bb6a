//! Workers that wait in a user's loop, where that loop is not what one would wish for.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};

use futures_lite::future::block_on;
use selvedge_executor::{Executor, StaticExecutor, WorkerThreads, Workers};

use self::watchdog::watchdog;

const ROUNDS: usize = if cfg!(miri) { 3 } else { 200 };

/// Spawns a task that blocks its thread until another worker has run a second one.
fn block_one_task_for_another(ex: &'static StaticExecutor) -> u32 {
    block_on(ex.spawn(async {
        let (send, receive) = mpsc::channel();
        ex.spawn(async move { send.send(7).unwrap() }).detach();
        receive.recv().unwrap()
    }))
}

#[test]
fn a_task_may_block_for_another_one_where_the_loops_drive_the_same_executor() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(2).blocking_on(|worker| EX.block_on(worker)).start(&EX).unwrap();
    for _ in 0..ROUNDS {
        assert_eq!(block_one_task_for_another(&EX), 7);
    }
    workers.shutdown();
}

#[test]
fn a_task_may_block_for_one_of_another_executor_that_the_loops_drive_too() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    static OTHER: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(2).blocking_on(|worker| OTHER.block_on(worker)).start(&EX).unwrap();
    for _ in 0..ROUNDS {
        let answer = block_on(OTHER.spawn(async {
            let (send, receive) = mpsc::channel();
            EX.spawn(async move { send.send(7).unwrap() }).detach();
            receive.recv().unwrap()
        }));
        assert_eq!(answer, 7);
    }
    workers.shutdown();
}

/// Tells the thread of a loop, but panics instead where it is the first of all to be woken.
struct Told {
    told: AtomicBool,
    thread: Thread,
    panicked: Arc<AtomicBool>,
}

impl Wake for Told {
    fn wake(self: Arc<Self>) {
        if !self.panicked.swap(true, Ordering::SeqCst) {
            resume_unwind(Box::new("the first wake panics"));
        }
        self.told.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

#[test]
fn a_task_does_not_wait_for_a_worker_whose_waker_has_panicked() {
    let _watchdog = watchdog();
    let (asleep, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (panicked, threads) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let ex = Executor::new();
    let workers = Workers::new(2).blocking_on({
        let (asleep, over) = (asleep.clone(), over.clone());
        let (panicked, threads) = (panicked.clone(), threads.clone());
        move |mut worker| {
            threads.lock().unwrap().push(thread::current());
            let told = Arc::new(Told {
                told: AtomicBool::new(false),
                thread: thread::current(),
                panicked: panicked.clone(),
            });
            let waker = Waker::from(told.clone());
            while worker.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                asleep.fetch_add(1, Ordering::SeqCst);
                while !told.told.swap(false, Ordering::SeqCst) && !over.load(Ordering::SeqCst) {
                    thread::park();
                }
            }
        }
    });
    workers
        .scope(&ex, || {
            while asleep.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
            assert_eq!(block_on(ex.spawn(async { 7 })), 7);
            assert!(panicked.load(Ordering::SeqCst));
            // Nobody else tells the other worker to end.
            over.store(true, Ordering::SeqCst);
            threads.lock().unwrap().iter().for_each(Thread::unpark);
        })
        .unwrap();
}

#[test]
fn workers_may_be_shut_down_from_one_of_their_loops() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let place = Arc::new(Mutex::new(None::<WorkerThreads>));
    let ended = Arc::new(AtomicUsize::new(0));
    let (theirs, ending) = (place.clone(), ended.clone());
    let workers = Workers::new(2).blocking_on(move |mut worker| {
        while worker.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            let workers = theirs.lock().unwrap().take();
            drop(workers);
            thread::yield_now();
        }
        ending.fetch_add(1, Ordering::SeqCst);
    });
    *place.lock().unwrap() = Some(workers.start(&EX).unwrap());
    while ended.load(Ordering::SeqCst) < 2 {
        thread::yield_now();
    }
    assert_eq!(EX.block_on(EX.spawn(async { 7 })), 7);
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        resume_unwind(Box::new("a payload panics when it is dropped"));
    }
}

#[test]
fn what_a_loop_panics_with_stays_in_the_shutdown_of_its_worker() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(2).blocking_on(|_| resume_unwind(Box::new(Bomb))).start(&EX);
    workers.unwrap().shutdown();
}
