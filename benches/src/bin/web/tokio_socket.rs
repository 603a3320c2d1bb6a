//! A socket of tokio.

use std::io;

use ::tokio::io::{AsyncReadExt, AsyncWriteExt};
use ::tokio::net::TcpStream;

use crate::http::Wire;

/// A socket of tokio.
#[derive(Debug)]
pub(crate) struct TokioSocket(pub(crate) TcpStream);

impl Wire for TokioSocket {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).await
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    async fn end_of_output(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }
}
