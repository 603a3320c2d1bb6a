//! One request, parsed in place.

use std::str;

use httparse::{EMPTY_HEADER, Error, Header, Status};

use super::{BODY_LIMIT, HEAD_LIMIT, Response};

/// Header lines that a request may have.
const HEADERS: usize = 64;

/// A request whose head and body are complete.
#[derive(Debug)]
pub(crate) struct Request<'b> {
    pub(crate) method: &'b str,
    /// Without the query.
    pub(crate) path: &'b str,
    pub(crate) body: &'b [u8],
    /// Whether the connection may serve another one.
    pub(crate) keep_alive: bool,
    /// Bytes that it took of the buffer; what follows is the next one.
    pub(crate) length: usize,
}

impl<'b> Request<'b> {
    /// The first request of the buffer; `None` if more must be read first.
    ///
    /// An error is the answer to give before the connection is closed, since nobody can tell where the
    /// next request starts.
    pub(crate) fn parse(buffer: &'b [u8]) -> Result<Option<Self>, Response> {
        let mut headers = [EMPTY_HEADER; HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let body_at = match head.parse(buffer) {
            Ok(Status::Complete(length)) if length <= HEAD_LIMIT => length,
            Ok(Status::Partial) if buffer.len() <= HEAD_LIMIT => return Ok(None),
            Ok(_) | Err(Error::TooManyHeaders) => return Err(Response::error(431)),
            Err(Error::Version) => return Err(Response::error(505)),
            Err(_) => return Err(Response::error(400)),
        };
        let (Some(method), Some(target)) = (head.method, head.path) else {
            return Err(Response::error(400));
        };
        let newest = head.version == Some(1);
        if newest && values(head.headers, "host").count() != 1 {
            return Err(Response::error(400));
        }
        if values(head.headers, "transfer-encoding").next().is_some() {
            return Err(Response::error(501));
        }
        let length = body_at + body_length(head.headers)?;
        let Some(body) = buffer.get(body_at..length) else { return Ok(None) };

        let says = |word: &str| {
            let mut words =
                values(head.headers, "connection").flat_map(|it| it.split(|b| *b == b','));
            words.any(|it| it.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
        };
        let keep_alive = !says("close") && (newest || says("keep-alive"));
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        Ok(Some(Self { method, path, body, keep_alive, length }))
    }
}

fn values<'h>(headers: &[Header<'h>], name: &str) -> impl Iterator<Item = &'h [u8]> {
    headers.iter().filter(move |it| it.name.eq_ignore_ascii_case(name)).map(|it| it.value)
}

/// Says it more than once, or in anything but digits: then two readers may differ about where the
/// next request starts, and that is refused.
fn body_length(headers: &[Header<'_>]) -> Result<usize, Response> {
    let mut lengths = values(headers, "content-length");
    let Some(length) = lengths.next() else { return Ok(0) };
    let digits = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
    if !digits || lengths.next().is_some() {
        return Err(Response::error(400));
    }
    let length = str::from_utf8(length).ok().and_then(|it| it.parse().ok());
    length.filter(|it| *it <= BODY_LIMIT).ok_or_else(|| Response::error(413))
}
