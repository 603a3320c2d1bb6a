//! Panics of polls, destructors and outputs: who is told, and what ends the process.

use std::future::{Future, pending, poll_fn, ready};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;

use futures_lite::future::{block_on, yield_now};

use crate::child::{in_child, text};
use crate::dropped::Dropped;
use crate::subject::{Executor, Shared, Task};
use crate::watchdog::watchdog;

/// Panics in its destructor.
struct Bomb(&'static str);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_any(self.0);
    }
}

/// Completes at once; its destructor panics.
struct BombFuture<T>(Option<T>, #[expect(dead_code, reason = "for its destructor")] Bomb);

impl<T: Unpin> Future for BombFuture<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        Poll::Ready(self.0.take().expect("polled once"))
    }
}

/// What panicked, by the payload of `panic_any` or the message.
fn caught<T>(f: impl FnOnce() -> T) -> &'static str {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("no panic") };
    payload.downcast_ref::<&'static str>().copied().expect("a static text")
}

fn run_ready(ex: &Executor<'_>) {
    while ex.try_tick() {}
}

fn still_works(ex: &Executor<'_>) {
    let waits = ex.spawn(yield_now());
    let spawner = ex.spawner();
    let afar = thread::spawn(move || spawner.spawn(async { 1 }).unwrap());
    let sum = ex.block_on(async {
        waits.await;
        afar.join().unwrap().await + ex.spawn(ready(1)).await
    });
    assert_eq!(sum, 2);
}

// E18: one clear rule for each place where user code may panic.
#[test]
fn a_panic_in_poll_reaches_whoever_awaits_the_task() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let first: Task<()> = ex.spawn(async { panic_any("first poll") });
    let later: Task<()> = ex.spawn(async {
        yield_now().await;
        panic_any("later poll")
    });
    run_ready(&ex);
    assert!(ex.is_empty());
    assert_eq!(caught(|| block_on(first)), "first poll");
    assert_eq!(caught(|| ex.block_on(later)), "later poll");
    still_works(&ex);
}

#[test]
fn the_panic_of_a_detached_task_ends_with_its_message() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    let guard = dropped.guard();
    ex.spawn(async move {
        let _guard = guard;
        panic_any("nobody to tell")
    })
    .detach();
    assert!(ex.try_tick());
    assert_eq!(dropped.count(), 1);
    still_works(&ex);
}

#[test]
fn a_panic_in_the_destructor_of_a_completed_future_reaches_the_task() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    let task = ex.spawn(BombFuture(Some(dropped.guard()), Bomb("completed")));
    let detached = BombFuture(Some(dropped.guard()), Bomb("completed and detached"));
    ex.spawn(detached).detach();
    let both = ex.spawn(BombFuture(Some(Bomb("output too")), Bomb("future")));
    run_ready(&ex);
    assert!(ex.is_empty());
    assert_eq!(dropped.count(), 2, "the output goes when a panic takes its place");
    assert_eq!(caught(|| ex.block_on(task)), "completed");
    assert_eq!(caught(|| ex.block_on(both)), "future");
    still_works(&ex);
}

#[test]
fn a_panic_in_the_destructor_after_a_panic_in_poll_leaves_the_first_one() {
    let _watchdog = watchdog();
    struct Both(#[expect(dead_code, reason = "for its destructor")] Bomb);
    impl Future for Both {
        type Output = ();
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            panic_any("poll")
        }
    }
    let ex = Executor::new();
    let task = ex.spawn(Both(Bomb("destructor")));
    run_ready(&ex);
    assert!(ex.is_empty());
    assert_eq!(caught(|| ex.block_on(task)), "poll");
    still_works(&ex);
}

#[test]
fn a_panic_in_the_destructor_of_a_cancelled_future_ends_with_its_message() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    for polled in [false, true] {
        let spawn = || {
            let bomb = Bomb("cancelled");
            ex.spawn(async move {
                let _bomb = bomb;
                pending::<()>().await
            })
        };
        let (dropped, cancelled) = (spawn(), spawn());
        if polled {
            run_ready(&ex);
        }
        drop(dropped);
        assert_eq!(ex.block_on(cancelled.cancel()), None);
        run_ready(&ex);
        assert!(ex.is_empty());
    }
    still_works(&ex);
}

#[test]
fn panics_in_destructors_do_not_stop_the_drop_of_an_executor() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    for i in 0..30 {
        let (bomb, guard) = (Bomb("executor drop"), dropped.guard());
        ex.spawn(async move {
            let _both = (guard, bomb);
            pending::<()>().await
        })
        .detach();
        if i == 15 {
            run_ready(&ex);
        }
    }
    drop(ex);
    assert_eq!(dropped.count(), 30);
}

#[test]
fn a_panic_in_the_destructor_of_an_output_is_its_holders_own() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let (taken, dropped) = (ex.spawn(ready(Bomb("taken"))), ex.spawn(ready(Bomb("not taken"))));
    run_ready(&ex);
    assert_eq!(caught(|| drop(ex.block_on(taken))), "taken");
    assert_eq!(caught(|| drop(dropped)), "not taken");
    still_works(&ex);
}

#[test]
fn a_panic_of_the_main_future_leaves_the_executor_usable() {
    let _watchdog = watchdog();
    let ex = Shared::new(Executor::new());
    assert_eq!(caught(|| ex.block_on(async { panic_any("at once") })), "at once");
    let queued = ex.spawn(ready(4));
    let main = async {
        yield_now().await;
        panic_any("later")
    };
    assert_eq!(caught(|| ex.block_on(main)), "later");
    let inner = ex.clone();
    let nested = ex.spawn(async move { inner.block_on(async { panic_any("nested") }) });
    assert_eq!(caught(|| ex.block_on(nested)), "nested");
    assert_eq!(ex.block_on(queued), 4);
    still_works(&ex);
}

#[test]
fn a_panic_of_an_iterator_or_a_collection_reaches_the_caller_of_spawn_many() {
    let _watchdog = watchdog();
    struct Two(Vec<Task<i32>>);
    impl Extend<Task<i32>> for Two {
        fn extend<I: IntoIterator<Item = Task<i32>>>(&mut self, tasks: I) {
            self.0.extend(tasks.into_iter().take(2));
            panic_any("collection");
        }
    }
    let ex = Executor::new();
    let mut tasks = Vec::new();
    let futures = (0..50).map(|i| if i == 25 { panic_any("iterator") } else { ready(i) });
    assert_eq!(caught(|| ex.spawn_many(futures, &mut tasks)), "iterator");
    assert_eq!(tasks.len(), 25);
    let mut two = Two(Vec::new());
    assert_eq!(caught(|| ex.spawn_many((0..50).map(ready), &mut two)), "collection");
    let sum = ex.block_on(async {
        let mut sum = 0;
        for task in tasks.into_iter().chain(two.0) {
            sum += task.await;
        }
        sum
    });
    assert_eq!(sum, (0..25).sum::<i32>() + 1);
    assert!(ex.is_empty());
    still_works(&ex);
}

#[test]
fn a_payload_that_panics_in_its_own_destructor_is_contained() {
    let _watchdog = watchdog();
    struct Explosive;
    impl Drop for Explosive {
        fn drop(&mut self) {
            panic_any(Bomb("payload"));
        }
    }
    let ex = Executor::new();
    for cancelled in [true, false] {
        let explosive = Explosive;
        let task = ex.spawn(async move {
            let _explosive = explosive;
            pending::<()>().await
        });
        run_ready(&ex);
        if cancelled {
            drop(task)
        } else {
            task.detach()
        }
        run_ready(&ex);
    }
    still_works(&ex);
    drop(ex);
}

// What async-task answers with an abort is documented, and so is tested in a process of its own.
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn an_output_that_panics_when_a_detached_task_drops_it_ends_the_process() {
    let test = "panics::an_output_that_panics_when_a_detached_task_drops_it_ends_the_process";
    let child = in_child(test, || {
        let ex = Executor::new();
        ex.spawn(ready(Bomb("detached output"))).detach();
        ex.try_tick();
    });
    assert!(!child.status.success());
    assert!(!text(&child).contains("lived on"), "{}", text(&child));
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn a_panic_with_nobody_to_tell_leaves_its_message_and_the_process() {
    let child =
        in_child("panics::a_panic_with_nobody_to_tell_leaves_its_message_and_the_process", || {
            let ex = Executor::new();
            ex.spawn(async { panic!("message of a detached task") }).detach();
            run_ready(&ex);
            let bomb = poll_fn({
                let bomb = Bomb("message of an executor drop");
                move |_| {
                    let _bomb = &bomb;
                    Poll::<()>::Pending
                }
            });
            ex.spawn(bomb).detach();
        });
    assert!(child.status.success(), "{}", text(&child));
    for message in ["message of a detached task", "message of an executor drop", "lived on"] {
        assert!(text(&child).contains(message), "{message}: {}", text(&child));
    }
}
