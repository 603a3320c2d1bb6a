//! Random mixes of drivers on several threads, while tasks spawn, yield, wake each other and panic.
//!
//! Every task is counted. `SELVEDGE_STRESS_SECONDS` sets how long it goes on (three seconds), and
//! `SELVEDGE_STRESS_SEED` where it begins.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::env;
use std::future::{Future, pending, poll_fn};
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_lite::future::{block_on, yield_now};
use selvedge_executor::{Executor, Task};

use self::watchdog::watchdog_for;

/// What became of the tasks.
#[derive(Default)]
struct Census {
    spawned: AtomicUsize,
    /// Futures that were dropped, whatever they had come to.
    dropped: AtomicUsize,
    completed: AtomicUsize,
    panicked: AtomicUsize,
    polls: AtomicUsize,
}

/// Part of every future: counts its end, once.
struct Counted(Arc<World>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.census.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// What all tasks and threads of a round share.
#[derive(Default)]
struct World {
    census: Census,
    /// Wakers of tasks that wait to be woken by anybody.
    waiting: Mutex<Vec<Waker>>,
    over: AtomicBool,
}

impl World {
    fn wake_some(&self, rng: &mut Rng) {
        let waker = {
            let mut waiting = self.waiting.lock().unwrap();
            let count = waiting.len();
            (count > 0).then(|| waiting.swap_remove(rng.usize(..count)))
        };
        if let Some(waker) = waker {
            if rng.bool() { waker.wake() } else { waker.wake_by_ref() }
        }
    }

    /// Waits until somebody wakes this task, or the round is over.
    async fn wait(&self) {
        let mut waited = false;
        poll_fn(|cx| {
            if waited || self.over.load(Ordering::SeqCst) {
                return Poll::Ready(());
            }
            waited = true;
            self.waiting.lock().unwrap().push(cx.waker().clone());
            if self.over.load(Ordering::SeqCst) {
                cx.waker().wake_by_ref();
            }
            Poll::Pending
        })
        .await;
    }
}

type Ex = Executor<'static>;

/// A task that does some random things, and has children down to a depth.
fn spawn(ex: &Arc<Ex>, world: &Arc<World>, seed: u64, depth: usize) -> Task<usize> {
    world.census.spawned.fetch_add(1, Ordering::Relaxed);
    let weak = Arc::downgrade(ex);
    let counted = Counted(world.clone());
    ex.spawn(life(weak, counted, seed, depth))
}

fn life(
    ex: std::sync::Weak<Ex>,
    counted: Counted,
    seed: u64,
    depth: usize,
) -> Pin<Box<dyn Future<Output = usize> + Send>> {
    Box::pin(async move {
        let world = counted.0.clone();
        let mut rng = Rng::with_seed(seed);
        let mut children = Vec::new();
        for _ in 0..rng.usize(1..6) {
            world.census.polls.fetch_add(1, Ordering::Relaxed);
            match rng.usize(..10) {
                0..3 => yield_now().await,
                3 => world.wait().await,
                4 => world.wake_some(&mut rng),
                5..8 if depth > 0 => {
                    // Never the last owner: that is the thread that ends the round.
                    if let Some(ex) = ex.upgrade() {
                        let child = spawn(&ex, &world, rng.u64(..), depth - 1);
                        match rng.usize(..4) {
                            0 => child.detach(),
                            1 => drop(child),
                            _ => children.push(child),
                        }
                    }
                }
                8 if rng.u8(..20) == 0 => {
                    world.census.panicked.fetch_add(1, Ordering::Relaxed);
                    resume_unwind(Box::new("planned"));
                }
                _ => {
                    if let Some(child) = children.pop() {
                        // A child that panics takes its parent with it.
                        child.fallible().await;
                    }
                }
            }
        }
        world.census.completed.fetch_add(1, Ordering::Relaxed);
        seed as usize
    })
}

/// Wakes the thread that polls by hand.
struct Unpark(thread::Thread, AtomicBool);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.store(true, Ordering::SeqCst);
        self.0.unpark();
    }
}

/// Drives the executor in random ways until the round is over.
fn drive(ex: &Ex, world: &World, mut rng: Rng) {
    let unpark = Arc::new(Unpark(thread::current(), AtomicBool::new(true)));
    let waker = Waker::from(unpark.clone());
    let mut cx = Context::from_waker(&waker);
    let mut drivers: Vec<Pin<Box<dyn Future<Output = ()> + Send + '_>>> = Vec::new();
    while !world.over.load(Ordering::SeqCst) {
        match rng.usize(..12) {
            0..3 => drop((0..rng.usize(..20)).all(|_| ex.try_tick())),
            3 if drivers.len() < 4 => drivers.push(Box::pin(ex.run(pending()))),
            4 if drivers.len() < 4 => drivers.push(Box::pin(ex.tick())),
            5 if !drivers.is_empty() => drop(drivers.swap_remove(rng.usize(..drivers.len()))),
            6 => world.wake_some(&mut rng),
            7 if rng.u8(..30) == 0 => {
                let (mut left, mut rng) = (rng.usize(1..50), rng.fork());
                block_on(ex.run(async {
                    while left > 0 && !world.over.load(Ordering::SeqCst) {
                        left -= 1;
                        world.wake_some(&mut rng);
                        yield_now().await;
                    }
                }));
            }
            8 if rng.u8(..30) == 0 => ex.block_on(async { yield_now().await }),
            _ if !drivers.is_empty() => {
                let index = rng.usize(..drivers.len());
                if drivers[index].as_mut().poll(&mut cx).is_ready() {
                    drop(drivers.swap_remove(index));
                }
            }
            _ => thread::yield_now(),
        }
    }
}

/// One executor's life. Returns how many polls of its tasks there were, roughly.
fn round(rng: &mut Rng) -> usize {
    let world = Arc::new(World::default());
    let ex = Arc::new(Executor::new());
    let threads = rng.usize(1..=8);
    let roots = rng.usize(1..60);
    let abrupt = rng.bool();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (ex, world, rng) = (&*ex, &*world, rng.fork());
            scope.spawn(move || drive(ex, world, rng));
        }
        let tasks: Vec<_> =
            (0..roots).map(|_| spawn(&ex, &world, rng.u64(..), rng.usize(..5))).collect();
        if abrupt {
            thread::sleep(Duration::from_micros(rng.u64(..2000)));
        } else {
            // Nobody stops waking and driving until every root has come to its end.
            for task in tasks {
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    let mut task = task;
                    let parked = thread::current();
                    let waker = Waker::from(Arc::new(Unpark(parked, AtomicBool::new(false))));
                    while Pin::new(&mut task).poll(&mut Context::from_waker(&waker)).is_pending() {
                        world.wake_some(rng);
                        thread::park_timeout(Duration::from_millis(1));
                    }
                }));
                drop(ended);
            }
        }
        world.over.store(true, Ordering::SeqCst);
    });
    if !abrupt {
        // Whatever is left is reached by wakes and ticks alone.
        for waker in std::mem::take(&mut *world.waiting.lock().unwrap()) {
            waker.wake();
        }
        while ex.try_tick() {}
        assert!(ex.is_empty(), "{ex:?}: a task was lost");
    }
    let census = &world.census;
    let late: Vec<_> = std::mem::take(&mut *world.waiting.lock().unwrap());
    let waking = thread::spawn(move || late.into_iter().for_each(Waker::wake));
    drop(Arc::into_inner(ex).expect("no task keeps its executor"));
    let (spawned, dropped) =
        (census.spawned.load(Ordering::SeqCst), census.dropped.load(Ordering::SeqCst));
    assert_eq!(spawned, dropped, "futures spawned, and dropped when the executor was gone");
    waking.join().unwrap();
    let ended = census.completed.load(Ordering::SeqCst) + census.panicked.load(Ordering::SeqCst);
    assert!(ended <= spawned, "a task ended twice");
    assert_eq!(Arc::strong_count(&world), 1, "something of the round is left");
    census.polls.load(Ordering::SeqCst)
}

fn from_env(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn no_task_is_lost_or_doubled_in_random_mixes_of_drivers() {
    let seconds = from_env("SELVEDGE_STRESS_SECONDS").unwrap_or(3);
    let _watchdog = watchdog_for(Duration::from_secs(seconds + 120));
    let seed = from_env("SELVEDGE_STRESS_SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let mut rng = Rng::with_seed(seed);
    let start = Instant::now();
    let (mut rounds, mut steps) = (0, 0);
    while rounds == 0 || start.elapsed() < Duration::from_secs(seconds) {
        steps += round(&mut rng);
        rounds += 1;
    }
    println!("{rounds} executors, {steps} steps of tasks");
}
