//! A crawler: asks for pages, follows their links, and keeps a few requests going at once, each with a
//! time limit and a second try.
//!
//! ```sh
//! cargo run -p selvedge-combinators --example crawler
//! ```
//!
//! All requests are children of one [`FutureGroup`], and there is neither a task nor a channel: the group
//! is filled up to a limit, gives what is done first, and polls only the requests whose sockets have
//! something to say. A time limit is a [`race`] of the request with a timer, which drops the loser and
//! its socket with it.
//!
//! The site is made up, on the loopback: pages that link to each other in circles, links to nowhere, and
//! pages that never come.
//!
//! [`race`]: selvedge_combinators::future::Race
#![expect(clippy::std_instead_of_core, reason = "an example runs on std")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use async_io::{Async, Timer, block_on};
use futures_lite::{AsyncReadExt, AsyncWriteExt, StreamExt};
use selvedge_combinators::future::{FutureGroup, Race};

/// Requests that are under way at once.
const LIMIT: usize = 8;

/// How long a request may take, and how often it is made.
const PATIENCE: Duration = Duration::from_millis(800);
const TRIES: usize = 2;

/// What became of a request.
#[derive(Debug)]
enum Outcome {
    /// A page, with its links.
    Page(Vec<String>),
    /// The server said that there is none.
    Missing,
    TimedOut,
    Failed(io::Error),
}

/// What a crawl found.
#[derive(Debug, Default)]
struct Found {
    pages: BTreeSet<String>,
    missing: BTreeSet<String>,
    timed_out: BTreeSet<String>,
    /// Most requests that were under way at once.
    peak: usize,
}

async fn crawl(server: SocketAddr) -> io::Result<Found> {
    let mut found = Found::default();
    let mut known = BTreeSet::from(["/0".to_owned()]);
    let mut frontier = VecDeque::from_iter(known.clone());
    let mut requests = FutureGroup::with_capacity(LIMIT);
    loop {
        while requests.len() < LIMIT {
            let Some(path) = frontier.pop_front() else { break };
            requests.insert(visit(server, path));
        }
        found.peak = found.peak.max(requests.len());
        // Nothing under way and nothing left to ask for.
        let Some((path, outcome)) = requests.next().await else { return Ok(found) };
        match outcome {
            Outcome::Page(links) => {
                let new = links.into_iter().filter(|link| known.insert(link.clone()));
                frontier.extend(new);
                found.pages.insert(path);
            }
            Outcome::Missing => _ = found.missing.insert(path),
            Outcome::TimedOut => _ = found.timed_out.insert(path),
            Outcome::Failed(error) => return Err(error),
        }
    }
}

/// Asks for a page until there is an answer, so many times.
async fn visit(server: SocketAddr, path: String) -> (String, Outcome) {
    for _ in 0..TRIES {
        let request = async { fetch(server, &path).await.unwrap_or_else(Outcome::Failed) };
        let limit = async {
            Timer::after(PATIENCE).await;
            Outcome::TimedOut
        };
        match (request, limit).race().await {
            Outcome::TimedOut => {}
            outcome => return (path, outcome),
        }
    }
    (path, Outcome::TimedOut)
}

async fn fetch(server: SocketAddr, path: &str) -> io::Result<Outcome> {
    let mut stream = Async::<TcpStream>::connect(server).await?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let Some((head, page)) = answer.split_once("\r\n\r\n") else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    Ok(match head {
        "HTTP/1.0 200 OK" => Outcome::Page(links(page)),
        _ => Outcome::Missing,
    })
}

fn links(page: &str) -> Vec<String> {
    let parts = page.split("href=\"").skip(1);
    parts.filter_map(|it| Some(it.split_once('"')?.0.to_owned())).collect()
}

/// The pages of the site.
const PAGES: usize = 200;

/// A page: two that follow, the one before, itself, and for some a link that leads nowhere.
fn page(number: usize) -> String {
    let following = (2 * number + 1..=2 * number + 2).filter(|it| *it < PAGES);
    let mut page = String::new();
    for link in following.chain([number, number / 2]) {
        page += &format!("<a href=\"/{link}\">{link}</a>\n");
    }
    if number % 40 == 1 {
        page += &format!("<a href=\"/missing/{number}\">?</a>\n");
        page += &format!("<a href=\"/never/{number}\">?</a>\n");
    }
    page
}

/// Answers one request after another until it is asked for the end, and tells how often each page was
/// asked for. Pages that never come keep their connection.
fn serve(listener: &TcpListener) -> io::Result<BTreeMap<String, usize>> {
    let mut asked = BTreeMap::new();
    let mut kept = Vec::new();
    for stream in listener.incoming() {
        let mut reader = BufReader::new(stream?);
        let mut request = String::new();
        reader.read_line(&mut request)?;
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        *asked.entry(path.clone()).or_default() += 1;
        // The empty line, so that nothing unread resets the connection.
        reader.read_line(&mut request)?;
        let mut stream = reader.into_inner();
        match path.trim_start_matches('/') {
            "end" => break,
            held if held.starts_with("never/") => kept.push(stream),
            number => {
                let answer = match number.parse() {
                    Ok(number) if number < PAGES => {
                        format!("HTTP/1.0 200 OK\r\n\r\n{}", page(number))
                    }
                    _ => "HTTP/1.0 404 Not Found\r\n\r\n".to_owned(),
                };
                stream.write_all(answer.as_bytes())?;
            }
        }
    }
    Ok(asked)
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let server = listener.local_addr()?;
    let site = thread::spawn(move || serve(&listener));

    let found = block_on(crawl(server));
    TcpStream::connect(server)?.write_all(b"GET /end HTTP/1.0\r\n\r\n")?;
    let asked = site.join().expect("the site does not panic")?;
    let found = found?;

    println!("{} pages, at most {} requests at once", found.pages.len(), found.peak);
    println!("missing: {:?}", found.missing);
    println!("never came: {:?}", found.timed_out);
    let dead = |kind: &str| (1..PAGES).step_by(40).map(|it| format!("/{kind}/{it}")).collect();
    assert_eq!(found.pages, (0..PAGES).map(|it| format!("/{it}")).collect());
    assert_eq!(found.missing, dead("missing"));
    assert_eq!(found.timed_out, dead("never"));
    assert_eq!(found.peak, LIMIT);
    for path in &found.timed_out {
        assert_eq!(asked[path], TRIES);
    }
    // One request for each page but where the machine was so slow that a second one was made.
    assert!(asked.values().all(|times| *times <= TRIES));
    Ok(())
}
