//! `block_on` and the thread's own park token: neither takes what belongs to the other.

use std::future::poll_fn;
use std::task::Poll;
use std::thread;

use futures_lite::future::yield_now;

use crate::subject::Executor;
use crate::watchdog::watchdog;

/// Takes the token of the calling thread, whoever left it there.
fn take_park_token() {
    thread::current().unpark();
    thread::park();
}

// E15: a park token that carries the executor's wake-up, and is consumed by user code.
#[test]
fn user_code_that_parks_swallows_no_wake_up() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    for by_task in [false, true] {
        let mut polls = 0;
        let future = poll_fn(move |cx| {
            polls += 1;
            let waker = cx.waker().clone();
            thread::spawn(move || waker.wake()).join().unwrap();
            take_park_token();
            if polls == 100 { Poll::Ready(()) } else { Poll::Pending }
        });
        if by_task { ex.block_on(ex.spawn(future)) } else { ex.block_on(future) }
    }
}

#[test]
fn a_destructor_that_parks_swallows_no_wake_up() {
    struct Parks;
    impl Drop for Parks {
        fn drop(&mut self) {
            take_park_token();
        }
    }
    let _watchdog = watchdog();
    let ex = Executor::new();
    let spawner = ex.spawner();
    for _ in 0..100 {
        let afar = spawner.clone();
        let thread = thread::spawn(move || afar.spawn(async { yield_now().await }).unwrap());
        let parks = Parks;
        ex.spawn(async move { drop(parks) }).detach();
        ex.block_on(async { thread.join().unwrap().await });
    }
}

#[test]
fn an_idle_block_on_leaves_the_threads_token_to_its_owner() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let (send, receive) = async_channel::bounded::<()>(1);
    thread::current().unpark();
    let (go, gone) = async_channel::bounded::<()>(1);
    let sender = thread::spawn(move || {
        gone.recv_blocking().unwrap();
        send.send_blocking(()).unwrap();
    });
    ex.block_on(async {
        let echo = ex.spawn(async move { receive.recv().await.unwrap() });
        yield_now().await;
        go.send(()).await.unwrap();
        echo.await;
    });
    sender.join().unwrap();
    // Hangs if the executor slept on the token.
    thread::park();
}
