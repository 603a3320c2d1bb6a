//! A socket of async-io, which gives up on a peer that says nothing.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use async_io::{Async, Timer};
use futures_lite::future::or;

use crate::http::Wire;
use crate::stream::Stream;

/// How long a peer may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// A socket with a limit on each wait.
#[derive(Debug)]
pub(crate) struct Socket(Stream);

impl Socket {
    pub(crate) fn new(stream: Async<TcpStream>) -> io::Result<Self> {
        Stream::new(stream).map(Self)
    }
}

impl Wire for Socket {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        in_time(self.0.read(buffer)).await
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        in_time(self.0.write_all(bytes)).await
    }

    async fn end_of_output(&mut self) -> io::Result<()> {
        self.0.end_of_output()
    }
}

/// The timer is made only when the socket has nothing for us: `or` polls it second.
async fn in_time<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let late = async {
        Timer::after(PATIENCE).await;
        Err(io::ErrorKind::TimedOut.into())
    };
    or(work, late).await
}
