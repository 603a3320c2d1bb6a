//! Each combinator beside a simple model of it, under random plans and random wakes.

use std::collections::{BTreeSet, VecDeque};
use std::task::Context;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::subject::{Container, Op, Seen, is_distinct, subject};
use crate::support::{Parent, Shared, Step};

/// What the waker array promises, in words of sets.
#[derive(Default)]
struct ModelWakers {
    len: usize,
    taken: BTreeSet<usize>,
    added: BTreeSet<usize>,
    woken: BTreeSet<usize>,
    start: Option<usize>,
    at: Option<usize>,
    registered: bool,
    told: usize,
}

impl ModelWakers {
    fn begin(&mut self) {
        let after_last = if self.taken.is_empty() { None } else { self.at };
        let start = after_last.or(self.start.map(|start| start + 1)).unwrap_or(0);
        self.start = Some(if start < self.len { start } else { 0 });
        self.at = self.start;
        self.taken.append(&mut self.added);
        self.taken.append(&mut self.woken);
    }

    /// Whether a poll will probably give something, and so registers nobody at first.
    fn promising(&self) -> bool {
        !self.taken.is_empty() || !self.woken.is_empty()
    }

    fn next(&mut self) -> Option<usize> {
        let at = self.at.unwrap();
        let index = self.taken.range(at..).next().or(self.taken.first()).copied()?;
        self.taken.remove(&index);
        self.at = Some(index + 1);
        Some(index)
    }

    fn wake(&mut self, index: usize) {
        if self.woken.is_empty() && std::mem::take(&mut self.registered) {
            self.told += 1;
        }
        self.woken.insert(index);
    }
}

struct Model {
    op: Op,
    plans: Vec<VecDeque<Step>>,
    has_waker: Vec<bool>,
    gone: Vec<bool>,
    kept: Vec<Option<usize>>,
    wakers: ModelWakers,
    fresh: bool,
    done: bool,
    tokens: usize,
    log: Vec<usize>,
}

impl Model {
    fn new(op: Op, plans: &[Vec<Step>]) -> Self {
        let n = plans.len();
        let len = if op.is_group() { n.max(4).next_power_of_two() } else { n };
        let mut wakers = ModelWakers { len, ..ModelWakers::default() };
        if op.is_stream() {
            wakers.added = (0..n).collect();
        }
        Self {
            op,
            plans: plans.iter().map(|plan| plan.iter().copied().collect()).collect(),
            has_waker: vec![false; n],
            gone: vec![false; n],
            kept: vec![None; n],
            wakers,
            fresh: true,
            done: false,
            tokens: 0,
            log: Vec::new(),
        }
    }

    fn step(&mut self, child: usize) -> Step {
        self.log.push(child);
        let step = self.plans[child].pop_front().unwrap_or(Step::Wait);
        self.has_waker[child] |= step == Step::Wait;
        step
    }

    fn token(&mut self) -> usize {
        self.tokens += 1;
        self.tokens - 1
    }

    fn end(&mut self, seen: Seen) -> Seen {
        self.done = true;
        self.wakers.registered = false;
        seen
    }

    fn wake(&mut self, child: usize) {
        if !self.has_waker[child] {
        } else if self.op == Op::Chain {
            self.wakers.told += 1;
        } else if !self.done || self.op.is_group() {
            self.wakers.wake(child);
        }
    }

    fn poll(&mut self) -> Seen {
        let n = self.plans.len();
        if self.op == Op::Chain {
            return self.poll_chain();
        }
        if self.done || self.op.is_group() && self.gone.iter().all(|&gone| gone) {
            self.wakers.registered = false;
            return Seen::End;
        }
        let late = self.op.waits_for_items() && self.wakers.promising();
        self.wakers.registered |= !late;
        self.wakers.begin();
        let mut first = if self.op.is_stream() || !self.fresh { 0..0 } else { 0..n };
        self.fresh = false;
        while let Some(child) = first.next().or_else(|| self.wakers.next()) {
            if self.gone[child] || self.op == Op::Zip && self.kept[child].is_some() {
                continue;
            }
            let good = match self.step(child) {
                Step::Wait | Step::Panic => continue,
                step => step == Step::Good,
            };
            match self.op {
                Op::Join => self.keep(child),
                Op::TryJoin if good => self.keep(child),
                Op::RaceOk if !good => self.keep(child),
                Op::TryJoin | Op::RaceOk | Op::Race => {
                    let token = self.token();
                    return self.end(Seen::Given(if good { "ok" } else { "err" }, vec![token]));
                }
                Op::FutureGroup => {
                    self.gone[child] = true;
                    let kind = if good { "ok" } else { "err" };
                    return Seen::Given(kind, vec![self.token()]);
                }
                Op::Merge | Op::StreamGroup if good => {
                    self.wakers.added.insert(child);
                    return Seen::Given("one", vec![self.token()]);
                }
                Op::Merge | Op::StreamGroup => self.gone[child] = true,
                Op::Zip if good => self.kept[child] = Some(self.tokens),
                Op::Zip => return self.end(Seen::End),
                Op::Chain => unreachable!(),
            }
            self.tokens += usize::from(self.op == Op::Zip);
        }
        self.wakers.registered = true;
        if self.op.is_stream() && self.gone.iter().all(|&gone| gone) {
            self.wakers.registered = false;
            return if self.op.is_group() { Seen::End } else { self.end(Seen::End) };
        }
        let Some(all) = self.kept.iter().copied().collect::<Option<Vec<_>>>() else {
            return Seen::Pending;
        };
        match self.op {
            Op::Zip => {
                self.kept = vec![None; n];
                self.wakers.added = (0..n).collect();
                Seen::Given("row", all)
            }
            Op::Join => self.end(Seen::Given("all", all)),
            Op::TryJoin => self.end(Seen::Given("ok", all)),
            Op::RaceOk => self.end(Seen::Given("all err", all)),
            _ => Seen::Pending,
        }
    }

    fn keep(&mut self, child: usize) {
        self.gone[child] = true;
        self.kept[child] = Some(self.token());
    }

    fn poll_chain(&mut self) -> Seen {
        while let Some(child) = self.gone.iter().position(|&gone| !gone) {
            match self.step(child) {
                Step::Wait | Step::Panic => return Seen::Pending,
                Step::Good => return Seen::Given("one", vec![self.token()]),
                Step::Bad => self.gone[child] = true,
            }
        }
        Seen::End
    }
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Poll,
    Wake(usize),
}

fn steps(op: Op) -> impl Strategy<Value = Vec<Step>> {
    let more = if op.is_stream() && op != Op::FutureGroup { 8 } else { 4 };
    let step = prop_oneof![3 => Just(Step::Wait), 2 => Just(Step::Good), 1 => Just(Step::Bad)];
    prop::collection::vec(step, 0..more)
}

fn scenario(op: Op, container: Container) -> impl Strategy<Value = (Vec<Vec<Step>>, Vec<Act>)> {
    let children = match container {
        Container::Array | Container::Tuple => 3..=3,
        _ => 1..=7,
    };
    let act = prop_oneof![2 => Just(Act::Poll), 3 => (0usize..7).prop_map(Act::Wake)];
    (prop::collection::vec(steps(op), children), prop::collection::vec(act, 0..60))
}

fn compare(op: Op, container: Container, plans: &[Vec<Step>], acts: &[Act]) {
    let slices: Vec<&[Step]> = plans.iter().map(Vec::as_slice).collect();
    let (shared, children) = Shared::with(&slices);
    let (parent, waker) = Parent::new();
    let mut subject = subject(op, container, children);
    let mut model = Model::new(op, plans);
    for &act in acts {
        match act {
            Act::Wake(child) => {
                let child = child % plans.len();
                shared.wake(child);
                model.wake(child);
            }
            Act::Poll => {
                let seen = subject.poll(&mut Context::from_waker(&waker)).seen();
                assert_eq!(seen, model.poll());
                assert_eq!(shared.take_log(), std::mem::take(&mut model.log), "who was polled");
                if model.done && !op.is_stream() {
                    break;
                }
            }
        }
        assert_eq!(parent.wakes(), model.wakers.told, "wakes of the parent after {act:?}");
    }
    drop(subject);
    shared.assert_all_dropped_once("at the end");
}

fn seed() -> u64 {
    let given = std::env::var("SELVEDGE_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64)
}

#[test]
fn every_combinator_does_what_its_model_does() {
    let seed = seed();
    println!("seed: run again with SELVEDGE_SEED={seed}");
    for (op, container) in Op::ALL.into_iter().flat_map(|op| Container::ALL.map(|c| (op, c))) {
        if !is_distinct(op, container) {
            continue;
        }
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
        let run =
            TestRunner::new_with_rng(config, rng).run(&scenario(op, container), |(plans, acts)| {
                compare(op, container, &plans, &acts);
                Ok(())
            });
        if let Err(error) = run {
            panic!("{op:?} over {container:?}: {error}");
        }
    }
}
