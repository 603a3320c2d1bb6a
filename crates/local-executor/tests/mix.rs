//! A seeded random mix of drivers and tasks. `SELVEDGE_SEED=n` repeats a run, as far as threads allow.

#[path = "../../task-core/tests/shared/support/by_hand.rs"]
mod by_hand;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::cell::{Cell, RefCell};
use std::future::{Future, pending, poll_fn};
use std::panic::resume_unwind;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use async_channel::{Receiver, Sender};
use fastrand::Rng;
use futures_lite::future::yield_now;
use selvedge_local_executor::{LocalExecutor, Spawner, Task};

use self::by_hand::ByHand;
use self::dropped::{DropGuard, Dropped};
use self::watchdog::watchdog;

const ROUNDS: u64 = if cfg!(miri) { 4 } else { 2000 };
const STEPS: usize = 150;
const MOST_TASKS: usize = 60;

/// One wait of one task.
#[derive(Clone)]
struct Wait {
    waker: Waker,
    woken: Arc<AtomicBool>,
}

impl Wait {
    fn end(self, twice: bool) {
        self.woken.store(true, Ordering::SeqCst);
        if twice {
            self.waker.wake_by_ref();
        }
        self.waker.wake();
    }
}

/// What the other threads are asked to do.
enum Errand {
    Wake(Wait),
    DropWaker(Wait),
    Spawn(Spawner, DropGuard),
    Cancel(Task<()>),
}

#[derive(Default)]
struct Elsewhere {
    done: AtomicUsize,
    accepted: AtomicUsize,
    /// What came back, to be dropped where it was made.
    refused: Mutex<Vec<Box<dyn Send>>>,
}

fn run_errands(errands: &Receiver<Errand>, elsewhere: &Elsewhere) {
    while let Ok(errand) = errands.recv_blocking() {
        match errand {
            Errand::Wake(wait) => wait.end(elsewhere.done.load(Ordering::Relaxed) % 2 == 0),
            Errand::DropWaker(wait) => drop(wait),
            Errand::Cancel(task) => drop(task),
            Errand::Spawn(spawner, guard) => {
                let future = async move {
                    let _guard = guard;
                    yield_now().await;
                };
                match spawner.spawn(future) {
                    Ok(task) => {
                        elsewhere.accepted.fetch_add(1, Ordering::SeqCst);
                        task.detach();
                    }
                    Err(refusal) => {
                        elsewhere.refused.lock().unwrap().push(Box::new(refusal.into_inner()));
                    }
                }
            }
        }
        elsewhere.done.fetch_add(1, Ordering::SeqCst);
    }
}

/// What the tasks of one round share.
struct World {
    ex: Weak<LocalExecutor<'static>>,
    rng: RefCell<Rng>,
    /// Waits that a task of this thread may end.
    here: RefCell<Vec<Wait>>,
    /// The flags of all waits that have not been resumed, or given up.
    open: RefCell<Vec<Weak<Arc<AtomicBool>>>>,
    tasks: RefCell<Vec<Task<()>>>,
    dropped: Arc<Dropped>,
    spawned: Cell<usize>,
    depth: Cell<usize>,
    errands: Sender<Errand>,
    sent: Cell<usize>,
}

impl World {
    fn below(&self, limit: usize) -> usize {
        self.rng.borrow_mut().usize(..limit)
    }

    fn send(&self, errand: Errand) {
        self.sent.set(self.sent.get() + 1);
        self.errands.try_send(errand).unwrap_or_else(|_| panic!("the threads are there"));
    }

    fn take<T>(&self, from: &RefCell<Vec<T>>) -> Option<T> {
        let len = from.borrow().len();
        (len > 0).then(|| from.borrow_mut().swap_remove(self.below(len)))
    }

    fn spawn(self: &Rc<Self>) {
        let Some(ex) = self.ex.upgrade() else { return };
        if self.spawned.get() >= MOST_TASKS {
            return;
        }
        self.spawned.set(self.spawned.get() + 1);
        let (world, guard) = (self.clone(), self.dropped.guard());
        let task = ex.spawn(async move {
            let _guard = guard;
            live(world).await;
        });
        if self.below(3) == 0 { task.detach() } else { self.tasks.borrow_mut().push(task) }
    }

    /// Waits until somebody ends the wait, here or elsewhere.
    async fn wait(&self) {
        let woken = Rc::new(Arc::new(AtomicBool::new(false)));
        self.open.borrow_mut().push(Rc::downgrade(&woken));
        let mut registered = false;
        poll_fn(|cx| {
            if woken.load(Ordering::SeqCst) {
                return Poll::Ready(());
            }
            if !std::mem::replace(&mut registered, true) {
                let wait = Wait { waker: cx.waker().clone(), woken: Arc::clone(&woken) };
                match self.below(4) {
                    0 => self.send(Errand::DropWaker(wait)),
                    1 | 2 => self.send(Errand::Wake(wait)),
                    _ => self.here.borrow_mut().push(wait),
                }
            }
            Poll::Pending
        })
        .await;
    }

    fn nest(&self) {
        let Some(ex) = self.ex.upgrade().filter(|_| self.depth.get() < 4) else { return };
        self.depth.set(self.depth.get() + 1);
        match self.below(4) {
            0 => ex.block_on(yield_now()),
            1 => drop(ex.try_tick()),
            2 => drop(ByHand::new(ex.run(pending())).poll()),
            _ => {
                let mut tick = ByHand::new(ex.tick());
                if tick.poll().is_pending() {
                    tick.cancel();
                }
            }
        }
        self.depth.set(self.depth.get() - 1);
    }
}

/// The life of a task.
fn live(world: Rc<World>) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async move {
        for _ in 0..world.below(8) {
            match world.below(12) {
                0..=2 => yield_now().await,
                3..=5 => world.wait().await,
                6 => {
                    if let Some(wait) = world.take(&world.here) {
                        wait.end(world.below(2) == 0);
                    }
                }
                7 => world.spawn(),
                8 => drop(world.take(&world.tasks)),
                9 => {
                    if let Some(task) = world.take(&world.tasks) {
                        task.fallible().await;
                    }
                }
                10 => world.nest(),
                _ if world.below(4) == 0 => resume_unwind(Box::new("a task's panic, untold")),
                _ => {
                    if let Some(task) = world.take(&world.tasks) {
                        world.send(Errand::Cancel(task));
                    }
                }
            }
        }
    })
}

fn settle(world: &World, elsewhere: &Elsewhere) {
    while elsewhere.done.load(Ordering::SeqCst) < world.sent.get() {
        thread::yield_now();
    }
}

/// Runs whatever is ready when all other threads are at rest.
fn drain(
    ex: &LocalExecutor<'_>,
    world: &World,
    elsewhere: &Elsewhere,
    drivers: &[(ByHand<'_>, usize)],
) {
    settle(world, elsewhere);
    let unwoken = drivers.iter().any(|(driver, before)| driver.wakes() == *before);
    let was_ready = ex.try_tick();
    assert!(!(was_ready && unwoken), "a driver sleeps while a task is ready");
    loop {
        while ex.try_tick() {}
        settle(world, elsewhere);
        if !ex.try_tick() {
            break;
        }
    }
    let mut open = world.open.borrow_mut();
    open.retain(|wait| wait.strong_count() > 0);
    let lost = open.iter().filter_map(Weak::upgrade).any(|woken| woken.load(Ordering::SeqCst));
    assert!(!lost, "a task was woken and is not polled");
}

fn round(seed: u64, errands: &Sender<Errand>, elsewhere: &Elsewhere) {
    let sent = elsewhere.done.load(Ordering::SeqCst);
    let accepted = elsewhere.accepted.load(Ordering::SeqCst);
    let ex = Rc::new(LocalExecutor::new());
    let world = Rc::new(World {
        ex: Rc::downgrade(&ex),
        rng: RefCell::new(Rng::with_seed(seed)),
        here: RefCell::default(),
        open: RefCell::default(),
        tasks: RefCell::default(),
        dropped: Dropped::new(),
        spawned: Cell::new(0),
        depth: Cell::new(0),
        errands: errands.clone(),
        sent: Cell::new(sent),
    });
    {
        let mut drivers: Vec<(ByHand<'_>, usize)> = Vec::new();
        for _ in 0..STEPS {
            match world.below(10) {
                0 | 1 => world.spawn(),
                2 => drop(ex.try_tick()),
                3 => ex.block_on(yield_now()),
                4 if drivers.len() < 4 => {
                    let run = world.below(2) == 0;
                    let mut driver =
                        if run { ByHand::new(ex.run(pending())) } else { ByHand::new(ex.tick()) };
                    if driver.poll().is_pending() {
                        drivers.push((driver, 0));
                    }
                }
                5 if !drivers.is_empty() => {
                    let index = world.below(drivers.len());
                    drivers.swap_remove(index);
                }
                6 if !drivers.is_empty() => {
                    let index = world.below(drivers.len());
                    let (driver, before) = &mut drivers[index];
                    *before = driver.wakes();
                    if driver.poll().is_ready() {
                        drivers.swap_remove(index);
                    }
                }
                7 => world.send(Errand::Spawn(ex.spawner(), world.dropped.guard())),
                8 => drop(world.take(&world.tasks)),
                9 if world.below(4) == 0 => drain(&ex, &world, elsewhere, &drivers),
                _ => {
                    if let Some(wait) = world.take(&world.here) {
                        wait.end(true);
                    }
                }
            }
        }
        if seed % 2 == 0 {
            drain(&ex, &world, elsewhere, &drivers);
        }
    }
    drop(Rc::into_inner(ex).expect("tasks keep only a weak reference"));
    let before = world.dropped.count();
    settle(&world, elsewhere);
    let accepted = elsewhere.accepted.load(Ordering::SeqCst) - accepted;
    assert_eq!(before, world.dropped.count(), "nothing is dropped after the executor's drop");
    assert_eq!(before, world.spawned.get() + accepted, "each future is dropped once");
    drop(std::mem::take(&mut *elsewhere.refused.lock().unwrap()));
    drop((world.tasks.take(), world.here.take()));
    assert_eq!(Rc::strong_count(&world), 1);
}

#[test]
fn no_mix_of_drivers_and_tasks_loses_a_wake_or_a_future() {
    let _watchdog = watchdog();
    let seed = std::env::var("SELVEDGE_SEED").ok();
    let seed = seed.map_or_else(|| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    println!("repeat with SELVEDGE_SEED={seed}");
    let (errands, receive) = async_channel::unbounded();
    let elsewhere = Elsewhere::default();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| run_errands(&receive, &elsewhere));
        }
        // The threads end with the channel, also when a round panics.
        let errands = errands;
        for number in 0..ROUNDS {
            println!("round {number}");
            round(seed.wrapping_add(number), &errands, &elsewhere);
        }
    });
}
