//! Real threads: items, chains, migrations between parents, many slots. A watchdog ends what hangs.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use futures_core::Stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

#[derive(Default)]
struct Chan {
    state: Mutex<(VecDeque<u32>, Option<Waker>, bool)>,
}
impl Chan {
    fn send(&self, item: u32) {
        let waker = {
            let mut state = self.state.lock().unwrap();
            state.0.push_back(item);
            state.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
    fn close(&self) {
        let waker = {
            let mut s = self.state.lock().unwrap();
            s.2 = true;
            s.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
struct Recv(Arc<Chan>, Option<Arc<Chan>>, u32);
impl Stream for Recv {
    type Item = u32;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        self.2 += 1;
        // Sometimes wakes itself for nothing.
        if self.2 % 7 == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut state = self.0.state.lock().unwrap();
        if let Some(item) = state.0.pop_front() {
            drop(state);
            // Passes a token on to a neighbour: a chain within the poll.
            if item > 1_000_000 && item < 1_000_040 {
                if let Some(next) = &self.1 {
                    next.send(item + 1);
                }
            }
            return Poll::Ready(Some(item));
        }
        if state.2 {
            return Poll::Ready(None);
        }
        state.1 = Some(cx.waker().clone());
        Poll::Pending
    }
}

struct Unpark(Thread, AtomicBool);
impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.store(true, Ordering::Release);
        self.0.unpark();
    }
}

fn drive(mut stream: Pin<Box<dyn Stream<Item = u32>>>, total: usize, what: &str) {
    let mut seen = 0;
    let mut n = 0usize;
    let mut unpark = Arc::new(Unpark(thread::current(), AtomicBool::new(false)));
    loop {
        n += 1;
        if n % 5 == 0 {
            unpark = Arc::new(Unpark(thread::current(), AtomicBool::new(false)));
        }
        unpark.1.store(false, Ordering::Relaxed);
        let waker = Waker::from(unpark.clone());
        match stream.as_mut().poll_next(&mut Context::from_waker(&waker)) {
            Poll::Ready(Some(_)) => seen += 1,
            Poll::Ready(None) => break,
            Poll::Pending => {
                let start = std::time::Instant::now();
                while !unpark.1.load(Ordering::Acquire) {
                    thread::park_timeout(Duration::from_secs(1));
                    assert!(
                        start.elapsed() < Duration::from_secs(20),
                        "{what}: a wake was lost after {seen} of {total}"
                    );
                }
            }
        }
    }
    assert_eq!(seen, total, "{what}");
}

fn run(len: usize, group: bool, per: usize) {
    let chans: Vec<Arc<Chan>> = (0..len).map(|_| Arc::default()).collect();
    let recvs: Vec<Recv> = (0..len)
        .map(|i| Recv(chans[i].clone(), Some(chans[(i + len - 1) % len].clone()), i as u32))
        .collect();
    let chains = 3;
    let total = len * per + chains * 41 - chains;
    let stop = AtomicUsize::new(0);
    thread::scope(|scope| {
        for t in 0..2usize {
            let (chans, stop) = (&chans, &stop);
            scope.spawn(move || {
                let mut x = 0x9e3779b97f4a7c15u64 ^ (t as u64 + 1) ^ (len as u64) << 20;
                for k in 0..per {
                    for i in (t..len).step_by(2) {
                        x ^= x << 13;
                        x ^= x >> 7;
                        x ^= x << 17;
                        chans[i].send(k as u32);
                        if x % 17 == 0 {
                            thread::yield_now();
                        }
                    }
                }
                if t == 0 {
                    for c in 0..chains {
                        chans[(c * 31) % len].send(1_000_001);
                    }
                }
                if stop.fetch_add(1, Ordering::SeqCst) == 1 {}
            });
        }
        let chans2 = chans.clone();
        let stop2 = &stop;
        scope.spawn(move || {
            while stop2.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
            // Until the chains are through: nothing else is left to wait for, so ask for silence.
            let mut quiet = 0;
            while quiet < 20 {
                thread::sleep(Duration::from_millis(2));
                let any = chans2.iter().any(|c| !c.state.lock().unwrap().0.is_empty());
                quiet = if any { 0 } else { quiet + 1 };
            }
            for c in &chans2 {
                c.close();
            }
        });
        let what = format!("{len} streams, group {group}");
        if group {
            drive(Box::pin(recvs.into_iter().collect::<StreamGroup<_>>()), total, &what);
        } else {
            drive(Box::pin(recvs.merge()), total, &what);
        }
    });
}

#[test]
fn nothing_is_lost_or_starved() {
    for (len, per) in
        [(1, 3000), (2, 3000), (3, 3000), (64, 200), (65, 200), (200, 100), (4100, 6), (8400, 3)]
    {
        for group in [false, true] {
            run(len, group, per);
        }
    }
}
