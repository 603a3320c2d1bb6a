//! Parents that panic and re-enter, owners that are forgotten, wakers that outlive everything.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod support;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{RawWaker, RawWakerVTable, Wake, Waker};

use selvedge_wakers::{WakerArray, WakerVec};

use self::support::{Owner, Parent, forget, idle_owners};

/// The name of a function, and what it is to run once.
type Hook = (&'static str, Box<dyn FnOnce()>);

thread_local! {
    /// What the next call of a bad waker's function of that name runs.
    static HOOK: Cell<Option<Hook>> = const { Cell::new(None) };
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// Runs the hook if it is meant for this function.
fn enter(name: &'static str) {
    match HOOK.take() {
        Some((wanted, hook)) if wanted == name => hook(),
        other => HOOK.set(other),
    }
}

static BAD: RawWakerVTable = RawWakerVTable::new(
    |data| {
        enter("clone");
        LIVE.set(LIVE.get() + 1);
        RawWaker::new(data, &BAD)
    },
    |_| {
        LIVE.set(LIVE.get() - 1);
        enter("wake");
    },
    |_| enter("wake"),
    |_| {
        LIVE.set(LIVE.get() - 1);
        enter("drop");
    },
);

/// A waker that does what the hook says; `id` tells it from others.
fn bad_waker(id: usize) -> Waker {
    LIVE.set(LIVE.get() + 1);
    // SAFETY: the functions use nothing but thread-locals, and these tests stay on their thread.
    unsafe { Waker::new(std::ptr::without_provenance(id), &BAD) }
}

fn hook(name: &'static str, body: impl FnOnce() + 'static) {
    HOOK.set(Some((name, Box::new(body))));
}

/// Runs the body for owners of all kinds, small and large.
fn for_all(body: impl Fn(&str, Box<dyn Owner>)) {
    for (name, owner) in idle_owners::<3>().into_iter().chain(idle_owners::<200>()) {
        body(name, owner);
        assert!(HOOK.take().is_none(), "{name}: the hook did not run");
        assert_eq!(LIVE.get(), 0, "{name}: parents' wakers were leaked or dropped twice");
    }
}

fn panics(body: impl FnOnce()) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let outcome = catch_unwind(AssertUnwindSafe(body));
    std::panic::set_hook(hook);
    assert!(outcome.is_err(), "the panic did not reach the caller");
}

#[test]
fn a_parent_that_panics_leaves_the_array_usable() {
    for_all(|name, mut owner| {
        let last = owner.len() - 1;
        let good = Parent::new();
        let (first, second) = (bad_waker(1), bad_waker(2));
        owner.waker(last).wake_by_ref();

        hook("clone", || panic!());
        panics(|| owner.begin_poll(&first));
        assert!(owner.is_ready(last), "{name}");
        assert_eq!(owner.poll(&first), [last], "{name}: after a panic in clone");

        hook("clone", || panic!());
        panics(|| owner.begin_poll(&second));
        hook("drop", || panic!());
        panics(|| owner.begin_poll(&second));
        assert_eq!(owner.poll(&second), [], "{name}: after a panic in drop");

        hook("wake", || panic!());
        panics(|| owner.waker(last).wake_by_ref());
        assert_eq!(owner.poll(&second), [last], "{name}: after a panic in wake");
        hook("wake", || panic!());
        let waker = owner.waker(last).clone();
        panics(|| waker.wake());
        assert_eq!(owner.poll(&good.waker), [last], "{name}: after a panic in a consuming wake");
        owner.waker(0).wake_by_ref();
        assert_eq!(good.wakes(), 1, "{name}");

        owner.begin_poll(&first);
        hook("drop", || panic!());
        panics(|| drop(owner));
    });
}

#[test]
fn a_parent_may_wake_sub_wakers_from_inside_its_own_functions() {
    for_all(|name, mut owner| {
        let last = owner.len() - 1;
        let (first, second) = (bad_waker(1), bad_waker(2));
        for (function, other) in [("clone", last), ("wake", 0)] {
            let sub = owner.waker(other).clone();
            hook(function, move || sub.wake());
            owner.begin_poll(&first);
            if function == "wake" {
                owner.waker(last).wake_by_ref();
                owner.begin_poll(&first);
            }
            let mut seen: Vec<usize> = std::iter::from_fn(|| owner.next_ready()).collect();
            seen.extend(owner.poll(&first));
            assert!(seen.contains(&other), "{name}: {function}");
        }
        let sub = owner.waker(last).clone();
        hook("drop", move || sub.wake());
        owner.begin_poll(&second);
        assert!(owner.is_ready(last), "{name}");
    });
}

/// A parent whose wake drops what it was given.
struct Dropper<T>(Mutex<Option<T>>, AtomicUsize);

impl<T: Send + 'static> Wake for Dropper<T> {
    fn wake(self: Arc<Self>) {
        self.1.fetch_add(1, Ordering::SeqCst);
        drop(self.0.lock().unwrap().take());
    }
}

#[test]
fn a_parent_may_drop_the_owner_from_inside_its_wake() {
    fn check<T: Send + 'static>(
        mut owner: T,
        begin: impl Fn(&mut T, &Waker),
        sub: impl Fn(&T) -> Waker,
    ) {
        let dropper = Arc::new(Dropper(Mutex::new(None), AtomicUsize::new(0)));
        begin(&mut owner, &Waker::from(dropper.clone()));
        let waker = sub(&owner);
        *dropper.0.lock().unwrap() = Some(owner);
        let other = waker.clone();
        waker.wake();
        other.wake();
        assert_eq!(dropper.1.load(Ordering::SeqCst), 1);
        assert_eq!(Arc::strong_count(&dropper), 1, "the parent was let go");
    }
    check(WakerArray::<2>::idle(), |a, p| a.begin_poll(p), |a| a.waker(1).clone());
    check(WakerVec::idle_with_len(70), |a, p| a.begin_poll(p), |a| a.waker(69).clone());
}

#[test]
fn sub_wakers_that_outlive_their_owner_do_nothing_and_keep_no_parent() {
    for_all(|name, mut owner| {
        let parent = Parent::new();
        owner.begin_poll(&parent.waker);
        let wakers: Vec<Waker> = (0..owner.len()).map(|index| owner.waker(index).clone()).collect();
        drop(owner);
        assert_eq!(parent.held(), 0, "{name}");
        for waker in wakers {
            let clone = waker.clone();
            waker.wake();
            clone.wake_by_ref();
        }
        assert_eq!(parent.wakes(), 0, "{name}");
    });
}

#[test]
fn owners_and_clones_may_be_forgotten() {
    for_all(|_, owner| {
        forget(owner.waker(0).clone());
        let kept = owner.waker(1).clone();
        forget(owner);
        kept.wake();
    });
}

#[test]
fn a_slot_that_was_cut_off_is_never_reported_whatever_its_wakers_do() {
    let parent = Parent::new();
    let mut wakers = WakerVec::idle_with_len(300);
    let stale: Vec<Waker> = (0..300).map(|index| wakers.waker(index).clone()).collect();
    stale[100].wake_by_ref();
    stale[200].wake_by_ref();
    wakers.begin_poll(&parent.waker);
    stale[201].wake_by_ref();
    wakers.resize(10);
    assert!(!wakers.any_ready());
    for waker in &stale[10..] {
        waker.wake_by_ref();
    }
    assert!(!wakers.any_ready());
    assert_eq!(wakers.next_ready(), None);
    assert_eq!(Owner::poll(&mut wakers, &parent.waker), []);
    wakers.resize(300);
    assert_eq!(Owner::poll(&mut wakers, &parent.waker).len(), 290);
    assert!(parent.wakes() <= 2);
}
