//! The fences of a build, which no model has.

use std::hint::{black_box, spin_loop};
use std::thread;

use selvedge_sync::atomic::{AtomicUsize, Ordering, full_fence, full_fence_after_rmw};

const ROUNDS: usize = if cfg!(miri) { 100 } else { 20_000 };

/// Delays that a side tries: the other is told late that both have met.
const DELAYS: usize = if cfg!(miri) { 2 } else { 128 };

/// A word that no other shares a cache line with.
#[derive(Default)]
#[repr(align(128))]
struct Word(AtomicUsize);

/// What one of two threads writes.
#[derive(Default)]
struct Side {
    round: Word,
    met: Word,
}

impl Side {
    /// Waits until both have come to a round.
    fn meet(&self, other: &Self, round: usize) {
        self.met.0.store(round, Ordering::Relaxed);
        for look in 0.. {
            if other.met.0.load(Ordering::Relaxed) >= round {
                return;
            }
            if look < 200 { spin_loop() } else { thread::yield_now() }
        }
    }

    /// Writes each round, fences, and reads which round the other has written.
    fn run(&self, other: &Self, write_and_fence: Write, delay: fn(usize) -> usize) -> Vec<usize> {
        let round = |round| {
            self.meet(other, round);
            (0..delay(round)).for_each(|it| _ = black_box(it));
            write_and_fence(&self.round.0, round);
            other.round.0.load(Ordering::Relaxed)
        };
        (1..=ROUNDS).map(round).collect()
    }
}

type Write = fn(&AtomicUsize, usize);

fn store(word: &AtomicUsize, value: usize) {
    word.store(value, Ordering::Relaxed);
    full_fence();
}

fn swap(word: &AtomicUsize, value: usize) {
    word.swap(value, Ordering::Relaxed);
    full_fence_after_rmw();
}

/// In how many rounds neither of two threads saw what the other wrote.
fn missed(here: Write, there: Write) -> usize {
    let (ours, theirs) = (Side::default(), Side::default());
    let (seen_here, seen_there) = thread::scope(|scope| {
        let there = scope.spawn(|| theirs.run(&ours, there, |round| round / DELAYS % DELAYS));
        (ours.run(&theirs, here, |round| round % DELAYS), there.join().unwrap())
    });
    let rounds = (1..=ROUNDS).zip(seen_here.into_iter().zip(seen_there));
    rounds.filter(|(round, (here, there))| here < round && there < round).count()
}

/// One test for all, so that the two threads have the processor to themselves.
#[test]
fn of_two_threads_that_write_fence_and_read_one_sees_the_other() {
    let missed = [missed(store, store), missed(swap, swap), missed(store, swap)];
    assert_eq!(missed, [0; 3], "rounds in which neither saw the other");
}
