//! What a server must answer, asked over real sockets.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpStream};

use async_io::Async;
use futures_lite::{AsyncReadExt, AsyncWriteExt};

use crate::http::{BODY_LIMIT, HEAD_LIMIT};
use crate::site::PAGE;

/// Asks everything, and panics at an answer that is wrong.
pub(crate) async fn check(server: SocketAddr) -> io::Result<()> {
    let ask = async |request: &str| exchange(server, &[request.as_bytes()]).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: here\r\n\r\n");

    let page = ask(&get("/?and=a&query")).await?;
    assert_eq!(statuses(&page), [200]);
    assert!(page.ends_with(PAGE) && page.contains(&format!("Content-Length: {}\r\n", PAGE.len())));
    let head = ask("HEAD / HTTP/1.1\r\nHost: here\r\n\r\n").await?;
    assert_eq!(head, page.strip_suffix(PAGE).unwrap(), "a HEAD is a GET without its body");
    let stats = ask(&get("/stats")).await?;
    assert!(stats.contains("\"answers\": 2, \"errors\": 0}"), "{stats}");

    // Keep-alive, and several requests in one piece, the last of which ends the connection: what
    // comes after it is not answered.
    let echo = "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nwarp";
    let last = "GET /none HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    let answers = ask(&[&get("/"), echo, last, echo].concat()).await?;
    assert_eq!(statuses(&answers), [200, 200, 404]);
    assert!(answers.contains("\r\n\r\nwarpHTTP/1.1 404 "), "answers come in order");
    // The same, a byte at a time.
    let bytes: Vec<_> = echo.as_bytes().chunks(1).collect();
    assert!(exchange(server, &bytes).await?.ends_with("\r\n\r\nwarp"));

    let old = ask("GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n").await?;
    assert_eq!(statuses(&old), [200], "1.0 keeps a connection only if asked");
    let kept = "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
    assert_eq!(statuses(&ask(&kept.repeat(2)).await?), [200, 200]);

    let wrong = ask("DELETE /echo HTTP/1.1\r\nHost: here\r\n\r\n").await?;
    assert!(wrong.contains("Allow: POST\r\n"));
    assert_eq!(statuses(&wrong), [405]);
    let long = format!("GET / HTTP/1.1\r\nHost: here\r\nLong: {}\r\n\r\n", "x".repeat(HEAD_LIMIT));
    let body = |length: &str| format!("POST /echo HTTP/1.1\r\nHost: here\r\n{length}\r\n\r\n");
    let refused = [
        ("{\"this\": \"is no request\"}\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/3.0\r\nHost: here\r\n\r\n".to_owned(), 505),
        (body("Content-Length: -1"), 400),
        (body("Content-Length: 3\r\nContent-Length: 4"), 400),
        (body("Transfer-Encoding: chunked"), 501),
        (body(&format!("Content-Length: {}", BODY_LIMIT + 1)) + &"x".repeat(BODY_LIMIT + 1), 413),
        (body(&format!("Content-Length: 1{}", "0".repeat(40))), 413),
        (long, 431),
    ];
    for (request, status) in refused {
        // Whatever follows is not taken for a request.
        let answer = ask(&(request.clone() + &get("/"))).await?;
        assert_eq!(statuses(&answer), [status], "{request:.60}");
        assert!(answer.contains("Connection: close\r\n"));
    }
    let largest = "x".repeat(BODY_LIMIT);
    let echo = body(&format!("Content-Length: {BODY_LIMIT}")) + &largest;
    assert!(ask(&echo).await?.ends_with(&largest));
    Ok(())
}

/// Sends the pieces, and gives all that comes back.
async fn exchange(server: SocketAddr, pieces: &[&[u8]]) -> io::Result<String> {
    let mut stream = Async::<TcpStream>::connect(server).await?;
    stream.get_ref().set_nodelay(true)?;
    for piece in pieces {
        stream.write_all(piece).await?;
    }
    stream.get_ref().shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

fn statuses(answers: &str) -> Vec<u16> {
    // The page speaks of the protocol too, but not of a status.
    answers.split("HTTP/1.1 ").filter_map(|it| it.get(..3)?.parse().ok()).collect()
}
