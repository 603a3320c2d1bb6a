//! What a connection needs of its socket.

use std::io;

/// A socket of whatever reactor.
pub(crate) trait Wire: Send {
    /// Reads what has come, at least one byte; none at the end.
    fn read(&mut self, buffer: &mut [u8]) -> impl Future<Output = io::Result<usize>> + Send;

    /// Writes all of it.
    fn write_all(&mut self, bytes: &[u8]) -> impl Future<Output = io::Result<()>> + Send;

    /// Tells the peer that nothing more will be written.
    fn end_of_output(&mut self) -> impl Future<Output = io::Result<()>> + Send;
}
