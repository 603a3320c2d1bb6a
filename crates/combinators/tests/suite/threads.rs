//! Wakes from other threads. Nothing here waits by the clock; what hangs is found by a watchdog.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_core::Stream;
use futures_lite::StreamExt;
use futures_lite::future::block_on;
use selvedge_combinators::future::FutureGroup;
use selvedge_combinators::prelude::*;

use crate::support::within_a_minute;

/// Whether it has completed, and whom to tell.
type State = Arc<Mutex<(bool, Option<Waker>)>>;

/// Completes when a thread has said so. The thread is told of it at the first poll.
struct Foreign {
    state: State,
    threads: Option<Sender<State>>,
}

impl Foreign {
    fn new(threads: &Sender<State>) -> Self {
        Self { state: Arc::default(), threads: Some(threads.clone()) }
    }
}

impl Future for Foreign {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap();
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(cx.waker().clone());
        drop(state);
        if let Some(threads) = self.threads.take() {
            threads.send(self.state.clone()).unwrap();
        }
        Poll::Pending
    }
}

/// Gives items as long as a thread sends some.
struct Items(Foreign, usize);

impl Stream for Items {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        if self.1 == 0 {
            return Poll::Ready(None);
        }
        std::task::ready!(Pin::new(&mut self.0).poll(cx));
        self.1 -= 1;
        self.0.state.lock().unwrap().0 = false;
        self.0.threads = Some(SENDER.with(|sender| sender.borrow().clone().unwrap()));
        Poll::Ready(Some(()))
    }
}

thread_local! {
    static SENDER: std::cell::RefCell<Option<Sender<State>>> =
        const { std::cell::RefCell::new(None) };
}

/// Threads that complete what they are sent.
fn wakers() -> Sender<State> {
    let (sender, receiver) = channel();
    let receiver: Arc<Mutex<Receiver<State>>> = Arc::new(Mutex::new(receiver));
    for _ in 0..3 {
        let receiver = receiver.clone();
        thread::spawn(move || {
            loop {
                let Ok(state) = receiver.lock().unwrap().recv() else { return };
                let mut state = state.lock().unwrap();
                state.0 = true;
                let waker = state.1.take();
                drop(state);
                waker.into_iter().for_each(Waker::wake);
            }
        });
    }
    sender
}

#[test]
fn joins_of_every_size_complete() {
    within_a_minute(|| {
        let threads = wakers();
        for n in [1, 2, 10, 64, 65, 300] {
            for _ in 0..20 {
                let futures: Vec<_> = (0..n).map(|_| Foreign::new(&threads)).collect();
                assert_eq!(block_on(futures.join()).len(), n);
            }
        }
    });
}

#[test]
fn races_complete_and_late_wakes_do_no_harm() {
    within_a_minute(|| {
        let threads = wakers();
        for _ in 0..200 {
            block_on(
                (Foreign::new(&threads), Foreign::new(&threads), Foreign::new(&threads)).race(),
            );
        }
    });
}

#[test]
fn merges_and_groups_give_everything() {
    within_a_minute(|| {
        let threads = wakers();
        SENDER.with(|sender| *sender.borrow_mut() = Some(threads.clone()));
        let streams: Vec<_> = (0..70).map(|_| Items(Foreign::new(&threads), 20)).collect();
        assert_eq!(block_on(streams.merge().count()), 70 * 20);
        let mut group: FutureGroup<_> = (0..10).map(|_| Foreign::new(&threads)).collect();
        let mut left = 500;
        block_on(async {
            while group.next().await.is_some() {
                if left > 0 {
                    left -= 1;
                    group.insert(Foreign::new(&threads));
                }
            }
        });
        assert_eq!(left, 0);
    });
}

/// What a thread wrote before it woke a child is seen by the poll of the child.
#[test]
fn wakes_during_the_poll_are_not_lost() {
    within_a_minute(|| {
        for _ in 0..500 {
            let flag = Arc::new(AtomicBool::new(false));
            let mut thread = None;
            let child = poll_fn(|cx: &mut Context<'_>| {
                if flag.load(Ordering::Relaxed) {
                    return Poll::Ready(());
                }
                let (flag, waker) = (flag.clone(), cx.waker().clone());
                thread.get_or_insert_with(|| {
                    thread::spawn(move || {
                        flag.store(true, Ordering::Relaxed);
                        waker.wake();
                    })
                });
                Poll::Pending
            });
            block_on((child, async {}).join());
            thread.unwrap().join().unwrap();
        }
    });
}
