//! A log that is written off the threads that log, and loses nothing at exit.
//!
//! Lines are formatted where they are logged and written by the worker, in order. The guard that
//! `start` returns waits for all of them when it is dropped, however `main` is left, but not for ever.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use selvedge_dispatcher::{Dispatcher, Guard, LaunchError, LaunchErrorKind, Overflow};

/// Logs from any thread; cloned freely.
#[derive(Clone)]
struct Log {
    guard: Guard,
}

/// Waits for the log at its end.
struct Closing {
    guard: Guard,
    _dispatcher: Dispatcher,
}

/// How long the end of the program may wait for the disk.
const PATIENCE: Duration = Duration::from_secs(10);

fn start() -> io::Result<(Log, Closing)> {
    let dispatcher = Dispatcher::builder()
        .name("log-writer")
        // A slow disk slows the program down; it does not fill the memory, and loses no line.
        .bound_once_open(4_096)
        .overflow(Overflow::Block)
        .on_panic(|_| eprintln!("a line could not be written"))
        .build()?;
    let guard = dispatcher.guard();
    guard.open().expect("nobody else has opened it");
    Ok((Log { guard: guard.clone() }, Closing { guard, _dispatcher: dispatcher }))
}

impl Log {
    fn line(&self, text: impl Into<String>) {
        let text = text.into();
        let write = move || {
            let mut out = io::stdout().lock();
            writeln!(out, "{text}").expect("standard output is there");
        };
        match self.guard.launch(write).as_ref().map_err(LaunchError::kind) {
            Ok(()) => {}
            Err(LaunchErrorKind::Closed) => eprintln!("logged after the end"),
            Err(other) => eprintln!("not logged: {other}"),
        }
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        match self.guard.shutdown_timeout(PATIENCE) {
            Ok(report) if report.timed_out => eprintln!("{} lines were lost", report.left),
            Ok(report) => println!("-- {} lines --", report.run),
            Err(error) => eprintln!("{error}"),
        }
    }
}

fn main() -> io::Result<()> {
    let (log, _closing) = start()?;
    thread::scope(|scope| {
        for worker in 0..3 {
            let log = log.clone();
            scope.spawn(move || {
                for step in 0..5 {
                    log.line(format!("worker {worker}: step {step}"));
                }
            });
        }
    });
    log.line("all workers are done");
    Ok(())
}
