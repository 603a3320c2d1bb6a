//! Happy eyeballs: connect to several addresses, each a little after the one before, and keep the first
//! connection that stands.
//!
//! An attempt starts when its delay has passed or when the attempt before it has failed, whichever
//! comes first: [`race`] of the two. All attempts run in one [`race_ok`], which drops the losers.
//! Here the addresses are local: two that refuse, one that accepts, and one that is never tried.
//!
//! [`race`]: selvedge_combinators::future::Race
//! [`race_ok`]: selvedge_combinators::future::RaceOk
#![expect(clippy::std_instead_of_core, reason = "an example runs on std")]

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use futures_lite::future::block_on;
use selvedge_combinators::prelude::*;

/// A value that comes from another thread.
fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = T> {
    let shared = Arc::new(Mutex::new((None, None::<Waker>)));
    let mut work = Some(work);
    poll_fn(move |cx| {
        if let Some(work) = work.take() {
            let shared = shared.clone();
            thread::spawn(move || {
                let value = work();
                let mut shared = shared.lock().unwrap();
                shared.0 = Some(value);
                let waker = shared.1.take();
                drop(shared);
                waker.into_iter().for_each(Waker::wake);
            });
        }
        let mut shared = shared.lock().unwrap();
        match shared.0.take() {
            Some(value) => Poll::Ready(value),
            None => {
                shared.1 = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    })
}

/// Something that happens once, within this task.
#[derive(Clone, Default)]
struct Event(Rc<RefCell<(bool, Option<Waker>)>>);

impl Event {
    fn happens(&self) {
        let waker = {
            let mut state = self.0.borrow_mut();
            state.0 = true;
            state.1.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    async fn wait(self) {
        poll_fn(|cx| {
            let mut state = self.0.borrow_mut();
            if state.0 {
                return Poll::Ready(());
            }
            state.1 = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// Connects to the first address that accepts.
async fn connect(addresses: &[SocketAddr], delay: Duration) -> io::Result<TcpStream> {
    let mut attempts = Vec::new();
    let mut before = Event::default();
    before.happens();
    for (number, &address) in addresses.iter().enumerate() {
        let failed = Event::default();
        let may_start = before.clone().wait();
        let late = delay * number as u32;
        before = failed.clone();
        attempts.push(async move {
            (may_start, on_a_thread(move || thread::sleep(late))).race().await;
            let connection = on_a_thread(move || TcpStream::connect(address)).await;
            if connection.is_err() {
                failed.happens();
            }
            connection
        });
    }
    attempts.race_ok().await.map_err(|errors| io::Error::other(errors.to_string()))
}

/// A local address that nobody listens on any more.
fn refusing() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let good = listener.local_addr()?;
    // So long that only failures start the next attempt, and the last is never made.
    let delay = Duration::from_secs(3600);

    let connection = block_on(connect(&[refusing()?, refusing()?, good, refusing()?], delay))?;
    assert_eq!(connection.peer_addr()?, good);
    println!("connected to {good}, the third of four addresses");

    let error = block_on(connect(&[refusing()?, refusing()?], delay)).unwrap_err();
    assert!(error.to_string().starts_with("all 2 futures failed: "));
    println!("and with nobody there: {error}");
    Ok(())
}
