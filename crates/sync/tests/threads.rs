//! Thread identity and parking on real threads.

use std::collections::HashSet;
use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use selvedge_sync::thread::{Event, Parker, ThreadId, block_on, block_on_until};

#[test]
fn a_thread_keeps_its_id_and_knows_it_for_its_own() {
    let id = ThreadId::current();
    assert_eq!(id, ThreadId::current());
    assert!(id.is_current());
}

#[test]
fn ids_are_never_reused_by_later_threads() {
    let mut seen = HashSet::new();
    for _ in 0..200 {
        let id = thread::spawn(ThreadId::current).join().unwrap();
        assert!(!id.is_current());
        assert!(seen.insert(id), "{id:?} was given out twice");
    }
}

#[test]
fn a_thread_that_never_asked_is_not_mistaken_for_another() {
    let id = ThreadId::current();
    assert!(!thread::spawn(move || id.is_current()).join().unwrap());
}

#[test]
fn wakes_before_park_count_as_one() {
    let parker = Parker::new();
    parker.waker().wake_by_ref();
    parker.waker().wake_by_ref();
    parker.park();
    let waker = parker.waker().clone();
    let other = thread::spawn(move || waker.wake());
    parker.park();
    other.join().unwrap();
}

#[test]
fn block_on_survives_a_future_that_consumes_the_threads_own_park_token() {
    let mut polls = 0;
    block_on(poll_fn(|cx: &mut Context<'_>| {
        polls += 1;
        if polls == 100 {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        thread::spawn(move || waker.wake()).join().unwrap();
        thread::current().unpark();
        thread::park();
        Poll::Pending
    }));
}

#[test]
fn block_on_nests() {
    let total = block_on(async { 1 + block_on(async { 2 + block_on(async { 3 }) }) });
    assert_eq!(total, 6);
}

#[test]
fn block_on_can_be_used_again_after_a_panic_inside_it() {
    let outcome = std::panic::catch_unwind(|| block_on(async { panic!("inside") }));
    assert!(outcome.is_err());
    assert_eq!(block_on(async { 7 }), 7);
    drop(pending::<()>());
}

#[test]
fn an_event_is_used_up_by_the_wait_that_it_ends() {
    let event = Arc::new(Event::new());
    event.set();
    event.set();
    event.wait();
    assert!(!event.wait_until(Instant::now()), "two sets before a wait count as one");
    let other = event.clone();
    let thread = thread::spawn(move || other.set());
    assert!(event.wait_until(Instant::now() + Duration::from_secs(600)));
    thread.join().unwrap();
}

#[test]
fn a_wait_for_a_future_ends_at_its_deadline() {
    let soon = Instant::now() + Duration::from_millis(5);
    assert_eq!(block_on_until(pending::<u8>(), soon), None);
    assert!(Instant::now() >= soon);
}

#[test]
fn a_future_is_polled_although_its_deadline_has_passed() {
    assert_eq!(block_on_until(async { 7 }, Instant::now()), Some(7));
    let mut polls = 0;
    let second_poll = poll_fn(|_| {
        polls += 1;
        if polls == 2 { Poll::Ready(polls) } else { Poll::Pending }
    });
    assert_eq!(block_on_until(second_poll, Instant::now()), Some(2));
}
