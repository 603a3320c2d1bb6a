//! The reactor under threads that drive an executor with it.

use std::future::poll_fn;
use std::io::{Read, Write};
use std::mem;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use selvedge_executor::{StaticExecutor, Workers};

use super::Reactor;
use super::socket::{EdgeSocket, accept};
use crate::http::Wire;

/// After so long something hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// More than the buffers of both ends take.
const LARGE: usize = 16 << 20;

/// Runs a body on a thread of its own, and fails if it does not come to its end.
fn watched<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, over) = channel();
    let thread = thread::spawn(move || {
        let result = body();
        let _ = done.send(());
        result
    });
    match over.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => panic!("it hangs"),
        _ => thread.join().unwrap(),
    }
}

/// Sends back what comes, piece by piece, until the end.
async fn echo(mut socket: EdgeSocket) {
    let mut piece = vec![0; 32 << 10];
    loop {
        match socket.read(&mut piece).await.unwrap() {
            0 => return socket.end_of_output().await.unwrap(),
            length => socket.write_all(&piece[..length]).await.unwrap(),
        }
    }
}

/// An echo server on so many threads of an executor, for ever.
fn echo_server(threads: usize) -> SocketAddr {
    let reactor = Reactor::leaked().unwrap();
    let ex: &'static StaticExecutor = Box::leak(Box::new(StaticExecutor::new()));
    let workers = Workers::new(threads).blocking_on(|worker| reactor.block_on(worker));
    mem::forget(workers.start(ex).unwrap());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    ex.spawn(accept(listener, reactor, echo, |it| ex.spawn(it).detach())).detach();
    address
}

/// Both ends of a connection, the first one registered.
fn connected(reactor: &'static Reactor) -> (EdgeSocket, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    ours.set_nonblocking(true).unwrap();
    let (theirs, _) = listener.accept().unwrap();
    (EdgeSocket::new(mio::net::TcpStream::from_std(ours), reactor).unwrap(), theirs)
}

#[test]
fn many_connections_are_echoed_on_any_number_of_threads() {
    for threads in 1..=3 {
        watched(move || {
            let address = echo_server(threads);
            let clients = (0..24).map(|client| {
                thread::spawn(move || {
                    let mut stream = TcpStream::connect(address).unwrap();
                    for round in 0..200_usize {
                        let sent = vec![(client + round) as u8; 1 + (round * 97) % 5000];
                        stream.write_all(&sent).unwrap();
                        let mut got = vec![0; sent.len()];
                        stream.read_exact(&mut got).unwrap();
                        assert_eq!(sent, got);
                    }
                })
            });
            clients.collect::<Vec<_>>().into_iter().for_each(|it| it.join().unwrap());
        });
    }
}

#[test]
fn what_no_buffer_holds_is_echoed_and_ends() {
    watched(|| {
        let address = echo_server(2);
        let clients = (0..4).map(|_| {
            thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                let sent: Arc<[u8]> = (0..LARGE).map(|it| (it / 7) as u8).collect();
                let (mut half, sending) = (stream.try_clone().unwrap(), Arc::clone(&sent));
                let writer = thread::spawn(move || {
                    half.write_all(&sending).unwrap();
                    half.shutdown(Shutdown::Write).unwrap();
                });
                let mut got = Vec::new();
                stream.read_to_end(&mut got).unwrap();
                writer.join().unwrap();
                assert!(got[..] == sent[..]);
            })
        });
        clients.collect::<Vec<_>>().into_iter().for_each(|it| it.join().unwrap());
    });
}

#[test]
fn a_write_waits_for_a_peer_that_does_not_read() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        let (mut socket, mut peer) = connected(reactor);
        let reader = thread::spawn(move || {
            let mut got = Vec::new();
            peer.read_to_end(&mut got).unwrap();
            got.len()
        });
        reactor.block_on(async {
            socket.write_all(&vec![1; LARGE]).await.unwrap();
            socket.end_of_output().await.unwrap();
        });
        assert_eq!(reader.join().unwrap(), LARGE);
    });
}

/// Completes with the future, which is not ready at first: that is told.
async fn waiting_first<R>(future: impl Future<Output = R>, mut tell: impl FnMut()) -> R {
    let mut future = pin!(future);
    let mut asked = false;
    poll_fn(|cx| {
        let poll = future.as_mut().poll(cx);
        if !mem::replace(&mut asked, true) {
            assert!(poll.is_pending());
            tell();
        }
        poll
    })
    .await
}

#[test]
fn a_read_waits_for_what_comes_later() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        let (mut socket, mut peer) = connected(reactor);
        let (waits, told) = channel();
        let writer = thread::spawn(move || {
            for byte in 0..100 {
                told.recv().unwrap();
                peer.write_all(&[byte]).unwrap();
            }
            peer
        });
        reactor.block_on(async {
            for byte in 0..100 {
                let mut piece = [0; 8];
                let read = socket.read(&mut piece);
                assert_eq!(waiting_first(read, || waits.send(()).unwrap()).await.unwrap(), 1);
                assert_eq!(piece[0], byte);
            }
        });
        drop(writer.join().unwrap());
    });
}

#[test]
fn the_end_is_read_after_a_short_read_that_it_came_with() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        for _ in 0..100 {
            let (mut socket, mut peer) = connected(reactor);
            peer.write_all(b"last").unwrap();
            drop(peer);
            reactor.block_on(async {
                let mut piece = [0; 64];
                assert_eq!(socket.read(&mut piece).await.unwrap(), 4);
                assert_eq!(socket.read(&mut piece).await.unwrap(), 0);
                assert_eq!(socket.read(&mut piece).await.unwrap(), 0);
            });
        }
    });
}

/// A future that hands out its waker each time, and completes when it has been polled so often.
async fn polled(times: usize, wakers: Sender<Waker>) {
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        wakers.send(cx.waker().clone()).unwrap();
        Poll::Pending
    })
    .await;
}

fn wake_all(wakers: &Receiver<Waker>) {
    wakers.iter().for_each(Waker::wake);
}

#[test]
fn a_wake_gets_a_thread_out_of_the_reactor_and_out_of_its_park() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        let threads = (0..3).map(|_| {
            let (wakers, woken) = channel();
            let sleeper = thread::spawn(move || reactor.block_on(polled(5000, wakers)));
            let waker = thread::spawn(move || wake_all(&woken));
            [sleeper, waker]
        });
        let threads: Vec<_> = threads.flatten().collect();
        threads.into_iter().for_each(|it| it.join().unwrap());
    });
}

#[test]
fn sockets_are_attended_while_the_thread_that_did_so_is_held_up() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        // Which of the two threads waits in the reactor is chance.
        (0..50).for_each(|it| hold_one_up(reactor, it % 2 == 0));
    });
}

/// A thread blocks after its read; what another one waits for comes then. `quiet`: after so long that the
/// one that is parked has given up its watch.
fn hold_one_up(reactor: &'static Reactor, quiet: bool) {
    let (mut first, mut held_up) = connected(reactor);
    let (mut second, mut peer) = connected(reactor);
    let (entered, inside) = channel();
    let (release, released) = channel::<()>();
    let held = thread::spawn(move || {
        reactor.block_on(async {
            assert_eq!(first.read(&mut [0; 8]).await.unwrap(), 1);
            entered.send(()).unwrap();
            released.recv().unwrap();
        });
    });
    let other =
        thread::spawn(move || reactor.block_on(async { second.read(&mut [0; 8]).await.unwrap() }));
    while quiet && !reactor.is_unwatched() {
        thread::yield_now();
    }
    held_up.write_all(&[1]).unwrap();
    inside.recv().unwrap();
    peer.write_all(&[1, 2]).unwrap();
    assert_eq!(other.join().unwrap(), 2);
    release.send(()).unwrap();
    held.join().unwrap();
}

#[test]
fn a_future_that_wakes_itself_lets_sockets_through() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        let (mut socket, mut peer) = connected(reactor);
        peer.write_all(&[1]).unwrap();
        reactor.block_on(async {
            let mut piece = [0; 8];
            let mut read = pin!(async {
                assert_eq!(socket.read(&mut piece).await.unwrap(), 1);
                // The byte has been read, so the next one is news from the system.
                peer.write_all(&[2]).unwrap();
                assert_eq!(socket.read(&mut piece).await.unwrap(), 1);
            });
            poll_fn(|cx| {
                cx.waker().wake_by_ref();
                read.as_mut().poll(cx)
            })
            .await;
        });
    });
}

#[test]
fn a_socket_that_is_dropped_leaves_its_number_to_the_next() {
    watched(|| {
        let reactor = Reactor::leaked().unwrap();
        let (kept, _peer) = connected(reactor);
        for _ in 0..50 {
            let (mut socket, mut peer) = connected(reactor);
            peer.write_all(&[1]).unwrap();
            reactor.block_on(async {
                assert_eq!(socket.read(&mut [0; 8]).await.unwrap(), 1);
            });
        }
        drop(kept);
    });
}
