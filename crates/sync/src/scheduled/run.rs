//! Runs a test under many schedules, and draws the choices of the test itself.

use std::{env, eprintln};

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

/// Schedules per test where the environment does not say.
const SCHEDULES: usize = 2000;

/// Preemptions that the second half of the schedules places by priority.
const DEPTH: usize = 3;

/// Runs `body` under so many random schedules, each from its first to its last operation.
///
/// Half of them pick the next thread at random at every operation; the others follow priorities and
/// change them at a few random points, which finds what needs a long run without a switch. The
/// variables `SELVEDGE_SCHEDULES` and `SELVEDGE_SEED` set the number and the seed; the same seed
/// draws the same schedules. Prints both.
///
/// # Panics
///
/// If `body` panics under one of them, or all its threads wait for each other.
pub fn schedules(body: impl Fn() + Clone + Send + Sync + 'static) {
    let schedules = variable("SELVEDGE_SCHEDULES").map_or(SCHEDULES, |it| it as usize);
    let seed = variable("SELVEDGE_SEED").unwrap_or_else(any_seed);
    eprintln!("seed {seed}");
    let by_priority = schedules / 2;
    let at_random = schedules - by_priority;
    eprintln!("at random ..");
    let mut ran = run(RandomScheduler::new_from_seed(seed, at_random), body.clone());
    eprintln!("by priority ..");
    ran += run(PctScheduler::new_from_seed(seed, DEPTH, by_priority), body);
    eprintln!("{ran} schedules");
}

/// A number below `end`, drawn by the seed of the schedule.
///
/// # Panics
///
/// If `end` is zero, or outside of [`schedules`].
pub fn random(end: usize) -> usize {
    thread_rng().gen_range(0..end)
}

fn run<S: Scheduler + 'static>(scheduler: S, body: impl Fn() + Send + Sync + 'static) -> usize {
    let mut config = Config::new();
    // A panic that is printed needs more than the default.
    config.stack_size = 0x4_0000;
    config.max_steps = MaxSteps::FailAfter(100_000);
    // The seed repeats a run; a schedule that is written out fills pages.
    config.failure_persistence = FailurePersistence::None;
    config.silence_warnings = true;
    Runner::new(scheduler, config).run(body)
}

fn variable(name: &str) -> Option<u64> {
    env::var(name).ok().map(|it| it.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

fn any_seed() -> u64 {
    use core::hash::{BuildHasher, Hasher};
    let hasher = std::hash::RandomState::new().build_hasher();
    hasher.finish() % 1_000_000_000
}
