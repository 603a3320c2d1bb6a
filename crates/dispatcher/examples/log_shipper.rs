//! Ships a log over the network, off the threads that log, and loses nothing on the way.
//!
//! ```sh
//! cargo run -p selvedge-dispatcher --example log_shipper
//! ```
//!
//! A record is formatted and shipped on the dispatcher's worker. What can go wrong, does here:
//!
//! * the sink is slow: the queue is bounded, so those who log wait, and the memory stays small;
//! * the sink breaks the connection off, before or after it took a batch: the batch is sent again, and
//!   its number tells the sink whether it has it already;
//! * a record panics while it is formatted: the hook counts it, and the worker goes on;
//! * the program panics: the log is closed in unwinding, and what was logged until then is shipped.
//!
//! The sink, on the loopback, is part of the program, and checks that each record came once and in order.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use selvedge_dispatcher::{Dispatcher, Guard, LaunchError, Overflow};

/// Records that may wait, and those that are shipped together at most.
const WAITING: usize = 256;
const BATCH: usize = 64;

/// How long the end of the program may wait for the sink.
const PATIENCE: Duration = Duration::from_secs(30);

/// Logs from any thread; cloned freely.
#[derive(Clone)]
struct Log {
    guard: Guard,
    outbox: Arc<Mutex<Outbox>>,
}

impl Log {
    /// Logs what `record` gives. It runs on the worker; this waits only if too many others wait already.
    fn record(&self, record: impl FnOnce() -> String + Send + 'static) {
        let (outbox, guard) = (self.outbox.clone(), self.guard.clone());
        let ship = move || {
            // Before the lock: a record that panics must not poison it.
            let line = record();
            let mut outbox = outbox.lock().expect("nothing panics under this lock");
            outbox.lines.push(line);
            // A full batch, or the last record for now.
            if outbox.lines.len() == BATCH || guard.stats().queued == 0 {
                outbox.ship();
            }
        };
        if let Err(refused) = self.guard.launch(ship).as_ref().map_err(LaunchError::kind) {
            eprintln!("not logged: {refused}");
        }
    }
}

/// Closes the log when it is dropped, in unwinding too.
struct Closing {
    log: Log,
    panicked: Arc<AtomicUsize>,
    _dispatcher: Dispatcher,
}

impl Closing {
    fn start(sink: SocketAddr) -> io::Result<Self> {
        let panicked = Arc::new(AtomicUsize::new(0));
        let count = panicked.clone();
        let dispatcher = Dispatcher::builder()
            .name("log-shipper")
            .bound_once_open(WAITING)
            .overflow(Overflow::Block)
            .on_panic(move |_| _ = count.fetch_add(1, Relaxed))
            .build()?;
        let guard = dispatcher.guard();
        guard.open().expect("nobody else has opened it");
        let outbox = Outbox { sink, connection: None, number: 0, lines: Vec::new() };
        let log = Log { guard, outbox: Arc::new(Mutex::new(outbox)) };
        Ok(Self { log, panicked, _dispatcher: dispatcher })
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        // If the last record panicked, the lines before it are still here.
        let outbox = self.log.outbox.clone();
        let rest = move || outbox.lock().expect("nothing panics under this lock").ship();
        if self.log.guard.launch(rest).is_err() {
            eprintln!("the log was closed before its end");
        }
        match self.log.guard.shutdown_timeout(PATIENCE) {
            Ok(report) if report.timed_out => eprintln!("{} records were not shipped", report.left),
            Ok(_) => {}
            Err(error) => eprintln!("the log was not closed: {error}"),
        }
    }
}

/// What the worker keeps. Tasks alone lock it, so it is never contended.
struct Outbox {
    sink: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
    /// Of the next batch.
    number: usize,
    lines: Vec<String>,
}

impl Outbox {
    /// Sends the lines until the sink says that it has them.
    fn ship(&mut self) {
        while !self.lines.is_empty() {
            match self.send() {
                Ok(()) => {
                    self.number += 1;
                    self.lines.clear();
                }
                Err(_) => {
                    self.connection = None;
                    // Whatever it was, a moment may help. The worker has nothing better to do.
                    thread::sleep(Duration::from_millis(1));
                }
            }
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(BufReader::new(TcpStream::connect(self.sink)?)),
        };
        let mut message = format!("{} {}\n", self.number, self.lines.len());
        for line in &self.lines {
            message += line;
            message.push('\n');
        }
        connection.get_ref().write_all(message.as_bytes())?;
        let mut answer = String::new();
        connection.read_line(&mut answer)?;
        if answer.trim_end() == self.number.to_string() {
            return Ok(());
        }
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// What the sink took, and how often it was in a bad mood.
#[derive(Default)]
struct Taken {
    lines: Vec<String>,
    batches: usize,
    broken_off: usize,
}

/// Takes batches, slowly, until a connection ends after a whole one.
fn sink(listener: &TcpListener) -> io::Result<Taken> {
    let mut taken = Taken::default();
    let mut mood = 0;
    loop {
        let (stream, _) = listener.accept()?;
        let mut stream = BufReader::new(stream);
        loop {
            let Some((number, lines)) = read_batch(&mut stream)? else { return Ok(taken) };
            mood += 1;
            // Slow, and not to be relied upon.
            thread::sleep(Duration::from_millis(1));
            if mood % 7 == 3 {
                taken.broken_off += 1;
                break;
            }
            if number == taken.batches {
                taken.batches += 1;
                taken.lines.extend(lines);
            }
            if mood % 5 == 4 {
                taken.broken_off += 1;
                break;
            }
            stream.get_ref().write_all(format!("{number}\n").as_bytes())?;
        }
    }
}

fn read_batch(stream: &mut impl BufRead) -> io::Result<Option<(usize, Vec<String>)>> {
    let mut head = String::new();
    if stream.read_line(&mut head)? == 0 {
        return Ok(None);
    }
    let number = |text: Option<&str>| text.and_then(|it| it.parse().ok());
    let mut numbers = head.trim_end().split(' ');
    let (Some(batch), Some(count)) = (number(numbers.next()), number(numbers.next())) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let lines = stream.lines().take(count).collect::<io::Result<Vec<_>>>()?;
    Ok(Some((batch, lines)))
}

const THREADS: usize = 4;
const RECORDS: usize = 2_000;

/// Of so many records one panics.
const BAD: usize = 100;

/// A program that logs from some threads, and ends in a panic.
fn program(closing: &Closing) {
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let log = closing.log.clone();
            scope.spawn(move || {
                for record in 0..RECORDS {
                    log.record(move || {
                        assert!(record % BAD != 99, "a record that cannot be formatted");
                        format!("{thread} {record}")
                    });
                }
            });
        }
    });
    panic!("the program went wrong");
}

fn main() -> io::Result<()> {
    // Expected here, and many.
    std::panic::set_hook(Box::new(|_| {}));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let sink = thread::spawn(move || sink(&listener));

    let closing = Closing::start(address)?;
    let panicked = closing.panicked.clone();
    let ended = catch_unwind(AssertUnwindSafe(move || {
        program(&closing);
        drop(closing);
    }));
    drop(std::panic::take_hook());
    assert!(ended.is_err(), "the program panics");

    let taken = sink.join().expect("the sink does not panic")?;
    println!("{} records in {} batches", taken.lines.len(), taken.batches);
    println!("{} records panicked", panicked.load(Relaxed));
    println!("{} times the sink broke off", taken.broken_off);
    assert_eq!(panicked.load(Relaxed), THREADS * RECORDS / BAD);
    for thread in 0..THREADS {
        let came: Vec<_> =
            taken.lines.iter().filter_map(|it| it.strip_prefix(&format!("{thread} "))).collect();
        let logged = (0..RECORDS).filter(|record| record % BAD != 99).map(|it| it.to_string());
        assert!(came.into_iter().eq(logged), "each record once, in order");
    }
    assert_eq!(taken.lines.len(), THREADS * (RECORDS - RECORDS / BAD));
    assert!(taken.broken_off > 0);
    Ok(())
}
