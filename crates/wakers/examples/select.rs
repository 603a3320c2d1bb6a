//! A hand-written select of two futures that polls only the one that was woken.
//!
//! Two threads complete their halves at different times; the first one wins. Run it with
//! `cargo run -p selvedge-wakers --example select`.
#![expect(clippy::std_instead_of_core, reason = "an example runs on std")]

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use selvedge_wakers::WakerArray;

/// The output of whichever future was first.
#[derive(Debug, PartialEq, Eq)]
enum Either<A, B> {
    Left(A),
    Right(B),
}

/// Waits for either of two futures, and counts its polls of both.
struct Select<A, B> {
    left: Pin<Box<A>>,
    right: Pin<Box<B>>,
    wakers: WakerArray<2>,
    polls: [usize; 2],
}

impl<A: Future, B: Future> Select<A, B> {
    fn new(left: A, right: B) -> Self {
        let wakers = WakerArray::new();
        Self { left: Box::pin(left), right: Box::pin(right), wakers, polls: [0; 2] }
    }
}

impl<A: Future, B: Future> Future for Select<A, B> {
    type Output = (Either<A::Output, B::Output>, [usize; 2]);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        this.wakers.begin_poll(cx.waker());
        // Woken slots alone. Which one is first changes from poll to poll, so neither starves.
        while let Some(index) = this.wakers.next_ready() {
            this.polls[index] += 1;
            let waker = this.wakers.waker(index);
            let mut cx = Context::from_waker(&waker);
            let polled = match index {
                0 => this.left.as_mut().poll(&mut cx).map(Either::Left),
                _ => this.right.as_mut().poll(&mut cx).map(Either::Right),
            };
            if let Poll::Ready(output) = polled {
                return Poll::Ready((output, this.polls));
            }
        }
        Poll::Pending
    }
}

/// Completes when another thread says so, and is woken in vain before that.
struct Delayed<T>(Arc<Mutex<(Option<T>, Option<Waker>)>>);

impl<T: Send + 'static> Delayed<T> {
    fn new(value: T, steps: u32, step: Duration) -> Self {
        let shared = Arc::new(Mutex::new((None, None::<Waker>)));
        let theirs = shared.clone();
        thread::spawn(move || {
            let mut value = Some(value);
            for left in (0..steps).rev() {
                thread::sleep(step);
                let mut shared = theirs.lock().unwrap();
                if left == 0 {
                    shared.0 = value.take();
                }
                if let Some(waker) = shared.1.take() {
                    drop(shared);
                    waker.wake();
                }
            }
        });
        Self(shared)
    }
}

impl<T> Future for Delayed<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut shared = self.0.lock().unwrap();
        match shared.0.take() {
            Some(value) => Poll::Ready(value),
            None => {
                shared.1 = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

/// Unparks the thread that waits.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

fn main() {
    let slow = Delayed::new("slow", 1, Duration::from_secs(5));
    let quick = Delayed::new("quick", 4, Duration::from_millis(20));
    let (output, polls) = block_on(Select::new(slow, quick));
    println!("{output:?}; polls of the left one: {}, of the right one: {}", polls[0], polls[1]);
    assert_eq!(output, Either::Right("quick"));
    assert_eq!(polls, [1, 5], "the one that was not woken was not polled");
}
