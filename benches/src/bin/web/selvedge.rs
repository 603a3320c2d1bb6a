//! selvedge-executor.

use std::io;
use std::net::TcpListener;

use futures_lite::future::block_on;
use selvedge_executor::{Executor, Workers};

use crate::edge::{self, Reactor};
use crate::site::Site;
use crate::socket::{accept, connection};

/// Workers that park.
pub(crate) fn parked(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    let ex = Executor::new();
    let spawn = |it| ex.spawn(it).detach();
    Workers::new(threads)
        .scope(&ex, || async_io::block_on(accept(listener, site, connection, spawn)))?
}

/// Threads that lend themselves to the reactor.
pub(crate) fn in_reactor(
    listener: TcpListener,
    site: &'static Site,
    threads: usize,
) -> io::Result<()> {
    let ex = Executor::new();
    let spawn = |it| ex.spawn(it).detach();
    Workers::new(threads)
        .blocking_on(|worker| async_io::block_on(worker))
        .scope(&ex, || async_io::block_on(accept(listener, site, connection, spawn)))?
}

/// Threads that lend themselves to the reactor on mio.
pub(crate) fn on_mio(listener: TcpListener, site: &'static Site, threads: usize) -> io::Result<()> {
    let reactor = Reactor::leaked()?;
    let ex = Executor::new();
    let spawn = |it| ex.spawn(it).detach();
    let accept = edge::accept(listener, reactor, |it| connection(it, site), spawn);
    Workers::new(threads)
        .blocking_on(|worker| reactor.block_on(worker))
        .scope(&ex, || block_on(accept))?
}
