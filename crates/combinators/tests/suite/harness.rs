//! Drop counts and poll counts of every combinator over every container, dropped after every number
//! of polls, with every child panicking in a poll or in its destructor.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Context;

use crate::subject::{Container, Op, Seen, is_distinct, subject};
use crate::support::Step::{Bad, Good, Panic, Wait};
use crate::support::{Parent, Shared, Step};

const PLANS: [&[Step]; 8] = [
    &[Good],
    &[Bad],
    &[Wait, Good],
    &[Wait, Bad],
    &[Good, Good, Bad],
    &[Wait],
    &[Panic],
    &[Wait, Panic],
];
/// Without the panics, as a destructor that panics during a panic aborts.
const CALM: usize = 6;
const POLLS: usize = 5;

fn quietly(test: impl FnOnce()) {
    let quiet = |info: &std::panic::PanicHookInfo<'_>| {
        let payload = info.payload();
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or(payload.downcast_ref::<&str>().copied()).unwrap_or_default();
        let planned = message.contains("planned panic") || message.contains("a combinator was");
        if !planned {
            eprintln!("{info}");
        }
    };
    std::panic::set_hook(Box::new(quiet));
    test();
}

fn choices(below: usize) -> impl Iterator<Item = [&'static [Step]; 3]> {
    let pick = move |n: usize| PLANS[n % below];
    (0..below.pow(3)).map(move |n| [pick(n), pick(n / below), pick(n / below / below)])
}

fn combinations() -> impl Iterator<Item = (Op, Container)> {
    let containers = |op| Container::ALL.into_iter().map(move |container| (op, container));
    Op::ALL.into_iter().flat_map(containers).filter(|&(op, container)| is_distinct(op, container))
}

/// Polls so many times, waking everybody in between, then drops. Whether more polls would differ.
fn run(
    op: Op,
    container: Container,
    plans: [&[Step]; 3],
    polls: usize,
    bad_drop: Option<usize>,
) -> bool {
    let what = format!("{op:?} over {container:?} of {plans:?}, {polls} polls, {bad_drop:?}");
    let (shared, children) = Shared::with(&plans);
    if let Some(child) = bad_drop {
        shared.board(|board| board.kids[child].drop_panics = true);
    }
    let (_, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    let mut subject = subject(op, container, children);
    let (mut poisoned, mut over) = (false, false);
    for _ in 0..polls {
        let seen = catch_unwind(AssertUnwindSafe(|| subject.poll(&mut cx).seen()));
        let log = shared.take_log();
        let once: HashSet<_> = log.iter().collect();
        assert_eq!(once.len(), log.len(), "{what}: polled twice in one poll");
        if poisoned {
            assert!(seen.is_err(), "{what}: polled after a panic");
            assert_eq!(log, [], "{what}: polled a child after a panic");
            over = true;
        }
        match seen {
            Ok(Seen::Given(..)) if !op.is_stream() => {
                assert!(subject.is_terminated(), "{what}");
                over = true;
                break;
            }
            Ok(Seen::End) => {
                assert!(subject.is_terminated(), "{what}");
                over = true;
            }
            Ok(_) => {}
            Err(_) => poisoned = !op.is_group(),
        }
        if poisoned {
            assert!(subject.is_terminated(), "{what}");
        }
        for child in 0..3 {
            shared.wake(child);
        }
    }
    let _ = catch_unwind(AssertUnwindSafe(|| drop(subject)));
    shared.assert_all_dropped_once(&what);
    !over
}

/// Stops after 0, 1, .. polls.
fn run_to_each_stop(op: Op, container: Container, plans: [&[Step]; 3], bad_drop: Option<usize>) {
    let _ = (0..=POLLS).all(|polls| run(op, container, plans, polls, bad_drop));
}

#[test]
fn everything_is_dropped_once_wherever_it_stops_and_whoever_panics() {
    quietly(|| {
        for (op, container) in combinations() {
            for plans in choices(PLANS.len()) {
                run_to_each_stop(op, container, plans, None);
            }
        }
    });
}

#[test]
fn a_panicking_destructor_leaves_the_others_dropped_once() {
    quietly(|| {
        for (op, container) in combinations() {
            for plans in choices(CALM) {
                for child in 0..3 {
                    run_to_each_stop(op, container, plans, Some(child));
                }
            }
        }
    });
}

/// Children that nobody lent are gone as soon as they have finished.
#[test]
fn a_finished_child_is_dropped_at_once() {
    for (op, container) in combinations() {
        if container == Container::Slice {
            continue;
        }
        let end: &[Step] = if op.is_stream() && op != Op::FutureGroup { &[Bad] } else { &[Good] };
        let plans: [&[Step]; 3] = match op {
            // The second is the loser, or the one that does not matter any more.
            Op::Race | Op::RaceOk | Op::Zip => [end, &[Wait], &[Wait]],
            Op::TryJoin => [&[Bad], &[Wait], &[Good]],
            Op::Chain => [end, end, &[Wait]],
            _ => [end, &[Wait], &[Wait]],
        };
        let (shared, children) = Shared::with(&plans);
        let (_, waker) = Parent::new();
        let mut subject = subject(op, container, children);
        drop(subject.poll(&mut Context::from_waker(&waker)));
        let expected: &[usize] = match op {
            Op::Race | Op::RaceOk | Op::Zip | Op::TryJoin => &[1, 1, 1],
            Op::Chain => &[1, 1, 0],
            _ => &[1, 0, 0],
        };
        assert_eq!(shared.all_drops(), expected, "{op:?} over {container:?}");
    }
}
