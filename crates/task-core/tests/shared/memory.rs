//! Memory: bytes per task, and none that stays behind.

use std::future::{Future, pending, poll_fn, ready};
use std::mem::size_of_val;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_lite::future::yield_now;

use crate::counting_allocator::bytes;
use crate::gate::Gate;
use crate::subject::Executor;

const MANY: usize = if cfg!(miri) { 1000 } else { 1_000_000 };

fn run_ready(ex: &Executor<'_>) {
    while ex.try_tick() {}
}

// E17: bookkeeping that multiplies the size of a task.
#[test]
fn a_task_takes_its_future_and_a_hundred_bytes() {
    fn per_task(future: impl Future<Output = ()> + Clone + Send) -> (usize, usize) {
        let ex = Executor::new();
        let mut tasks = Vec::with_capacity(4096);
        let size = size_of_val(&future);
        let spawned = bytes(|| tasks.extend((0..4096).map(|_| ex.spawn(future.clone()))));
        let waiting = bytes(|| run_ready(&ex));
        (spawned as usize / 4096 - size, (spawned + waiting) as usize / 4096 - size)
    }
    /// Waits for ever and is as large as `N` bytes.
    #[derive(Clone)]
    struct Large<const N: usize>([u8; N]);
    impl<const N: usize> Future for Large<N> {
        type Output = ();
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            Poll::Pending
        }
    }
    // A span is what the feature `tracing` costs.
    #[cfg(feature = "tracing")]
    let span = size_of::<tracing::Span>();
    #[cfg(not(feature = "tracing"))]
    let span = 0;
    for (spawned, waiting) in
        [per_task(pending()), per_task(Large([0; 100])), per_task(Large([0; 1000]))]
    {
        assert!(spawned <= 112 + span, "{spawned} bytes beside a future that was just spawned");
        assert!(waiting <= 144 + span, "{waiting} bytes beside a future that waits");
    }
}

// What the README says, of futures that leave room for a mark of their end where that costs nothing.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_task_takes_64_bytes_beside_its_future() {
    fn beside<'a, T: Send + 'a>(
        ex: &Executor<'a>,
        future: impl Future<Output = T> + Send + 'a,
    ) -> usize {
        let size = size_of_val(&future).next_multiple_of(8);
        bytes(|| ex.spawn(future).detach()) as usize - size
    }
    #[cfg(feature = "tracing")]
    let span = size_of::<tracing::Span>();
    #[cfg(not(feature = "tracing"))]
    let span = 0;
    let ex = Executor::new();
    ex.block_on(async {
        // The queue has room then.
        (0..100).for_each(|_| ex.spawn(ready(())).detach());
        let array = [1_u8; 100];
        let captures = async move { std::hint::black_box(array)[0] };
        for beside in [beside(&ex, ready(())), beside(&ex, ready(5_u64)), beside(&ex, captures)] {
            assert!(beside <= 64 + span, "{beside} bytes beside a future");
        }
    });
}

// E17: finished tasks that are kept somewhere.
#[test]
fn a_million_spawns_leave_no_memory_behind() {
    let ex = Executor::new();
    let gate = Gate::new();
    let round = |spawns: usize| {
        ex.block_on(async {
            for i in 0..spawns {
                match i % 5 {
                    0 => ex.spawn(ready(i)).detach(),
                    1 => assert_eq!(
                        ex.spawn(async move {
                            yield_now().await;
                            i
                        })
                        .await,
                        i
                    ),
                    2 => drop(ex.spawn(pending::<()>())),
                    3 => {
                        let task = ex.spawn(gate.wait());
                        yield_now().await;
                        assert_eq!(task.cancel().await, None);
                    }
                    _ => drop(ex.spawner().spawn(ready(i)).unwrap().await),
                }
            }
            yield_now().await;
        });
        run_ready(&ex);
    };
    round(1000);
    let left = bytes(|| round(MANY));
    assert_eq!(left, 0);
    assert!(ex.is_empty());
}

#[test]
fn a_waker_or_spawner_that_outlives_the_executor_holds_a_small_block() {
    const TASKS: usize = if cfg!(miri) { 500 } else { 10_000 };
    let gate = Gate::new();
    let mut spawner = None;
    let left = bytes(|| {
        let ex = Executor::new();
        spawner = Some(ex.spawner());
        ex.spawn(gate.wait()).detach();
        for _ in 0..TASKS {
            ex.spawn(pending::<()>()).detach();
        }
        run_ready(&ex);
        for _ in 0..TASKS {
            ex.spawn(pending::<()>()).detach();
        }
    });
    assert!((1..=2048).contains(&left), "{left} bytes are held");
    gate.open();
    gate.waker().wake();
    assert_eq!(gate.polls(), 1);
    let freed = -bytes(|| drop((gate, spawner)));
    assert!(freed >= left, "{freed} of {left} bytes freed with the last waker");
}

#[test]
fn an_executor_that_is_gone_leaves_no_memory() {
    let once = || {
        let gate = Gate::new();
        let ex = Executor::new();
        let spawner = ex.spawner();
        ex.spawn(gate.wait()).detach();
        spawner.spawn(pending::<()>()).unwrap().detach();
        let mut kept = None;
        ex.block_on(poll_fn(|cx| {
            kept = Some((cx.waker().clone(), spawner.clone()));
            Poll::Ready(())
        }));
        run_ready(&ex);
        gate.waker().wake();
        let task = ex.spawn(ready(()));
        drop(ex);
        drop(task);
    };
    // The first `block_on` of a thread leaves a parker for the next one.
    once();
    assert_eq!(bytes(once), 0);
}

// futures #3005: a waker that leaks when a future is dropped unpolled.
#[test]
fn a_main_waker_that_is_cloned_and_dropped_leaves_nothing() {
    let ex = Executor::new();
    let once = || {
        let mut kept = Vec::with_capacity(8);
        ex.block_on(poll_fn(|cx| {
            kept.extend((0..8).map(|_| cx.waker().clone()));
            Poll::Ready(())
        }));
        drop(ex.run(pending::<()>()));
        drop(ex.tick());
    };
    once();
    assert_eq!(bytes(|| (0..1000).for_each(|_| once())), 0);
    let spawner = bytes(|| drop(ex.spawner()));
    assert_eq!(spawner, 0);
}
