//! How often memory is asked for.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;

use std::cell::Cell;
use std::future::{Future, Ready};
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use selvedge_combinators::future::{FutureGroup, Join, Race, RaceOk, TryJoin};
use selvedge_combinators::stream::{Chain, Merge, StreamGroup, Zip};

use self::counting_allocator::{allocations, cost};

/// Waits once, then gives `N` items or one output. It has no niche, so `Option<Child>` is larger.
struct Child {
    polls: u64,
    items: u64,
}

const CHILD: Child = Child { polls: 0, items: 1 };

impl Future for Child {
    type Output = Result<u64, u64>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.polls += 1;
        if self.polls == 1 {
            black_box(cx.waker().clone()).wake();
            return Poll::Pending;
        }
        Poll::Ready(Ok(self.polls))
    }
}

impl Stream for Child {
    type Item = u64;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u64>> {
        self.polls += 1;
        if self.polls == 1 {
            black_box(cx.waker().clone()).wake();
            return Poll::Pending;
        }
        if self.items == 0 {
            return Poll::Ready(None);
        }
        self.items -= 1;
        Poll::Ready(Some(self.polls))
    }
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn drain<S: Stream>(stream: S) -> usize {
    let mut stream = pin!(stream);
    let mut items = 0;
    loop {
        match stream.as_mut().poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(item)) => _ = black_box(item),
            Poll::Ready(None) => return items,
            Poll::Pending => continue,
        }
        items += 1;
    }
}

/// Construction, then everything else.
fn costs<T, O, R>(input: T, make: impl FnOnce(T) -> O, run: impl FnOnce(O) -> R) -> (usize, usize) {
    let (construction, made) = cost(|| make(input));
    (construction.allocations, allocations(|| drop_all(run(made))))
}

fn drop_all<T>(_: T) {}

fn futures(n: usize) -> Vec<Child> {
    (0..n).map(|_| CHILD).collect()
}

const SIZES: [usize; 5] = [2, 10, 64, 65, 1000];

#[test]
fn a_vec_costs_one_allocation_and_its_outputs() {
    for n in SIZES {
        let set = || futures(n);
        assert_eq!(costs(set(), Join::join, run), (0, 2), "join of {n}");
        assert_eq!(costs(set(), TryJoin::try_join, run), (0, 2), "try_join of {n}");
        assert_eq!(costs(set(), Race::race, run), (0, 1), "race of {n}");
        assert_eq!(costs(set(), RaceOk::race_ok, run), (0, 1), "race_ok of {n}");
        // More than 64 marks of ended streams do not fit in place.
        let marks = usize::from(n > 64);
        assert_eq!(costs(set(), Merge::merge, drain), (0, 1 + marks), "merge of {n}");
        // One row.
        assert_eq!(costs(set(), Zip::zip, drain), (0, 2), "zip of {n}");
        assert_eq!(costs(set(), Chain::chain, drain), (0, 0), "chain of {n}");
    }
}

#[test]
fn a_boxed_slice_costs_what_a_vec_costs() {
    for n in SIZES {
        let set = || futures(n).into_boxed_slice();
        assert_eq!(costs(set(), Race::race, run), (0, 1));
        assert_eq!(costs(set(), Join::join, run), (0, 2));
        let marks = usize::from(n > 64);
        assert_eq!(costs(set(), Merge::merge, drain), (0, 1 + marks));
    }
}

#[test]
fn a_pinned_slice_costs_what_a_vec_costs() {
    for n in SIZES {
        let mut owner = Box::into_pin(futures(n).into_boxed_slice());
        assert_eq!(costs(owner.as_mut(), Join::join, run), (0, 2));
        let mut owner = Box::into_pin(futures(n).into_boxed_slice());
        assert_eq!(costs(owner.as_mut(), Race::race, run), (0, 1));
    }
}

fn array<const N: usize>() {
    let set = || [CHILD; N];
    assert_eq!(costs(set(), Join::join, run), (0, 1), "join of {N}");
    assert_eq!(costs(set(), TryJoin::try_join, run), (0, 1), "try_join of {N}");
    assert_eq!(costs(set(), Race::race, run), (0, 1), "race of {N}");
    assert_eq!(costs(set(), RaceOk::race_ok, run), (0, 1), "race_ok of {N}");
    assert_eq!(costs(set(), Merge::merge, drain), (0, 1), "merge of {N}");
    assert_eq!(costs(set(), Zip::zip, drain), (0, 1), "zip of {N}");
    assert_eq!(costs(set(), Chain::chain, drain), (0, 0), "chain of {N}");
}

#[test]
fn an_array_costs_one_allocation() {
    array::<2>();
    array::<10>();
    array::<64>();
    array::<65>();
    array::<1000>();
}

#[test]
fn a_tuple_costs_one_allocation() {
    assert_eq!(costs((CHILD, CHILD), Join::join, run), (0, 1));
    assert_eq!(costs((CHILD, CHILD), Race::race, run), (0, 1));
    assert_eq!(costs((CHILD, CHILD), Merge::merge, drain), (0, 1));
    assert_eq!(costs((CHILD, CHILD), Zip::zip, drain), (0, 1));
    assert_eq!(costs((CHILD, CHILD), Chain::chain, drain), (0, 0));
}

/// `N` futures that are ready.
fn at_once<const N: usize>() -> [Ready<Result<u64, u64>>; N] {
    std::array::from_fn(|_| std::future::ready(Ok(0)))
}

#[test]
fn children_that_never_wait_cost_no_bookkeeping() {
    assert_eq!(costs(at_once::<2>(), Join::join, run), (0, 0));
    assert_eq!(costs(at_once::<1000>(), TryJoin::try_join, run), (0, 0));
    assert_eq!(costs(at_once::<10>(), Race::race, run), (0, 0));
    let [one, two] = at_once();
    assert_eq!(costs((one, two), Join::join, run), (0, 0));
    assert_eq!(costs(Vec::from(at_once::<100>()), Join::join, run), (0, 1), "the outputs");
}

#[test]
fn children_that_keep_no_waker_cost_no_bookkeeping_and_are_never_polled_again() {
    let polls = Cell::new(0);
    let children = [(); 3].map(|()| {
        std::future::poll_fn(|_| {
            polls.set(polls.get() + 1);
            Poll::<()>::Pending
        })
    });
    let mut joined = pin!(children.join());
    let allocations = allocations(|| {
        for _ in 0..3 {
            assert!(joined.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
    });
    assert_eq!((allocations, polls.get()), (0, 3));
}

#[test]
fn nothing_is_allocated_without_a_poll_or_without_children() {
    assert_eq!(costs(futures(1000), Join::join, drop), (0, 0));
    assert_eq!(costs(futures(0), Join::join, run), (0, 0));
    assert_eq!(costs((), |()| FutureGroup::<Child>::new(), drop), (0, 0));
    assert_eq!(costs(<[Ready<()>; 0]>::default(), Join::join, run), (0, 0));
}

#[test]
fn groups_grow_in_doubling_steps() {
    let fill = |n: usize| {
        let mut group = StreamGroup::new();
        let cx = &mut Context::from_waker(Waker::noop());
        let children = futures(n).into_iter().map(|child| Child { items: 1000, ..child });
        for child in children {
            group.insert(child);
            _ = Pin::new(&mut group).poll_next(cx);
        }
        drain(group);
    };
    // Chunks of 4, 4, 8, .., 512, with their table; blocks of wakers.
    let few = allocations(|| fill(60));
    let many = allocations(|| fill(1000));
    assert!(few <= 11, "{few}");
    assert!(many <= 20, "{many}");
    let whole = allocations(|| {
        let mut group = FutureGroup::with_capacity(1000);
        group.extend(futures(1000));
        drain(group);
    });
    assert_eq!(whole, 2 + 2, "a chunk, its table, wakers and the list of children here");
}
