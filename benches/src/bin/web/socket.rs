//! A socket of async-io, and who accepts them.

use std::io;
use std::net::TcpListener;

use async_io::Async;

use crate::http::{Wire, serve};
use crate::site::Site;
use crate::stream::Stream;

/// A socket of async-io.
#[derive(Debug)]
pub(crate) struct Socket(Stream);

impl Wire for Socket {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).await
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    async fn end_of_output(&mut self) -> io::Result<()> {
        self.0.end_of_output()
    }
}

/// Accepts connections for ever, and hands each to `spawn` as a future that serves it.
pub(crate) async fn accept<F>(
    listener: TcpListener,
    site: &'static Site,
    connection: impl Fn(Socket, &'static Site) -> F,
    spawn: impl Fn(F),
) -> io::Result<()> {
    let listener = Async::new(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        spawn(connection(Socket(Stream::new(stream)?), site));
    }
}

/// One connection.
pub(crate) async fn connection(mut socket: impl Wire, site: &'static Site) {
    let _open = site.connected();
    // A peer that breaks off hurts nobody.
    let _ = serve(&mut socket, site).await;
}
