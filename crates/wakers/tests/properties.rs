//! Random sequences of calls against a model made of plain sets.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod support;

use std::collections::BTreeSet;
use std::task::Waker;

use proptest::prelude::*;
use proptest::sample::Index;
use selvedge_wakers::{WakerArray, WakerVec};

use self::support::{Owner, Parent, static_owner};

/// What a caller may do.
#[derive(Clone, Debug)]
enum Call {
    Wake(Index),
    WakeStale(Index),
    Set(Index),
    Make(Index),
    SetAll,
    Clear(Index),
    Begin(bool),
    BeginUnregistered,
    Register(bool),
    Extend,
    Next,
    Drain,
    Resize(Index),
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        6 => any::<Index>().prop_map(Call::Wake),
        2 => any::<Index>().prop_map(Call::WakeStale),
        1 => any::<Index>().prop_map(Call::Set),
        2 => any::<Index>().prop_map(Call::Make),
        1 => Just(Call::SetAll),
        2 => any::<Index>().prop_map(Call::Clear),
        4 => any::<bool>().prop_map(Call::Begin),
        3 => Just(Call::BeginUnregistered),
        2 => any::<bool>().prop_map(Call::Register),
        3 => Just(Call::Extend),
        5 => Just(Call::Next),
        1 => Just(Call::Drain),
        1 => any::<Index>().prop_map(Call::Resize),
    ]
}

/// The documented behaviour, in the plainest form.
struct Model {
    len: usize,
    woken: BTreeSet<usize>,
    /// Woken when they were cut off: not ready, but woken if they come back before the next poll.
    stale: BTreeSet<usize>,
    set: BTreeSet<usize>,
    snapshot: BTreeSet<usize>,
    /// What was part of the snapshot at any time of this poll.
    part: BTreeSet<usize>,
    /// Whether there has ever been more than one page.
    many_pages: bool,
    start: Option<usize>,
    last: Option<usize>,
    parent: Option<usize>,
    /// Whether anything was woken since the last snapshot.
    left_idle: bool,
    wakes: [usize; 2],
}

impl Model {
    fn new(len: usize) -> Self {
        Self {
            len,
            woken: BTreeSet::new(),
            stale: BTreeSet::new(),
            set: (0..len).collect(),
            snapshot: BTreeSet::new(),
            part: BTreeSet::new(),
            many_pages: len > 64,
            start: None,
            last: None,
            parent: None,
            left_idle: false,
            wakes: [0; 2],
        }
    }

    /// A wake of a slot, or of one that was cut off.
    fn wake(&mut self, index: usize) {
        if let (false, Some(parent)) = (self.left_idle, self.parent) {
            self.wakes[parent] += 1;
        }
        self.left_idle = true;
        if index < self.len { &mut self.woken } else { &mut self.stale }.insert(index);
    }

    fn begin(&mut self, parent: usize) {
        self.begin_unregistered();
        self.parent = Some(parent);
        self.left_idle = false;
    }

    fn begin_unregistered(&mut self) {
        let start = match (self.start, self.last) {
            (_, Some(last)) if !self.snapshot.is_empty() => last + 1,
            (None, _) => 0,
            (Some(start), None) if !self.snapshot.is_empty() => start,
            (Some(start), _) => start + 1,
        };
        self.start = Some(if start < self.len { start } else { 0 });
        self.last = None;
        self.snapshot.append(&mut self.set);
        self.snapshot.append(&mut self.woken);
        self.stale.clear();
        self.part = self.snapshot.clone();
    }

    fn register(&mut self, parent: usize) {
        self.parent = Some(parent);
        self.left_idle = false;
        self.extend();
        self.wakes[parent] += usize::from(!self.set.is_empty());
    }

    fn extend(&mut self) -> bool {
        let before = self.snapshot.len();
        self.stale.clear();
        for index in std::mem::take(&mut self.woken) {
            if self.snapshot.contains(&index) {
            } else if index >= 4096 || self.part.contains(&index) {
                self.set.insert(index);
            } else {
                self.snapshot.insert(index);
                self.part.insert(index);
            }
        }
        self.snapshot.len() > before
    }

    fn next(&mut self) -> Option<usize> {
        let from = self.last.map_or(self.start.unwrap_or(0), |last| last + 1);
        let next = self.snapshot.range(from..).next().or(self.snapshot.first()).copied()?;
        self.snapshot.remove(&next);
        self.last = Some(next);
        Some(next)
    }

    fn is_ready(&self, index: usize) -> bool {
        [&self.woken, &self.set, &self.snapshot].iter().any(|set| set.contains(&index))
    }

    fn clear(&mut self, index: usize) -> bool {
        let sets = [&mut self.woken, &mut self.set, &mut self.snapshot];
        sets.into_iter().fold(false, |was, set| set.remove(&index) | was)
    }

    fn resize(&mut self, len: usize) {
        self.stale.extend(self.woken.range(len..));
        for set in [&mut self.woken, &mut self.set, &mut self.snapshot] {
            set.retain(|index| *index < len);
        }
        self.set.extend(self.len..len);
        if len > 64 && !std::mem::replace(&mut self.many_pages, true) {
            self.set.append(&mut self.woken);
            self.stale.clear();
        }
        let later = self.stale.split_off(&len);
        self.woken.extend(std::mem::replace(&mut self.stale, later));
        self.len = len;
    }
}

/// Runs the calls on both, and compares all that can be seen.
fn compare<O: Owner>(
    mut owner: O,
    calls: &[Call],
    resize: impl Fn(&mut O, usize),
    can_resize: bool,
) -> Result<(), TestCaseError> {
    let mut model = Model::new(owner.len());
    let longest = owner.len().max(8) * 3;
    let parents = [Parent::new(), Parent::new()];
    let mut wakes = [0; 2];
    let mut wakers: Vec<(usize, Waker)> = Vec::new();
    for call in calls {
        let len = model.len;
        match call {
            Call::WakeStale(at) if !wakers.is_empty() => {
                let (index, waker) = &wakers[at.index(wakers.len())];
                waker.wake_by_ref();
                model.wake(*index);
            }
            Call::SetAll => {
                owner.set_all_ready();
                model.set.extend(0..len);
            }
            Call::Begin(which) => {
                owner.begin_poll(&parents[usize::from(*which)].waker);
                model.begin(usize::from(*which));
            }
            Call::BeginUnregistered => {
                let promising = !(model.snapshot.is_empty() && model.woken.is_empty());
                let begun = owner.begin_poll_unregistered(&parents[0].waker);
                prop_assert!(begun || !promising);
                if begun {
                    model.begin_unregistered();
                    model.parent = model.parent.filter(|&parent| parent == 0);
                }
            }
            Call::Register(which) => {
                owner.register(&parents[usize::from(*which)].waker);
                model.register(usize::from(*which));
            }
            Call::Extend => prop_assert_eq!(owner.extend_poll(), model.extend()),
            Call::Next => prop_assert_eq!(owner.next_ready(), model.next()),
            Call::Drain => loop {
                let next = owner.next_ready();
                prop_assert_eq!(next, model.next());
                if next.is_none() {
                    break;
                }
            },
            Call::Resize(at) if can_resize => {
                let len = at.index(longest);
                resize(&mut owner, len);
                model.resize(len);
            }
            Call::Wake(at) if len > 0 => {
                let index = at.index(len);
                let waker = owner.waker(index).clone();
                waker.wake_by_ref();
                wakers.push((index, waker));
                model.wake(index);
            }
            Call::Set(at) if len > 0 => {
                let index = at.index(len);
                let before = model.is_ready(index);
                prop_assert_eq!(owner.set_ready(index), before);
                model.set.insert(index);
            }
            Call::Make(at) if len > 0 => {
                let index = at.index(len);
                owner.make_ready(index);
                model.set.insert(index);
            }
            Call::Clear(at) if len > 0 => {
                let index = at.index(len);
                prop_assert_eq!(owner.clear_ready(index), model.clear(index));
            }
            _ => {}
        }
        for (sum, parent) in wakes.iter_mut().zip(&parents) {
            *sum += parent.wakes();
        }
        prop_assert_eq!(wakes, model.wakes, "parent wakes after {:?}", call);
        let any = !(model.woken.is_empty() && model.set.is_empty() && model.snapshot.is_empty());
        prop_assert_eq!(owner.any_ready(), any, "any_ready after {:?}", call);
        prop_assert_eq!(owner.len(), model.len);
        if let Some(index) = model.len.checked_sub(1) {
            prop_assert_eq!(owner.is_ready(index), model.is_ready(index));
        }
    }
    drop(owner);
    for (_, waker) in wakers {
        waker.wake();
    }
    prop_assert!(parents.iter().all(|parent| parent.held() == 0 && parent.wakes() == 0));
    Ok(())
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    prop::collection::vec(call(), 0..150)
}

macro_rules! sizes {
    ($count:literal: $($number:literal => $size:literal,)*) => { proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            cases: 64,
            ..ProptestConfig::default()
        })]
        #[test]
        fn arrays_behave_like_sets(number in 0..$count as usize, calls in calls()) {
            match number {
                $($number => compare(WakerArray::<$size>::new(), &calls, |_, _| (), false)?,)*
                _ => unreachable!(),
            }
        }
        #[test]
        fn static_blocks_behave_like_sets(number in 0..$count as usize, calls in calls()) {
            match number {
                $($number => compare(static_owner::<$size>(), &calls, |_, _| (), false)?,)*
                _ => unreachable!(),
            }
        }
        #[test]
        fn vectors_behave_like_sets(number in 0..$count as usize, calls in calls()) {
            let len: usize = [$($size),*][number];
            compare(WakerVec::with_len(len), &calls, WakerVec::resize, false)?;
        }
        #[test]
        fn vectors_that_change_their_length_behave_like_sets(
            number in 0..$count as usize,
            calls in calls(),
        ) {
            let len: usize = [$($size),*][number];
            compare(WakerVec::with_len(len), &calls, WakerVec::resize, true)?;
        }
    } };
}
// Around the borders of a page, of a group of pages, and where flags are shared.
sizes! { 12:
    0 => 0, 1 => 1, 2 => 3, 3 => 63, 4 => 64, 5 => 65, 6 => 128, 7 => 200,
    8 => 4096, 9 => 4160, 10 => 4161, 11 => 8400,
}
