//! Groups: keys, growth, panics, filling again.

use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::{FusedStream, Stream};
use futures_lite::future::block_on;
use futures_lite::{StreamExt, stream};
use selvedge_combinators::future::FutureGroup;
use selvedge_combinators::future::future_group::Key;
use selvedge_combinators::stream::StreamGroup;

use crate::support::Step::{Bad, Good, Panic, Wait};
use crate::support::{Child, Parent, Shared};

fn poll<S: Stream + Unpin>(group: &mut S) -> Poll<Option<S::Item>> {
    Pin::new(group).poll_next(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_stale_key_never_names_a_newcomer() {
    let shared = Shared::default();
    let mut group = FutureGroup::new();
    let mut old = Vec::new();
    for _ in 0..20 {
        let key = group.insert(shared.child(&[Wait]));
        assert!(group.contains_key(key));
        assert!(group.remove(key));
        old.push(key);
    }
    let newcomer = group.insert(shared.child(&[Wait]));
    for key in old {
        assert!(!group.contains_key(key));
        assert!(!group.remove(key));
        assert_ne!(key, newcomer);
    }
    assert_eq!(group.len(), 1);
    assert_eq!(group.capacity(), 4, "one place was enough");
}

#[test]
fn keys_are_values() {
    fn is<K: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static>() {}
    is::<Key>();
    let mut group = StreamGroup::new();
    let keys: Vec<_> = (0..100).map(|_| group.insert(stream::pending::<()>())).collect();
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 100);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 100);
}

#[test]
fn keyed_streams_tell_who_gave_what() {
    let mut group = StreamGroup::new();
    let a = group.insert(stream::iter(vec![1, 2]));
    let b = group.insert(stream::iter(vec![10]));
    let mut group = group.keyed();
    assert_eq!(group.size_hint(), (3, Some(3)));
    let items: Vec<_> = block_on((&mut group).collect());
    assert_eq!(items, [(a, 1), (b, 10), (a, 2)]);
    assert!(group.is_terminated());
    let c = group.insert(stream::iter(vec![3]));
    assert_eq!(block_on(group.next()), Some((c, 3)));
    assert!(group.contains_key(c));
    assert_eq!(group.into_inner().len(), 1);
}

#[test]
fn a_group_that_was_empty_may_be_filled_again() {
    let mut group = FutureGroup::new();
    assert!(group.is_terminated());
    for round in 0..3 {
        assert_eq!(poll(&mut group), Poll::Ready(None));
        group.insert(std::future::ready(round));
        assert!(!group.is_terminated());
        assert_eq!(group.size_hint(), (1, Some(1)));
        assert_eq!(poll(&mut group), Poll::Ready(Some(round)));
    }
}

#[test]
fn a_child_inserted_late_is_polled_without_a_wake_and_tells_nobody() {
    let shared = Shared::default();
    let (parent, waker) = Parent::new();
    let mut group = FutureGroup::new();
    group.insert(shared.child(&[]));
    let poll = |group: &mut FutureGroup<Child>| {
        assert!(Pin::new(group).poll_next(&mut Context::from_waker(&waker)).is_pending());
        shared.take_log()
    };
    assert_eq!(poll(&mut group), [0]);
    for n in 1..200 {
        group.insert(shared.child(&[]));
        assert_eq!(parent.wakes(), 0);
        assert_eq!(poll(&mut group), [n]);
    }
}

#[test]
fn the_panic_of_one_child_removes_it_and_spares_the_rest() {
    let shared = Shared::default();
    let mut group = StreamGroup::new();
    let bad = group.insert(shared.child(&[Panic]));
    group.insert(shared.child(&[Good, Bad]));
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut group).is_ready())).is_err());
    assert!(!group.contains_key(bad));
    assert_eq!(shared.all_drops(), [1, 0]);
    assert!(matches!(poll(&mut group), Poll::Ready(Some(_))));
    assert!(matches!(poll(&mut group), Poll::Ready(None)));
    drop(group);
    shared.assert_all_dropped_once("group");
}

#[test]
fn a_destructor_that_panics_on_removal_leaves_its_place_free() {
    let shared = Shared::default();
    let mut group = FutureGroup::new();
    let bad = group.insert(shared.child(&[]));
    shared.board(|board| board.kids[0].drop_panics = true);
    assert!(catch_unwind(AssertUnwindSafe(|| group.remove(bad))).is_err());
    assert!(group.is_empty());
    group.insert(shared.child(&[Good]));
    assert!(matches!(poll(&mut group), Poll::Ready(Some(Ok(_)))));
}

#[test]
fn capacity_grows_in_doubling_steps_and_is_kept() {
    let mut group = FutureGroup::new();
    assert_eq!(group.capacity(), 0);
    let mut steps = BTreeSet::new();
    for n in 0..100 {
        group.insert(std::future::ready(n));
        steps.insert(group.capacity());
    }
    assert_eq!(steps.into_iter().collect::<Vec<_>>(), [4, 8, 16, 32, 64, 128]);
    assert_eq!(block_on((&mut group).count()), 100);
    assert_eq!(group.capacity(), 128);
    group.reserve(128);
    assert_eq!(group.capacity(), 128);
    group.reserve(129);
    assert_eq!(group.capacity(), 256);
    assert!(FutureGroup::<()>::with_capacity(1000).capacity() >= 1000);
}

/// W8: the upper bound of a hint is no promise.
#[test]
fn extending_reserves_the_lower_bound_only() {
    let few = (0..u64::MAX).filter(|n| n % (u64::MAX / 3) == 0).take_while(|&n| n < 1);
    let mut group = FutureGroup::new();
    group.extend(few.take(1).map(std::future::ready));
    assert_eq!(group.len(), 1);
    assert_eq!(group.capacity(), 4);
}

#[test]
#[should_panic(expected = "a group holds at most 2^31 children")]
fn a_capacity_beyond_the_limit_panics() {
    drop(FutureGroup::<()>::with_capacity(usize::MAX));
}

/// Removed and inserted at random beside a list of keys.
#[test]
fn churn_keeps_the_right_children() {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut group = StreamGroup::new();
    let mut keys = Vec::new();
    for n in 0..5000_u64 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if random % 3 > 0 || keys.is_empty() {
            keys.push((group.insert(stream::once(n).chain(stream::pending())), n));
        } else {
            let (key, _) = keys.swap_remove(random as usize / 3 % keys.len());
            assert!(group.remove(key));
        }
        if random % 100 == 0 {
            while poll(&mut group).is_ready() {}
        }
        assert_eq!(group.len(), keys.len());
    }
    assert!(keys.iter().all(|&(key, _)| group.contains_key(key)));
}
