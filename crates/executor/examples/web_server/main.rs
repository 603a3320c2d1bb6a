//! An HTTP/1.1 server and a load generator, over sockets of async-io, on an `Executor` with `Workers`.
//!
//! ```sh
//! cargo run --release -p selvedge-executor --example web_server
//! ```
//!
//! starts the server on a free port of the loopback, checks its answers, puts it under load for a moment,
//! prints requests per second and latencies, and ends. There are two more ways to run it:
//!
//! ```sh
//! cargo run --release -p selvedge-executor --example web_server -- serve 127.0.0.1:8080
//! cargo run --release -p selvedge-executor --example web_server -- load 127.0.0.1:8080 64 100000
//! ```
//!
//! The first serves until Ctrl-C: open `http://127.0.0.1:8080` in a browser, or ask with
//! `curl -i http://127.0.0.1:8080/stats`. The second asks a server that is there, with so many connections,
//! so many times.
//!
//! Each connection is a task of its own, and the tasks borrow the site: an executor that is declared
//! after it needs no `Arc`. The main thread accepts, and lends itself to the reactor; the workers do the
//! rest. `http` holds the protocol, and knows nothing of executors.

mod check;
mod http;
mod load;
mod server;
mod site;
mod socket;
mod stream;

use std::env;
use std::io;
use std::net::{SocketAddr, TcpListener};

use async_io::{Async, block_on};
use futures_lite::future::or;
use selvedge_executor::{Executor, Workers};

use crate::load::load;
use crate::server::accept;
use crate::site::Site;

const USAGE: &str = "usage: web_server [serve ADDRESS | load ADDRESS [CONNECTIONS [REQUESTS]]]";

/// The load where no other was asked for.
const CONNECTIONS: usize = 16;
const REQUESTS: usize = 4_000;

fn main() -> io::Result<()> {
    let args: Vec<_> = env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let number = |index: usize, default: usize| match args.get(index) {
        Some(text) => text.parse().ok().filter(|it| *it > 0).ok_or_else(usage),
        None => Ok(default),
    };
    match args[..] {
        [] => itself(),
        ["serve", address] => serve(address.parse().map_err(|_| usage())?),
        ["load", address, ..] if args.len() <= 4 => {
            let server = address.parse().map_err(|_| usage())?;
            attack(server, number(2, CONNECTIONS)?, number(3, REQUESTS)?)
        }
        _ => Err(usage()),
    }
}

/// Server, checks and load in one process.
fn itself() -> io::Result<()> {
    let site = Site::new("selvedge-executor");
    let listener = Async::<TcpListener>::bind(([127, 0, 0, 1], 0))?;
    let server = listener.get_ref().local_addr()?;
    let ex = Executor::new();
    Workers::available().name_prefix("web").scope(&ex, || {
        block_on(or(accept(&ex, &listener, &site), async {
            check::check(server).await?;
            println!("every answer is right; now some load:");
            let figures = load(&ex, server, CONNECTIONS, REQUESTS).await?;
            println!("{figures}");
            assert_eq!(figures.requests(), REQUESTS);
            Ok(())
        }))
    })?
}

fn serve(address: SocketAddr) -> io::Result<()> {
    let site = Site::new("selvedge-executor");
    let listener = Async::<TcpListener>::bind(address)?;
    println!("serving http://{}; Ctrl-C ends it", listener.get_ref().local_addr()?);
    let ex = Executor::new();
    Workers::available()
        .name_prefix("web")
        .scope(&ex, || block_on(accept(&ex, &listener, &site)))?
}

fn attack(server: SocketAddr, connections: usize, requests: usize) -> io::Result<()> {
    let ex = Executor::new();
    let figures = Workers::available()
        .name_prefix("load")
        .scope(&ex, || block_on(load(&ex, server, connections, requests)))??;
    println!("{figures}");
    Ok(())
}

fn usage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, USAGE)
}
