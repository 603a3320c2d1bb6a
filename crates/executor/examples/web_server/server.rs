//! The server: one task for each connection.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use async_io::{Async, Timer};
use selvedge_executor::Executor;

use crate::http::serve;
use crate::site::Site;
use crate::socket::Socket;

/// How long to wait when the system has no more sockets for us.
const RESPITE: Duration = Duration::from_millis(50);

/// Accepts connections for ever. What the tasks borrow outlives the executor, so nothing is counted by
/// reference.
pub(crate) async fn accept<'a>(
    ex: &Executor<'a>,
    listener: &Async<TcpListener>,
    site: &'a Site,
) -> io::Result<()> {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let mut socket = Socket::new(stream)?;
                let open = site.connected();
                let connection = async move {
                    // A peer that breaks off hurts nobody.
                    let _ = serve(&mut socket, site).await;
                    drop(open);
                };
                ex.spawn(connection).detach();
            }
            Err(error) => {
                eprintln!("not accepted: {error}");
                Timer::after(RESPITE).await;
            }
        }
    }
}
