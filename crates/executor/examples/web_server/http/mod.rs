//! HTTP/1.1, as much of it as a small site needs, and nothing that knows an executor or a reactor.

mod connection;
mod handler;
mod request;
mod response;
mod wire;

pub(crate) use connection::serve;
pub(crate) use handler::Handler;
pub(crate) use request::Request;
pub(crate) use response::Response;
pub(crate) use wire::Wire;

/// Bytes that the head of a request may have, its body not counted.
pub(crate) const HEAD_LIMIT: usize = 8 * 1024;

/// Bytes that the body of a request may have.
pub(crate) const BODY_LIMIT: usize = 64 * 1024;
