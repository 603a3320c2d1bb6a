//! Allocations per operation: what a spawn costs, and all that costs none.

use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::counting_allocator::{allocations, cost};
use crate::gate::Gate;
use crate::subject::{Executor, Task};

/// How many allocations `future` makes, and what runs on this thread meanwhile.
async fn async_cost<T>(future: impl Future<Output = T>) -> (usize, T) {
    let mut future = pin!(future);
    let mut allocated = 0;
    let output = poll_fn(|cx| {
        let (cost, poll) = cost(|| future.as_mut().poll(cx));
        allocated += cost.allocations;
        poll
    })
    .await;
    (allocated, output)
}

/// An executor that has grown its queues and slots to what the tests need.
pub(crate) fn warm<'a>() -> Executor<'a> {
    let ex = Executor::new();
    let gates: Vec<_> = (0..64).map(|_| Gate::new()).collect();
    let tasks: Vec<Task<()>> = gates.iter().map(|gate| ex.spawn(gate.wait())).collect();
    while ex.try_tick() {}
    ex.block_on(async {
        for gate in &gates {
            gate.open();
            gate.waker().wake();
        }
        for task in tasks {
            task.await;
        }
    });
    assert!(ex.is_empty());
    {
        let mut cx = Context::from_waker(Waker::noop());
        let (mut run, mut tick) = (pin!(ex.run(pending::<()>())), pin!(ex.tick()));
        assert!(run.as_mut().poll(&mut cx).is_pending());
        assert!(tick.as_mut().poll(&mut cx).is_pending());
    }
    ex
}

#[test]
fn making_an_executor_allocates_nothing() {
    assert_eq!(allocations(|| drop(Executor::new())), 0);
    assert_eq!(allocations(|| assert!(Executor::new().is_empty())), 0);
}

#[test]
fn spawning_running_and_awaiting_a_task_is_one_allocation() {
    let ex = warm();
    ex.block_on(async {
        for round in 1..100 {
            let (cost, task) = cost(|| ex.spawn(async move { round }));
            assert_eq!(cost.allocations, 1);
            let mut task = pin!(task);
            let mut polled = 0;
            let output = poll_fn(|cx| {
                let mut poll = Poll::Pending;
                polled += allocations(|| poll = task.as_mut().poll(cx));
                poll
            })
            .await;
            assert_eq!((output, polled), (round, 0));
        }
    });
    ex.block_on(async {
        let (whole, ()) = async_cost(async {
            for round in 0..100 {
                let task = ex.spawn(async move {
                    yield_now().await;
                    round
                });
                assert_eq!(task.await, round);
            }
        })
        .await;
        assert_eq!(whole, 100);
    });
}

#[test]
fn spawn_many_allocates_once_a_task() {
    let ex = warm();
    let mut tasks = Vec::with_capacity(50);
    ex.block_on(async {
        assert_eq!(allocations(|| ex.spawn_many((0..50).map(ready), &mut tasks)), 50);
    });
}

#[test]
fn a_future_of_two_kilobytes_is_boxed_and_one_below_is_not() {
    async fn with_array<const BYTES: usize>() -> u8 {
        let array = [1; BYTES];
        yield_now().await;
        array[BYTES / 2]
    }
    let ex = warm();
    ex.block_on(async {
        assert_eq!(allocations(|| ex.spawn(with_array::<1024>()).detach()), 1);
        assert_eq!(allocations(|| ex.spawn(with_array::<2048>()).detach()), 2);
        assert_eq!(allocations(|| ex.spawn(with_array::<8192>()).detach()), 2);
    });
}

#[test]
fn waking_and_yielding_inside_a_driver_allocate_nothing() {
    let ex = warm();
    let gate = Gate::new();
    let task = ex.spawn(gate.wait());
    ex.block_on(async {
        let (cost, ()) = async_cost(async {
            for _ in 0..1000 {
                yield_now().await;
                let waker = gate.waker();
                waker.wake_by_ref();
                let clone = waker.clone();
                clone.wake();
                drop(waker);
            }
        })
        .await;
        assert_eq!(cost, 0);
    });
    assert!(gate.polls() > 900);
    let yields = ex.spawn(async {
        loop {
            yield_now().await
        }
    });
    assert_eq!(allocations(|| (0..1000).for_each(|_| assert!(ex.try_tick()))), 0);
    drop((task, yields));
}

#[test]
fn drivers_allocate_nothing() {
    let ex = warm();
    let mut cx = Context::from_waker(Waker::noop());
    let cost = allocations(|| {
        for _ in 0..100 {
            assert!(!ex.try_tick());
            ex.block_on(async {});
            ex.block_on(yield_now());
            let mut run = pin!(ex.run(pending::<()>()));
            let mut tick = pin!(ex.tick());
            for _ in 0..3 {
                assert!(run.as_mut().poll(&mut cx).is_pending());
                assert!(tick.as_mut().poll(&mut cx).is_pending());
            }
        }
    });
    assert_eq!(cost, 0);
}

#[test]
fn the_first_wait_of_a_task_allocates_nothing_in_steady_state() {
    let ex = warm();
    let (gate, other) = (Gate::new(), Gate::new());
    let tasks = (ex.spawn(gate.wait()), ex.spawn(other.wait()));
    assert_eq!(allocations(|| while ex.try_tick() {}), 0);
    gate.open();
    other.open();
    assert_eq!(allocations(|| gate.waker().wake()), 0);
    assert_eq!(allocations(|| while ex.try_tick() {}), 0);
    assert_eq!(allocations(|| drop(tasks)), 0);
    assert_eq!(allocations(|| while ex.try_tick() {}), 0);
}

#[test]
fn wakes_of_a_main_future_allocate_nothing() {
    let ex = warm();
    let mut stored: Option<Waker> = None;
    let mut left = 1000;
    let cost = allocations(|| {
        ex.block_on(poll_fn(|cx| {
            if let Some(waker) = stored.take() {
                assert!(waker.will_wake(cx.waker()), "the waker is recycled");
            }
            left -= 1;
            if left == 0 {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            let clone = cx.waker().clone();
            clone.wake_by_ref();
            stored = Some(clone);
            Poll::Pending
        }));
    });
    assert_eq!(cost, 0);
}

#[test]
fn nested_drivers_keep_what_they_allocated_once() {
    let ex = warm();
    fn nest(ex: &Executor<'_>, depth: usize) {
        if depth > 0 {
            ex.block_on(async { nest(ex, depth - 1) });
        }
    }
    nest(&ex, 10);
    // Each nested `block_on` has a parker of its own: two at most, as counted in `selvedge-sync`.
    assert!(allocations(|| nest(&ex, 10)) <= 20);
    let mut drivers: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> = Vec::with_capacity(10);
    let mut round = || {
        for _ in 0..10 {
            drivers.push(Box::pin(ex.run(pending::<()>())));
        }
        let mut cx = Context::from_waker(Waker::noop());
        drivers.iter_mut().for_each(|driver| assert!(driver.as_mut().poll(&mut cx).is_pending()));
        drivers.clear();
    };
    round();
    assert_eq!(allocations(round), 10, "the boxes of the test itself");
}

#[test]
fn foreign_wakes_allocate_one_block_for_every_31() {
    const WAKES: usize = 31 * 100;
    let ex = Executor::new();
    let gates: Vec<_> = (0..WAKES).map(|_| Gate::new()).collect();
    for gate in &gates {
        ex.spawn(gate.wait()).detach();
    }
    while ex.try_tick() {}
    let wakers: Vec<_> = gates.iter().map(|gate| gate.waker()).collect();
    let cost = thread::spawn(move || {
        // The inbox and its first block come with the first wake.
        wakers[0].wake_by_ref();
        allocations(|| wakers[1..].iter().for_each(|waker| waker.wake_by_ref()))
    });
    let cost = cost.join().unwrap();
    assert!(cost <= WAKES.div_ceil(31), "{cost} allocations for {WAKES} wakes");
    assert!(allocations(|| while ex.try_tick() {}) <= 16, "the run queue grows by doubling");
    assert!(gates.iter().all(|gate| gate.polls() == 2));
}

#[test]
fn a_remote_spawn_allocates_the_task_and_its_share_of_a_block() {
    let ex = warm();
    let spawner = ex.spawner();
    let cost = thread::spawn(move || {
        spawner.spawn(ready(())).unwrap().detach();
        allocations(|| (0..310).for_each(|_| spawner.spawn(ready(())).unwrap().detach()))
    });
    let cost = cost.join().unwrap();
    assert!((310..=320).contains(&cost), "{cost} allocations for 310 spawns");
    while ex.try_tick() {}
    let spawner = ex.spawner();
    ex.block_on(async {
        assert_eq!(allocations(|| spawner.spawn(ready(())).unwrap().detach()), 1);
    });
    assert_eq!(allocations(|| drop(spawner.clone())), 0);
}
