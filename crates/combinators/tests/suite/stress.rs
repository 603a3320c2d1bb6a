//! Real threads: items, chains of wakes, changes of the parent, many children. What hangs is ended.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use futures_core::Stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

/// A wake that takes longer than this is lost.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Inner {
    items: VecDeque<u32>,
    waker: Option<Waker>,
    closed: bool,
}

#[derive(Default)]
struct Channel(Mutex<Inner>);

impl Channel {
    fn change(&self, change: impl FnOnce(&mut Inner)) {
        let mut inner = self.0.lock().unwrap();
        change(&mut inner);
        let waker = inner.waker.take();
        drop(inner);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn send(&self, item: u32) {
        self.change(|inner| inner.items.push_back(item));
    }
}

/// Items from here on are passed on to the neighbour, one more each time, until the last.
const FIRST_OF_CHAIN: u32 = 1_000_000;
const CHAIN: u32 = 40;
const CHAINS: usize = 3;

struct Receiver {
    channel: Arc<Channel>,
    neighbour: Arc<Channel>,
    polls: usize,
}

impl Stream for Receiver {
    type Item = u32;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        self.polls += 1;
        if self.polls % 7 == 0 {
            // For nothing.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut inner = self.channel.0.lock().unwrap();
        if let Some(item) = inner.items.pop_front() {
            drop(inner);
            if (FIRST_OF_CHAIN..FIRST_OF_CHAIN + CHAIN - 1).contains(&item) {
                self.neighbour.send(item + 1);
            }
            return Poll::Ready(Some(item));
        }
        if inner.closed {
            return Poll::Ready(None);
        }
        inner.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

struct Unpark {
    thread: Thread,
    woken: AtomicBool,
}

impl Unpark {
    fn new() -> Arc<Self> {
        Arc::new(Self { thread: thread::current(), woken: AtomicBool::new(false) })
    }
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// Polls to the end, with another parent every so often; closes the channels when all has come.
fn drive(mut stream: Pin<Box<dyn Stream<Item = u32>>>, channels: &[Arc<Channel>], total: usize) {
    let mut seen = 0;
    let mut parent = Unpark::new();
    for polls in 0_usize.. {
        if polls % 5 == 0 {
            parent = Unpark::new();
        }
        parent.woken.store(false, Ordering::Relaxed);
        let waker = Waker::from(parent.clone());
        match stream.as_mut().poll_next(&mut Context::from_waker(&waker)) {
            Poll::Ready(Some(_)) => seen += 1,
            Poll::Ready(None) => break,
            Poll::Pending => {
                let start = Instant::now();
                while !parent.woken.load(Ordering::Acquire) {
                    let lost = start.elapsed() > PATIENCE;
                    assert!(!lost, "a wake was lost after {seen} of {total} items");
                    thread::park_timeout(PATIENCE);
                }
            }
        }
        if seen == total {
            channels.iter().for_each(|channel| channel.change(|inner| inner.closed = true));
        }
    }
    assert_eq!(seen, total);
}

/// Two threads send to `len` streams, and start some chains; all of it is received.
fn run(len: usize, group: bool, each: u32) {
    let channels: Vec<Arc<Channel>> = (0..len).map(|_| Arc::default()).collect();
    let receivers = (0..len).map(|place| Receiver {
        channel: channels[place].clone(),
        neighbour: channels[(place + len - 1) % len].clone(),
        polls: place,
    });
    let total = len * each as usize + CHAINS * CHAIN as usize;
    thread::scope(|scope| {
        for sender in 0..2 {
            let channels = &channels;
            scope.spawn(move || {
                for item in 0..each {
                    channels.iter().skip(sender).step_by(2).for_each(|it| it.send(item));
                }
                if sender == 0 {
                    for chain in 0..CHAINS {
                        channels[chain * 31 % len].send(FIRST_OF_CHAIN);
                    }
                }
            });
        }
        if group {
            drive(Box::pin(receivers.collect::<StreamGroup<_>>()), &channels, total);
        } else {
            drive(Box::pin(receivers.collect::<Vec<_>>().merge()), &channels, total);
        }
    });
}

#[test]
fn nothing_is_lost_and_nobody_starves_at_any_size() {
    for (len, each) in
        [(1, 3000), (2, 3000), (3, 3000), (64, 200), (65, 200), (200, 100), (4100, 6), (8400, 3)]
    {
        for group in [false, true] {
            run(len, group, each);
        }
    }
}
