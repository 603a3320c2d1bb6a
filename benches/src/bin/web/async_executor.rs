//! async-executor.

use std::future::pending;
use std::io;
use std::net::TcpListener;
use std::thread;

use async_executor::Executor;

use crate::site::Site;
use crate::socket::{accept, connection};

/// Threads that park.
pub(crate) fn parked(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    driven_by(|ex| futures_lite::future::block_on(ex.run(pending())), listener, site, threads)
}

/// Threads that lend themselves to the reactor.
pub(crate) fn in_reactor(
    listener: TcpListener,
    site: &'static Site,
    threads: usize,
) -> io::Result<()> {
    driven_by(|ex| async_io::block_on(ex.run(pending())), listener, site, threads)
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
