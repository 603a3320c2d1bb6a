//! One connection, from its first request to its last.

use std::io;

use super::{BODY_LIMIT, Handler, Request, Wire};

/// Bytes read at once.
const READ: usize = 4 * 1024;

/// Answers that are gathered before they are written: those to requests that came in one piece.
const GATHERED: usize = 64 * 1024;

/// Answers requests until the peer, or an answer, ends the connection.
///
/// Requests may come in any number of pieces, and several in one (pipelining): they are answered in
/// order, and the answers to those that came together are written together.
pub(crate) async fn serve(wire: &mut impl Wire, handler: &impl Handler) -> io::Result<()> {
    let (mut input, mut output) = (Vec::new(), Vec::new());
    let mut piece = [0; READ];
    loop {
        let mut taken = 0;
        loop {
            let (response, keep_alive, with_body) = match Request::parse(&input[taken..]) {
                Ok(None) => break,
                Ok(Some(request)) => {
                    taken += request.length;
                    (handler.answer(&request), request.keep_alive, request.method != "HEAD")
                }
                Err(refusal) => (refusal, false, true),
            };
            handler.answered(&response);
            response.write(&mut output, keep_alive, with_body);
            if !keep_alive {
                wire.write_all(&output).await?;
                return last_words(wire).await;
            }
            if output.len() >= GATHERED {
                wire.write_all(&output).await?;
                output.clear();
            }
        }
        input.drain(..taken);
        wire.write_all(&output).await?;
        output.clear();
        match wire.read(&mut piece).await? {
            0 if input.is_empty() => return Ok(()),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            length => input.extend_from_slice(&piece[..length]),
        }
    }
}

/// Takes what the peer is sending still. A socket that is closed with unread bytes is reset, and the
/// last answer may get lost with it.
async fn last_words(wire: &mut impl Wire) -> io::Result<()> {
    wire.end_of_output().await?;
    let mut piece = [0; READ];
    let mut left = 2 * BODY_LIMIT;
    while left > 0 {
        match wire.read(&mut piece).await? {
            0 => break,
            length => left = left.saturating_sub(length),
        }
    }
    Ok(())
}
