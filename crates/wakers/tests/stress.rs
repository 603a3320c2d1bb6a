//! Real threads, with a watchdog. Each run prints its seed; `SELVEDGE_SEED` repeats one.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use selvedge_wakers::{StaticWakers, WakerArray, WakerVec};

/// Runs the body with a seed, and ends the process if it gets stuck.
fn watched(name: &str, body: impl FnOnce(Rng)) {
    let seed = match std::env::var("SELVEDGE_SEED") {
        Ok(seed) => seed.parse().expect("SELVEDGE_SEED is a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64,
    };
    println!("{name}: SELVEDGE_SEED={seed}");
    let done = Arc::new(AtomicBool::new(false));
    let (watched, name) = (done.clone(), name.to_owned());
    thread::spawn(move || {
        let start = Instant::now();
        while !watched.load(Ordering::Relaxed) {
            if start.elapsed() > Duration::from_secs(120) {
                eprintln!("{name}: stuck, SELVEDGE_SEED={seed}");
                std::process::abort();
            }
            thread::sleep(Duration::from_millis(50));
        }
    });
    body(Rng(seed | 1));
    done.store(true, Ordering::Relaxed);
}

/// Xorshift.
#[derive(Clone)]
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    fn fork(&mut self) -> Self {
        Self((self.below(1 << 30) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
}

/// Unparks the owner's thread. Every `new` is another waker by `will_wake`.
struct Unpark(Thread, AtomicBool);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.store(true, Ordering::Release);
        self.0.unpark();
    }
}

struct Sleeper(Arc<Unpark>, Waker);

impl Sleeper {
    fn new() -> Self {
        let unpark = Arc::new(Unpark(thread::current(), AtomicBool::new(false)));
        Self(unpark.clone(), Waker::from(unpark))
    }

    /// Sleeps until this very parent was woken.
    fn sleep(&self) {
        while !self.0.1.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

const PRODUCERS: usize = 3;
const MESSAGES: usize = 20_000;

/// Producers count up a slot's tally and wake it; the owner looks at the tallies of reported slots
/// alone, and sleeps when nothing is reported. It ends when it has seen every message.
macro_rules! every_message_arrives {
    ($owner:expr, $len:expr, $rng:expr) => {{
        let (mut owner, len, mut rng) = ($owner, $len, $rng);
        let tallies: Arc<Vec<AtomicUsize>> =
            Arc::new((0..len).map(|_| AtomicUsize::new(0)).collect());
        let threads: Vec<_> = (0..PRODUCERS)
            .map(|_| {
                let wakers: Vec<Waker> = (0..len).map(|index| owner.waker(index).clone()).collect();
                let (tallies, mut rng) = (tallies.clone(), rng.fork());
                thread::spawn(move || {
                    for _ in 0..MESSAGES {
                        let index = rng.below(len);
                        // Relaxed: the wake has to publish it.
                        tallies[index].fetch_add(1, Ordering::Relaxed);
                        match rng.below(4) {
                            0 => wakers[index].clone().wake(),
                            _ => wakers[index].wake_by_ref(),
                        }
                        if rng.below(64) == 0 {
                            thread::yield_now();
                        }
                    }
                })
            })
            .collect();
        let mut sleeper = Sleeper::new();
        let mut seen = vec![0; len];
        let mut missing = PRODUCERS * MESSAGES;
        while missing > 0 {
            if rng.below(3) == 0 {
                sleeper = Sleeper::new();
            }
            owner.begin_poll(&sleeper.1);
            let mut left_early = false;
            while let Some(index) = owner.next_ready() {
                let now = tallies[index].load(Ordering::Relaxed);
                missing -= now - seen[index];
                seen[index] = now;
                if rng.below(100) == 0 {
                    left_early = true;
                    break;
                }
            }
            if missing > 0 && !left_early {
                sleeper.sleep();
            }
        }
        for thread in threads {
            thread.join().unwrap();
        }
    }};
}

#[test]
fn every_message_arrives_at_a_small_array() {
    watched("small array", |rng| every_message_arrives!(WakerArray::<5>::idle(), 5, rng));
}

#[test]
fn every_message_arrives_at_a_large_array() {
    watched("large array", |rng| every_message_arrives!(WakerArray::<700>::idle(), 700, rng));
}

#[test]
fn every_message_arrives_at_an_array_with_shared_flags() {
    watched("shared flags", |rng| every_message_arrives!(WakerVec::idle_with_len(9000), 9000, rng));
}

#[test]
fn every_message_arrives_at_a_static_block() {
    static BLOCK: StaticWakers<100> = StaticWakers::new();
    watched("static block", |rng| every_message_arrives!(BLOCK.claim().unwrap(), 100, rng));
}

#[test]
fn every_message_arrives_while_a_vector_grows() {
    watched("growing vector", |mut rng| {
        let mut owner = WakerVec::idle_with_len(1);
        let count = 2000;
        let tallies: Arc<Vec<AtomicUsize>> =
            Arc::new((0..count).map(|_| AtomicUsize::new(0)).collect());
        let (sender, receiver) = std::sync::mpsc::channel::<(usize, Waker)>();
        let receiver = Arc::new(std::sync::Mutex::new(receiver));
        let threads: Vec<_> = (0..PRODUCERS)
            .map(|_| {
                let (tallies, receiver) = (tallies.clone(), receiver.clone());
                thread::spawn(move || {
                    loop {
                        let Ok((index, waker)) = receiver.lock().unwrap().recv() else { return };
                        tallies[index].fetch_add(1, Ordering::Relaxed);
                        waker.wake();
                    }
                })
            })
            .collect();
        let sleeper = Sleeper::new();
        let mut seen = vec![0; count];
        let (mut sent, mut missing) = (0, 10 * count);
        while missing > 0 {
            if sent < 10 * count {
                let index = sent % count;
                if index >= owner.len() {
                    owner.resize(index + 1 + rng.below(50).min(count - index - 1));
                }
                sender.send((index, owner.waker(index).clone())).unwrap();
                sent += 1;
            }
            owner.begin_poll(&sleeper.1);
            while let Some(index) = owner.next_ready() {
                let now = tallies[index].load(Ordering::Relaxed);
                missing -= now - seen[index];
                seen[index] = now;
            }
            if sent == 10 * count && missing > 0 {
                sleeper.sleep();
            }
        }
        drop(sender);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn owners_that_are_dropped_during_wakes_let_go_of_their_parents() {
    watched("drops during wakes", |mut rng| {
        for _ in 0..3000 {
            let sleeper = Sleeper::new();
            let mut owner = WakerArray::<70>::idle();
            owner.begin_poll(&sleeper.1);
            let wakers: Vec<Waker> = (0..2).map(|_| owner.waker(rng.below(70)).clone()).collect();
            let threads = wakers.clone().into_iter().map(|waker| thread::spawn(|| waker.wake()));
            let threads: Vec<_> = threads.collect();
            if rng.below(2) == 0 {
                thread::yield_now();
            }
            drop(owner);
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(Arc::strong_count(&sleeper.0), 2, "a parent's waker was kept");
            drop(wakers);
        }
    });
}

#[test]
fn a_static_block_is_claimed_by_one_thread_at_a_time() {
    static BLOCK: StaticWakers<130> = StaticWakers::new();
    static OWNERS: AtomicUsize = AtomicUsize::new(0);
    watched("claims", |mut rng| {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let mut rng = rng.fork();
                thread::spawn(move || {
                    let mut stale = Vec::new();
                    for _ in 0..2000 {
                        let Some(mut owner) = BLOCK.claim() else {
                            thread::yield_now();
                            continue;
                        };
                        assert_eq!(OWNERS.fetch_add(1, Ordering::Relaxed), 0);
                        owner.begin_poll(Waker::noop());
                        for index in 0..130 {
                            assert_eq!(owner.next_ready(), Some(index));
                        }
                        stale.push(owner.waker(rng.below(130)).clone());
                        let waker: &Waker = &stale[rng.below(stale.len())];
                        waker.wake_by_ref();
                        owner.begin_poll(Waker::noop());
                        assert!(owner.next_ready().is_some());
                        OWNERS.fetch_sub(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    });
}
