//! One answer.

use std::borrow::Cow;
use std::io::Write;

/// An answer with its body.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    content_type: &'static str,
    /// Methods that would have done.
    allow: Option<&'static str>,
    body: Cow<'static, [u8]>,
}

impl Response {
    /// What was asked for.
    pub(crate) fn ok(content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { status: 200, content_type, allow: None, body: body.into() }
    }

    /// An answer that says why there is no other.
    pub(crate) fn error(status: u16) -> Self {
        let body = format!("{status} {}\n", reason(status)).into_bytes().into();
        Self { status, content_type: "text/plain; charset=utf-8", allow: None, body }
    }

    /// The path is there, and wants another method.
    pub(crate) fn wants(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Self::error(405) }
    }

    /// Appends the answer as it goes over the wire; without its body if that was not asked for.
    pub(crate) fn write(&self, output: &mut Vec<u8>, keep_alive: bool, with_body: bool) {
        let Self { status, content_type, body, .. } = self;
        let line = format_args!("HTTP/1.1 {status} {}\r\n", reason(*status));
        let connection = if keep_alive { "keep-alive" } else { "close" };
        let allow = self.allow.map(|it| format!("Allow: {it}\r\n")).unwrap_or_default();
        write!(
            output,
            "{line}Content-Type: {content_type}\r\nContent-Length: {}\r\n{allow}\
             Connection: {connection}\r\n\r\n",
            body.len(),
        )
        .expect("a vector takes all");
        if with_body {
            output.extend_from_slice(body);
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    }
}
