//! Many rounds of what models see in small, on real threads.

#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::fs;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use selvedge_dispatcher::{DispatchError, Dispatcher, Guard, LaunchErrorKind};

use hold::hold;
use watchdog::watchdog;

/// Counts up in order: tasks of one producer bring 0, 1, 2, ..
#[derive(Default)]
struct InOrder(AtomicU64);

impl InOrder {
    fn see(&self, number: u64) {
        let next = self.0.swap(number + 1, Ordering::Relaxed);
        assert_eq!(next, number, "a task is missing, or out of order");
    }

    fn seen(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Launches numbered tasks until one is refused; how many were accepted.
fn launch_until_refused(guard: &Guard, order: &Arc<InOrder>, limit: u64) -> u64 {
    for number in 0..limit {
        let order = order.clone();
        if guard.launch(move || order.see(number)).is_err() {
            return number;
        }
    }
    limit
}

/// One producer of numbered tasks, which has just been started.
struct Race {
    dispatcher: Dispatcher,
    guard: Guard,
    order: Arc<InOrder>,
    producer: JoinHandle<u64>,
}

fn race(open: bool, launches: u64) -> Race {
    let dispatcher = Dispatcher::new(1_000);
    let guard = dispatcher.guard();
    let order = Arc::new(InOrder::default());
    if open {
        guard.open().unwrap();
    }
    let (other, others_order) = (guard.clone(), order.clone());
    let producer = thread::spawn(move || launch_until_refused(&other, &others_order, launches));
    Race { dispatcher, guard, order, producer }
}

#[test]
fn ten_thousand_launches_against_shutdown_run_or_come_back() {
    let _watchdog = watchdog();
    for round in 0..10_000 {
        let race = race(round % 2 == 0, 50);
        if round % 3 == 0 {
            thread::yield_now();
        }
        let report = race.guard.shutdown().unwrap();
        let accepted = race.producer.join().unwrap();
        assert_eq!((report.run, race.order.seen()), (accepted, accepted));
    }
}

#[test]
fn ten_thousand_launches_against_flush_init_run_in_order_without_a_hole() {
    let _watchdog = watchdog();
    for round in 0..10_000 {
        let race = race(false, 20);
        if round % 3 == 0 {
            thread::yield_now();
        }
        assert_eq!(race.guard.flush_init(), Ok(0));
        let first = race.order.seen();
        assert_eq!(race.producer.join().unwrap(), 20);
        race.guard.block_on_queue().unwrap();
        assert_eq!(race.order.seen(), 20);
        assert!(first <= 20);
    }
}

#[test]
fn launches_against_kill_run_are_dropped_or_come_back() {
    let _watchdog = watchdog();
    for round in 0..2_000 {
        let race = race(round % 2 == 0, 50);
        let dropped = race.guard.kill().unwrap() as u64;
        let accepted = race.producer.join().unwrap();
        assert_eq!(race.order.seen() + dropped, accepted);
        assert_eq!(Arc::strong_count(&race.order), 1, "every closure is gone");
    }
}

#[test]
fn launches_against_the_drop_of_the_dispatcher_run_are_dropped_or_come_back() {
    let _watchdog = watchdog();
    for round in 0..2_000 {
        let race = race(round % 2 == 0, 50);
        drop(race.dispatcher);
        let accepted = race.producer.join().unwrap();
        assert_eq!(race.guard.shutdown(), Err(DispatchError::Closed));
        let stats = race.guard.stats();
        assert_eq!((stats.run + stats.dropped, stats.run), (accepted, race.order.seen()));
    }
}

#[test]
fn shutdown_from_another_thread_while_tasks_launch_tasks_ends() {
    /// Launches itself again until it is refused.
    fn again(guard: &Guard, runs: &Arc<AtomicUsize>) {
        runs.fetch_add(1, Ordering::SeqCst);
        let (inner, counted) = (guard.clone(), runs.clone());
        let refused = guard.launch(move || again(&inner, &counted)).err();
        assert!(refused.is_none_or(|it| it.kind() == LaunchErrorKind::Closed));
    }
    let _watchdog = watchdog();
    for _ in 0..500 {
        let dispatcher = Dispatcher::new(10);
        let guard = dispatcher.guard();
        guard.open().unwrap();
        let runs = Arc::new(AtomicUsize::new(0));
        for _ in 0..3 {
            let (inner, counted) = (guard.clone(), runs.clone());
            guard.launch(move || again(&inner, &counted)).unwrap();
        }
        let other = guard.clone();
        let report = thread::spawn(move || other.shutdown()).join().unwrap().unwrap();
        assert_eq!(report.run, runs.load(Ordering::SeqCst) as u64);
        assert_eq!(report.left, 0);
    }
}

#[test]
fn a_launch_that_happens_before_another_one_runs_before_it() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let order = Arc::new(InOrder::default());
    let turn = AtomicU64::new(0);
    thread::scope(|scope| {
        for producer in 0..2 {
            let (guard, order, turn) = (&guard, &order, &turn);
            scope.spawn(move || {
                for number in (producer..20_000).step_by(2) {
                    while turn.load(Ordering::Acquire) != number {
                        thread::yield_now();
                    }
                    let order = order.clone();
                    guard.launch(move || order.see(number)).unwrap();
                    turn.store(number + 1, Ordering::Release);
                }
            });
        }
    });
    assert_eq!(guard.shutdown().unwrap().run, 20_000);
    assert_eq!(order.seen(), 20_000);
}

#[test]
fn every_deadline_is_kept_and_every_waiter_resolves() {
    let _watchdog = watchdog();
    for _ in 0..20 {
        let dispatcher = Dispatcher::new(1_000);
        let guard = dispatcher.guard();
        guard.open().unwrap();
        let release = hold(&guard);
        let waiting: Vec<_> = (0..6)
            .map(|number| {
                // Refused where a shutdown was quicker.
                let _ = guard.launch(|| ());
                let guard = guard.clone();
                thread::spawn(move || match number % 3 {
                    0 => guard.block_on_queue(),
                    1 => guard.block_on_queue_timeout(Duration::from_millis(1)),
                    _ => guard.shutdown_timeout(Duration::from_millis(1)).map(drop),
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(3));
        drop(release);
        for waiting in waiting {
            match waiting.join().unwrap() {
                Ok(()) | Err(DispatchError::TimedOut | DispatchError::Closed) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Kilobytes that this process has in memory, where that can be read.
fn resident() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Ten million launches in an optimised build, a twentieth in others, `SELVEDGE_SOAK` if it is set.
fn soak_launches() -> u64 {
    let set = std::env::var("SELVEDGE_SOAK").ok().and_then(|it| it.parse().ok());
    set.unwrap_or(if cfg!(debug_assertions) { 500_000 } else { 10_000_000 })
}

#[test]
fn a_soak_of_four_producers_keeps_each_ones_order_and_flat_memory() {
    let _watchdog = watchdog();
    let each = soak_launches() / 4;
    let dispatcher = Dispatcher::builder().name("soak").build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let start = Barrier::new(5);
    let orders: [Arc<InOrder>; 4] = Default::default();
    thread::scope(|scope| {
        for order in &orders {
            let (guard, start) = (&guard, &start);
            scope.spawn(move || {
                start.wait();
                for number in 0..each {
                    let order = order.clone();
                    guard.launch(move || order.see(number)).unwrap();
                    if number % 1_024 == 0 {
                        guard.block_on_queue().unwrap();
                    }
                }
            });
        }
        start.wait();
        // With what the first tenth took, the queue has all that it needs.
        while guard.stats().run < each * 4 / 10 {
            thread::sleep(Duration::from_millis(1));
        }
        let early = resident();
        while guard.stats().run < each * 4 * 9 / 10 {
            thread::sleep(Duration::from_millis(1));
        }
        if let (Some(early), Some(late)) = (early, resident()) {
            assert!(late < early + 32 * 1024, "grew from {early} KB to {late} KB");
        }
    });
    let report = guard.shutdown().unwrap();
    assert_eq!(report.run, each * 4);
    assert_eq!(guard.stats().panicked, 0, "each producer's tasks ran in order");
    orders.iter().for_each(|order| assert_eq!(order.seen(), each));
}

#[test]
fn random_mixes_of_verbs_lose_nothing() {
    let _watchdog = watchdog();
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..300 {
        let dispatcher = Dispatcher::builder().max_queue_size(64).spin(random.u32(..3)).build();
        let dispatcher = dispatcher.unwrap();
        let guard = dispatcher.guard();
        let (accepted, cancelled) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                let (guard, accepted, cancelled) = (&guard, &accepted, &cancelled);
                let mut random = random.fork();
                scope.spawn(move || {
                    for _ in 0..40 {
                        step(guard, &mut random, accepted, cancelled);
                    }
                });
            }
        });
        guard.shutdown().ok();
        let stats = guard.stats();
        let all = stats.run + stats.dropped + stats.evicted + cancelled.into_inner();
        assert_eq!((stats.queued, all), (0, accepted.into_inner()), "seed {seed}");
    }
}

/// One verb, most of the time a launch.
fn step(guard: &Guard, random: &mut fastrand::Rng, accepted: &AtomicU64, cancelled: &AtomicU64) {
    let count = |counter: &AtomicU64| _ = counter.fetch_add(1, Ordering::SeqCst);
    match random.u32(..60) {
        0..30 => {
            let words = [7u64; 12];
            if guard.launch(move || _ = black_box(words)).is_ok() {
                count(accepted);
            }
        }
        30..45 => {
            if let Ok(handle) = guard.launch_with_handle(|| 1) {
                count(accepted);
                if random.bool() && handle.cancel() {
                    count(cancelled);
                }
            }
        }
        45..50 => drop(guard.flush_init_timeout(Duration::from_micros(50))),
        50..55 => drop(guard.block_on_queue_timeout(Duration::from_micros(50))),
        55..57 => drop(guard.open()),
        57 => drop(guard.shutdown_timeout(Duration::from_micros(50))),
        58 => drop(guard.flush()),
        _ => _ = guard.stats(),
    }
}
