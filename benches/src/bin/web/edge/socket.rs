//! A socket of the reactor, and who accepts them.

use std::io::{self, Read, Write};
use std::net::Shutdown;

use mio::net::{TcpListener, TcpStream};

use super::reactor::Reactor;
use super::registered::Registered;
use super::source::Way;
use crate::http::Wire;

/// A socket of the reactor.
#[derive(Debug)]
pub(crate) struct EdgeSocket(Registered<TcpStream>);

impl EdgeSocket {
    pub(super) fn new(stream: TcpStream, reactor: &'static Reactor) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self(Registered::new(stream, reactor)?))
    }
}

impl Wire for EdgeSocket {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len();
        // The end is no short read: it is there again the next time.
        let short = |&length: &usize| (1..size).contains(&length);
        self.0.attempt(Way::In, |mut stream| stream.read(buffer), short).await
    }

    async fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let short = |&length: &usize| (1..bytes.len()).contains(&length);
            match self.0.attempt(Way::Out, |mut stream| stream.write(bytes), short).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                length => bytes = &bytes[length..],
            }
        }
        Ok(())
    }

    async fn end_of_output(&mut self) -> io::Result<()> {
        self.0.io().shutdown(Shutdown::Write)
    }
}

/// Accepts connections for ever, and hands each to `spawn` as a future that serves it.
pub(crate) async fn accept<F>(
    listener: std::net::TcpListener,
    reactor: &'static Reactor,
    connection: impl Fn(EdgeSocket) -> F,
    spawn: impl Fn(F),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = Registered::new(TcpListener::from_std(listener), reactor)?;
    loop {
        let (stream, _) = listener.attempt(Way::In, TcpListener::accept, |_| false).await?;
        spawn(connection(EdgeSocket::new(stream, reactor)?));
    }
}
