//! The web server of selvedge-executor's example on three executors, for `cargo xtask web`.
//!
//! ```sh
//! cargo run --release -p selvedge-benches --features web --bin web -- SUBJECT [THREADS]
//! ```
//!
//! serves on a free port of the loopback, which it prints, until it is killed. Protocol and pages are the
//! example's own files; what differs is who runs the connections, one task each, and whose reactor it is:
//!
//! * `selvedge`: `Executor` with `Workers`, which park; sockets of async-io;
//! * `async-executor`: the same with its `Executor` and threads that park in `run`;
//! * `selvedge-reactor`, `async-executor-reactor`: the threads lend themselves to async-io's reactor instead, as
//!   smol's do: a socket that is ready wakes its task on the thread that waited for it;
//! * `selvedge-mio`, `async-executor-mio`: the threads lend themselves to a reactor of this program (`edge`), over
//!   mio and edge-triggered as tokio's is. async-io asks the system anew for each wait; this one asks as seldom
//!   as tokio's, so that what differs is the executor;
//! * `tokio`: its multi-thread runtime, sockets and reactor.
//!
//! Each has the same number of threads that run tasks, and the main thread, which accepts: in async-io's
//! reactor, or parked where the reactor is another's (tokio's `block_on` parks too). async-io has a thread of
//! its own besides, which waits for sockets while no other does. No subject limits the time of a connection
//! here, since timers are the reactor's and not the executor's.

mod async_executor;
mod edge;
mod selvedge;
mod socket;
mod tokio;
mod tokio_socket;

#[path = "../../../../crates/executor/examples/web_server/http/mod.rs"]
mod http;
#[path = "../../../../crates/executor/examples/web_server/site.rs"]
mod site;
#[path = "../../../../crates/executor/examples/web_server/stream.rs"]
mod stream;

use std::env;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitCode;

use crate::site::Site;

const USAGE: &str = "usage: web selvedge|selvedge-reactor|selvedge-mio|async-executor|\
    async-executor-reactor|async-executor-mio|tokio [THREADS]";

/// Serves a site on so many threads, for ever.
type Serve = fn(TcpListener, &'static Site, usize) -> io::Result<()>;

/// The subjects by name.
const SUBJECTS: [(&str, Serve); 7] = [
    ("selvedge", selvedge::parked),
    ("selvedge-reactor", selvedge::in_reactor),
    ("selvedge-mio", selvedge::on_mio),
    ("async-executor", async_executor::parked),
    ("async-executor-reactor", async_executor::in_reactor),
    ("async-executor-mio", async_executor::on_mio),
    ("tokio", tokio::serve),
];

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let subject = args.first().and_then(|name| SUBJECTS.iter().find(|(it, _)| it == name));
    let threads = args.get(1).map_or(Ok(2), |it| it.parse());
    let (Some((name, serve)), Ok(threads @ 1..), ..=2) = (subject, threads, args.len()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(name, *serve, threads) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &'static str, serve: Serve, threads: usize) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    println!("{}", listener.local_addr()?);
    serve(listener, Box::leak(Box::new(Site::new(name))), threads)
}
