//! Code of a driver's caller that blocks its thread: the main future, and each function of a waker.
//!
//! Another driver sleeps meanwhile, and must hear of the work that is left, or comes.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};
use std::thread;

use async_channel::bounded;
use selvedge_executor::{Executor, StaticExecutor};

use self::watchdog::watchdog;

/// An executor, and what starts further drivers of it.
#[derive(Clone)]
struct Drivers {
    ex: &'static StaticExecutor,
    stopped: async_channel::Receiver<()>,
}

impl Drivers {
    /// None yet. They end when the sender is dropped.
    fn new() -> (Self, async_channel::Sender<()>) {
        let (stop, stopped) = bounded(1);
        (Self { ex: Executor::new().leak(), stopped }, stop)
    }

    /// Starts one more, and waits until it sleeps.
    fn start(&self) {
        let (ex, stopped) = (self.ex, self.stopped.clone());
        let before = sleepers(ex);
        thread::spawn(move || ex.block_on(stopped.recv()));
        while sleepers(ex) == before {
            thread::yield_now();
        }
    }
}

fn sleepers(ex: &StaticExecutor) -> usize {
    let shown = format!("{ex:?}");
    let (_, count) = shown.split_once("sleeping: ").expect("it shows how many sleep");
    count.trim_end_matches(" }").parse().expect("a number at the end")
}

/// Ends on any thread but this one; here it wakes itself for ever, after a call of `before`.
///
/// A driver that the first call starts, and that sleeps when it returns, is told of nothing.
fn elsewhere(mut before: impl FnMut() + Send) -> impl Future<Output = ()> + Send {
    let here = thread::current().id();
    poll_fn(move |cx| {
        if thread::current().id() != here {
            return Poll::Ready(());
        }
        before();
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Calls it once.
fn first(f: impl FnOnce()) -> impl FnMut() {
    let mut f = Some(f);
    move || {
        if let Some(f) = f.take() {
            f();
        }
    }
}

type Hook = Mutex<Option<Box<dyn FnOnce() + Send>>>;

/// What the functions of a waker do, the first time that they are called.
#[derive(Default)]
struct Hooks {
    clone: Hook,
    wake: Hook,
    drop: Hook,
}

fn once(hook: impl FnOnce() + Send + 'static) -> Hook {
    Mutex::new(Some(Box::new(hook)))
}

fn call(hook: &Hook) {
    let hook = hook.lock().unwrap().take();
    if let Some(hook) = hook {
        hook();
    }
}

impl Hooks {
    fn waker(self) -> Waker {
        let data = Arc::into_raw(Arc::new(self));
        // SAFETY: the functions of the table count references of the `Arc` that this is one of.
        unsafe { Waker::new(data.cast(), &VTABLE) }
    }
}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called on a live waker, which holds a reference.
    call(unsafe { &(*data.cast::<Hooks>()).clone });
    // SAFETY: as above.
    unsafe { Arc::increment_strong_count(data.cast::<Hooks>()) };
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: called on a live waker, whose reference ends here.
    let hooks = unsafe { Arc::from_raw(data.cast::<Hooks>()) };
    call(&hooks.wake);
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: called on a live waker, which holds a reference.
    call(unsafe { &(*data.cast::<Hooks>()).wake });
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: called on a live waker, whose reference ends here.
    let hooks = unsafe { Arc::from_raw(data.cast::<Hooks>()) };
    call(&hooks.drop);
}

#[test]
fn a_main_future_may_block_until_a_task_that_yielded_before_it_has_run() {
    let _watchdog = watchdog();
    let (drivers, _stop) = Drivers::new();
    let ex = drivers.ex;
    let (ran, has_run) = channel();
    let mut polls = 0;
    ex.block_on(poll_fn(|cx| {
        polls += 1;
        if polls == 1 {
            let (drivers, ran, main) = (drivers.clone(), ran.clone(), cx.waker().clone());
            let mut start = first(move || drivers.start());
            let task = elsewhere(move || {
                start();
                main.wake_by_ref();
            });
            ex.spawn(async move {
                task.await;
                ran.send(()).unwrap();
            })
            .detach();
            return Poll::Pending;
        }
        has_run.recv().unwrap();
        Poll::Ready(())
    }));
}

#[test]
fn a_waker_that_blocks_when_a_run_asks_for_a_turn_holds_up_no_task() {
    let _watchdog = watchdog();
    let (drivers, _stop) = Drivers::new();
    let ex = drivers.ex;
    let (ran, has_run) = channel();
    let task = elsewhere(first(move || drivers.start()));
    ex.spawn(async move {
        task.await;
        ran.send(()).unwrap();
    })
    .detach();
    let blocks = Hooks { wake: once(move || has_run.recv().unwrap()), ..Hooks::default() };
    let caller = blocks.waker();
    let mut run = pin!(ex.run(pending::<()>()));
    assert!(run.as_mut().poll(&mut Context::from_waker(&caller)).is_pending());
}

/// A `run` looks around, since another driver is in the middle of a poll, finds nothing and goes to
/// sleep. `caller` makes its waker of what spawns from outside, and what blocks until that has run.
fn goes_to_sleep_after_a_search(
    caller: impl FnOnce(Box<dyn FnOnce() + Send>, Box<dyn FnOnce() + Send>) -> Hooks,
) {
    let (drivers, _stop) = Drivers::new();
    let ex = drivers.ex;
    drivers.start();
    let (busy, is_busy) = channel();
    let (release, released): (Sender<()>, Receiver<()>) = channel();
    ex.spawn(async move {
        busy.send(()).unwrap();
        let _ = released.recv();
    })
    .detach();
    is_busy.recv().unwrap();
    drivers.start();
    let (ran, has_run) = channel();
    let post = move || {
        let spawn = || ex.spawn(async move { ran.send(()).unwrap() }).detach();
        thread::scope(|scope| scope.spawn(spawn).join().unwrap());
    };
    let wait = move || has_run.recv().unwrap();
    let caller = caller(Box::new(post), Box::new(wait)).waker();
    let mut run = pin!(ex.run(pending::<()>()));
    assert!(run.as_mut().poll(&mut Context::from_waker(&caller)).is_pending());
    drop(release);
}

#[test]
fn a_waker_that_blocks_when_it_is_cloned_keeps_no_work_from_others() {
    let _watchdog = watchdog();
    goes_to_sleep_after_a_search(|post, wait| {
        let clone = once(move || {
            post();
            wait();
        });
        Hooks { clone, ..Hooks::default() }
    });
}

#[test]
fn a_waker_that_blocks_when_it_is_dropped_keeps_no_work_from_others() {
    let _watchdog = watchdog();
    goes_to_sleep_after_a_search(|post, wait| Hooks {
        clone: once(post),
        drop: once(wait),
        ..Hooks::default()
    });
}

#[test]
fn a_waker_that_blocks_when_it_is_woken_keeps_no_later_wake_from_others() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let (inside, is_inside) = channel();
    let (release, released): (Sender<()>, Receiver<()>) = channel();
    let (told, is_told) = channel();
    let blocks = once(move || {
        inside.send(()).unwrap();
        let _ = released.recv();
    });
    let first = Hooks { wake: blocks, ..Hooks::default() }.waker();
    let second = Hooks { wake: once(move || told.send(()).unwrap()), ..Hooks::default() }.waker();
    let mut held_up = pin!(ex.run(pending::<()>()));
    assert!(held_up.as_mut().poll(&mut Context::from_waker(&first)).is_pending());
    let mut run = pin!(ex.run(pending::<()>()));
    assert!(run.as_mut().poll(&mut Context::from_waker(&second)).is_pending());
    thread::scope(|scope| {
        scope.spawn(|| ex.spawn(async {}).detach());
        is_inside.recv().unwrap();
        scope.spawn(|| ex.spawn(async {}).detach());
        is_told.recv().unwrap();
        drop(release);
    });
}
