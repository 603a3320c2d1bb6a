//! The load generator: some connections, each of which asks as soon as it has been answered.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::str;
use std::time::{Duration, Instant};

use async_io::Async;
use futures_lite::{AsyncReadExt, AsyncWriteExt};
use selvedge_executor::Executor;

/// What is asked for, again and again.
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: load\r\n\r\n";

/// What a load showed.
#[derive(Debug)]
pub(crate) struct Figures {
    connections: usize,
    elapsed: Duration,
    /// Of each request, sorted.
    latencies: Vec<Duration>,
}

/// Puts the server under load. Every answer must be the same, and 200.
pub(crate) async fn load(
    ex: &Executor<'_>,
    server: SocketAddr,
    connections: usize,
    requests: usize,
) -> io::Result<Figures> {
    let each = requests.div_ceil(connections);
    let started = Instant::now();
    let mut clients = Vec::new();
    ex.spawn_many((0..connections).map(|_| client(server, each)), &mut clients);
    let mut latencies = Vec::with_capacity(each * connections);
    for client in clients {
        latencies.append(&mut client.await?);
    }
    let elapsed = started.elapsed();
    latencies.sort_unstable();
    Ok(Figures { connections, elapsed, latencies })
}

/// One connection, and how long each of its answers took.
async fn client(server: SocketAddr, requests: usize) -> io::Result<Vec<Duration>> {
    let mut stream = Async::<TcpStream>::connect(server).await?;
    stream.get_ref().set_nodelay(true)?;
    let mut latencies = Vec::with_capacity(requests);
    let (mut answer, mut first) = (Vec::new(), Vec::new());
    for _ in 0..requests {
        let asked = Instant::now();
        stream.write_all(REQUEST).await?;
        read_answer(&mut stream, &mut answer).await?;
        latencies.push(asked.elapsed());
        if first.is_empty() {
            first.clone_from(&answer);
        } else if answer != first {
            return Err(io::Error::other("two answers to one question"));
        }
    }
    Ok(latencies)
}

/// Reads one answer, and nothing after it, since nothing more was asked for.
async fn read_answer(stream: &mut Async<TcpStream>, answer: &mut Vec<u8>) -> io::Result<()> {
    let mut piece = [0; 16 * 1024];
    answer.clear();
    loop {
        match stream.read(&mut piece).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            length => answer.extend_from_slice(&piece[..length]),
        }
        match length_of(answer)? {
            Some(length) if answer.len() == length => return Ok(()),
            Some(length) if answer.len() > length => {
                return Err(io::Error::other("more than one answer to one question"));
            }
            _ => {}
        }
    }
}

/// How long the answer is in all, if its head is there.
fn length_of(answer: &[u8]) -> io::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(body_at) = head.parse(answer).map_err(io::Error::other)? else {
        return Ok(None);
    };
    if head.code != Some(200) {
        return Err(io::Error::other(format!("status {:?}", head.code)));
    }
    let length = head.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|it| str::from_utf8(it.value).ok()?.parse::<usize>().ok());
    length
        .map(|it| Some(body_at + it))
        .ok_or_else(|| io::Error::other("an answer without a length"))
}

impl Figures {
    pub(crate) fn requests(&self) -> usize {
        self.latencies.len()
    }

    /// The latency that so many per mille of the requests did not exceed.
    fn per_mille(&self, rank: usize) -> f64 {
        let at = (self.latencies.len() * rank).div_ceil(1000).max(1) - 1;
        self.latencies[at].as_secs_f64() * 1e6
    }
}

/// One figure a line, for people and for scripts.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        writeln!(f, "connections  {}", self.connections)?;
        writeln!(f, "requests     {}", self.requests())?;
        writeln!(f, "seconds      {seconds:.3}")?;
        writeln!(f, "requests/s   {:.0}", self.requests() as f64 / seconds)?;
        writeln!(f, "p50 µs       {:.0}", self.per_mille(500))?;
        writeln!(f, "p99 µs       {:.0}", self.per_mille(990))?;
        write!(f, "max µs       {:.0}", self.per_mille(1000))
    }
}
