//! A chat server on one thread: sockets of async-io, and a room that is not `Send`.
//!
//! ```sh
//! cargo run -p selvedge-local-executor --example chat_server
//! ```
//!
//! starts the server on a free port of the loopback, lets a few guests meet there, checks what each of
//! them is told, and ends. To chat,
//!
//! ```sh
//! cargo run -p selvedge-local-executor --example chat_server -- 127.0.0.1:7000
//! ```
//!
//! serves until Ctrl-C; guests come by `nc 127.0.0.1 7000`, or telnet. The first line is a guest's name.
//!
//! All guests share the room as an `Rc`, and their lines as `Rc<str>`. One thread runs every task and the
//! reactor besides: `async_io::block_on` waits for sockets where the executor has nothing to do.

mod guest;
mod room;
mod visit;

use std::env;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::thread;

use async_io::{Async, block_on};
use futures_lite::future::or;
use selvedge_local_executor::LocalExecutor;

use crate::guest::attend;
use crate::room::Room;

fn main() -> io::Result<()> {
    match env::args().nth(1) {
        None => itself(),
        Some(address) => {
            let address: SocketAddr = address.parse().map_err(io::Error::other)?;
            let listener = Async::<TcpListener>::bind(address)?;
            println!("chatting at {}; Ctrl-C ends it", listener.get_ref().local_addr()?);
            let ex = LocalExecutor::new();
            block_on(ex.run(welcome(&ex, &listener, &Rc::default())))
        }
    }
}

/// Server and guests in one process, the guests on a thread of their own.
fn itself() -> io::Result<()> {
    let listener = Async::<TcpListener>::bind(([127, 0, 0, 1], 0))?;
    let server = listener.get_ref().local_addr()?;
    let (end, ended) = async_channel::bounded::<()>(1);
    let guests = thread::spawn(move || {
        // Dropped however the visit ends.
        let _end = end;
        visit::visit(server)
    });
    let room = Rc::default();
    let ex = LocalExecutor::new();
    block_on(ex.run(or(welcome(&ex, &listener, &room), async {
        // Nothing is ever sent.
        let _ = ended.recv().await;
        Ok(())
    })))?;
    guests.join().expect("the guests were told what they expected")?;

    // The sockets are closed, and each task finds that out.
    block_on(async {
        while !ex.is_empty() {
            ex.tick().await;
        }
    });
    assert_eq!(room.names(), "", "nobody stays behind");
    println!("all guests heard what they should");
    Ok(())
}

/// Accepts guests for ever.
async fn welcome(
    ex: &LocalExecutor<'_>,
    listener: &Async<TcpListener>,
    room: &Rc<Room>,
) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let guest = attend(stream, room.clone());
        // A guest who breaks off hurts nobody; the seat is given up with the task.
        ex.spawn(async move { drop(guest.await) }).detach();
    }
}
