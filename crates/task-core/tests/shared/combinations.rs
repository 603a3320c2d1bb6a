//! tokio's `task_combinations`, in our own words: every position of a panic, a drop and a cancel.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_lite::future::block_on;

use crate::subject::{Executor, SPAWNS_WITH_MAKERS, Task, spawn_made};
use crate::watchdog::watchdog;

#[derive(Clone, Copy, Debug, PartialEq)]
enum PanicIn {
    Nothing,
    FirstPoll,
    SecondPoll,
    FutureDrop,
    OutputDrop,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SpawnBy {
    Owner,
    SpawnerHere,
    SpawnerElsewhere,
    MakerElsewhere,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    Keep,
    Detach,
    Drop,
    DropElsewhere,
    Cancel,
}

/// A moment of the task's life.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum When {
    BeforeFirstPoll,
    BetweenPolls,
    WokenAgain,
    AfterTheEnd,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    panic: PanicIn,
    spawn: SpawnBy,
    handle: (Then, When),
    executor_goes: When,
    woken_elsewhere: bool,
}

#[derive(Default)]
struct Seen {
    waker: Mutex<Option<Waker>>,
    polls: AtomicUsize,
    futures_dropped: AtomicUsize,
    outputs_made: AtomicUsize,
    outputs_dropped: AtomicUsize,
}

/// A panic that the hook is not told about, for there are many.
fn quiet_panic() {
    if !thread::panicking() {
        resume_unwind(Box::new("planned"));
    }
}

struct Subject(PanicIn, Arc<Seen>);

struct Output(PanicIn, Arc<Seen>);

impl Future for Subject {
    type Output = Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Output> {
        *self.1.waker.lock().unwrap() = Some(cx.waker().clone());
        match (self.1.polls.fetch_add(1, Ordering::SeqCst), self.0) {
            (0, PanicIn::FirstPoll) | (1, PanicIn::SecondPoll) => quiet_panic(),
            (0, _) => return Poll::Pending,
            _ => {}
        }
        self.1.outputs_made.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(Output(self.0, self.1.clone()))
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        self.1.futures_dropped.fetch_add(1, Ordering::SeqCst);
        if self.0 == PanicIn::FutureDrop {
            quiet_panic();
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.1.outputs_dropped.fetch_add(1, Ordering::SeqCst);
        if self.0 == PanicIn::OutputDrop {
            quiet_panic();
        }
    }
}

fn elsewhere<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(f).join().unwrap_or_else(|panic| resume_unwind(panic)))
}

impl Case {
    fn spawn(self, ex: &Executor<'static>, seen: &Arc<Seen>) -> Task<Output> {
        let (panic, seen) = (self.panic, seen.clone());
        let spawner = ex.spawner();
        let spawned = match self.spawn {
            SpawnBy::Owner => return ex.spawn(Subject(panic, seen)),
            SpawnBy::SpawnerHere => spawner.spawn(Subject(panic, seen)).ok(),
            SpawnBy::SpawnerElsewhere => elsewhere(|| spawner.spawn(Subject(panic, seen)).ok()),
            SpawnBy::MakerElsewhere => {
                elsewhere(|| spawn_made(&spawner, move || Subject(panic, seen)))
            }
        };
        spawned.expect("the executor is open")
    }

    /// What async-task answers with an abort: nobody holds the output of a detached task, and it
    /// panics. Documented, and tested in a child process.
    fn ends_the_process(self) -> bool {
        self.panic == PanicIn::OutputDrop
            && matches!(self.handle.0, Then::Detach)
            && self.handle.1 < When::AfterTheEnd
    }

    fn run(self) {
        let seen = Arc::new(Seen::default());
        let mut ex = Some(Executor::new());
        let mut task = Some(self.spawn(ex.as_ref().unwrap(), &seen));
        let mut cancelled = false;
        for now in [When::BeforeFirstPoll, When::BetweenPolls, When::WokenAgain, When::AfterTheEnd]
        {
            if now == When::WokenAgain {
                if let Some(waker) = seen.waker.lock().unwrap().take() {
                    if self.woken_elsewhere { elsewhere(|| waker.wake()) } else { waker.wake() }
                }
            }
            if now == self.handle.1 {
                let handle = task.take().unwrap();
                cancelled =
                    matches!(self.handle.0, Then::Drop | Then::DropElsewhere | Then::Cancel)
                        && now < When::AfterTheEnd;
                // Only a handle that holds an output can panic here, and it is the holder's panic.
                let _ = catch_unwind(AssertUnwindSafe(|| match self.handle.0 {
                    Then::Keep => task = Some(handle),
                    Then::Detach => handle.detach(),
                    Then::Drop => drop(handle),
                    Then::DropElsewhere => elsewhere(|| drop(handle)),
                    Then::Cancel => {
                        let mut cancel = Box::pin(handle.cancel());
                        let mut cx = Context::from_waker(Waker::noop());
                        let _ = cancel.as_mut().poll(&mut cx).map(drop);
                    }
                }));
            }
            if now == self.executor_goes {
                ex = None;
            }
            if let Some(ex) = ex.as_ref().filter(|_| now != When::BetweenPolls) {
                while ex.try_tick() {}
            }
        }
        drop(ex);
        self.check(&seen, task, cancelled);
    }

    fn check(self, seen: &Seen, task: Option<Task<Output>>, cancelled: bool) {
        let polls_allowed = match (self.executor_goes, self.handle.1) {
            (When::BeforeFirstPoll, _) => 0,
            (_, When::BeforeFirstPoll) if cancelled => 0,
            (When::BetweenPolls | When::WokenAgain, _) => 1,
            (_, When::BetweenPolls | When::WokenAgain) if cancelled => 1,
            _ if self.panic == PanicIn::FirstPoll => 1,
            _ => 2,
        };
        assert_eq!(seen.polls.load(Ordering::SeqCst), polls_allowed);
        let ended = polls_allowed == 2 || polls_allowed == 1 && self.panic == PanicIn::FirstPoll;
        let panicked = ended && !matches!(self.panic, PanicIn::Nothing | PanicIn::OutputDrop);
        if let Some(task) = task {
            match catch_unwind(AssertUnwindSafe(|| block_on(task.fallible()))) {
                Ok(Some(output)) => {
                    assert!(ended && !panicked);
                    let _ = catch_unwind(AssertUnwindSafe(|| drop(output)));
                }
                Ok(None) => assert!(!ended),
                Err(panic) => {
                    assert_eq!(panic.downcast_ref::<&str>(), Some(&"planned"));
                    assert!(panicked);
                }
            }
        }
        let made_by_maker = self.spawn != SpawnBy::MakerElsewhere || polls_allowed > 0;
        assert_eq!(seen.futures_dropped.load(Ordering::SeqCst), usize::from(made_by_maker));
        let made = seen.outputs_made.load(Ordering::SeqCst);
        assert_eq!(made, usize::from(polls_allowed == 2 && self.panic != PanicIn::SecondPoll));
        assert_eq!(seen.outputs_dropped.load(Ordering::SeqCst), made);
    }
}

#[test]
fn every_combination_drops_each_future_and_output_once_and_tells_the_handle() {
    let _watchdog = watchdog();
    let moments = [When::BeforeFirstPoll, When::BetweenPolls, When::WokenAgain, When::AfterTheEnd];
    let mut cases = 0;
    for panic in [
        PanicIn::Nothing,
        PanicIn::FirstPoll,
        PanicIn::SecondPoll,
        PanicIn::FutureDrop,
        PanicIn::OutputDrop,
    ] {
        for spawn in [
            SpawnBy::Owner,
            SpawnBy::SpawnerHere,
            SpawnBy::SpawnerElsewhere,
            SpawnBy::MakerElsewhere,
        ] {
            if spawn == SpawnBy::MakerElsewhere && !SPAWNS_WITH_MAKERS {
                continue;
            }
            for then in [Then::Keep, Then::Detach, Then::Drop, Then::DropElsewhere, Then::Cancel] {
                for (at, executor_goes) in
                    moments.iter().flat_map(|&at| moments.iter().map(move |&goes| (at, goes)))
                {
                    for woken_elsewhere in [false, true] {
                        let handle = (then, at);
                        let case = Case { panic, spawn, handle, executor_goes, woken_elsewhere };
                        cases += 1;
                        if cfg!(miri) && cases % 37 != 0 || case.ends_the_process() {
                            continue;
                        }
                        println!("{case:?}");
                        case.run();
                    }
                }
            }
        }
    }
    let ways = 3 + usize::from(SPAWNS_WITH_MAKERS);
    assert_eq!(cases, 5 * ways * 5 * 4 * 4 * 2);
}
