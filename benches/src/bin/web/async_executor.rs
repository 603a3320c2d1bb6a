//! async-executor.

use std::future::pending;
use std::io;
use std::net::TcpListener;
use std::thread;

use async_executor::Executor;
use futures_lite::future::block_on;

use crate::edge::{self, Reactor};
use crate::site::Site;
use crate::socket::{accept, connection};

/// Threads that park.
pub(crate) fn parked(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    driven_by(|ex| block_on(ex.run(pending())), listener, site, threads)
}

/// Threads that lend themselves to the reactor.
pub(crate) fn in_reactor(
    listener: TcpListener,
    site: &'static Site,
    threads: usize,
) -> io::Result<()> {
    driven_by(|ex| async_io::block_on(ex.run(pending())), listener, site, threads)
}

/// Threads that lend themselves to the reactor on mio.
pub(crate) fn on_mio(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    let reactor = Reactor::leaked()?;
    let ex = Executor::new();
    let spawn = |it| ex.spawn(it).detach();
    let accept = edge::accept(listener, reactor, |it| connection(it, site), spawn);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| reactor.block_on(ex.run(pending::<()>())));
        }
        block_on(accept)
    })
}

fn driven_by(
    drive: impl Fn(&Executor<'static>) + Sync,
    listener: TcpListener,
    site: &'static Site,
    threads: usize,
) -> io::Result<()> {
    let ex = Executor::new();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| drive(&ex));
        }
        async_io::block_on(accept(listener, site, connection, |it| ex.spawn(it).detach()))
    })
}
