//! One guest: a socket, and a task that reads and writes it.

use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::rc::Rc;
use std::time::Duration;

use async_io::{Async, Timer};
use futures_lite::future::{or, yield_now};
use futures_lite::io::BufReader;
use futures_lite::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};

use crate::room::{Room, Seat};

/// Bytes that a line may have.
const LINE: u64 = 1024;

/// How long one line may take to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks for a name, then carries lines both ways until the guest or the room has enough.
pub(crate) async fn attend(stream: Async<TcpStream>, room: Rc<Room>) -> io::Result<()> {
    let mut lines = BufReader::new(&stream);
    write(&stream, "* your name?\n").await?;
    let (seat, inbox) = loop {
        let Some(name) = read(&mut lines).await? else { return Ok(()) };
        match room.clone().enter(&name) {
            Ok(seated) => break seated,
            Err(why) => write(&stream, why).await?,
        }
    };
    let listens = async {
        // Ends when the seat is given up, and everything that was said before has been written.
        while let Ok(line) = inbox.recv().await {
            write(&stream, &line).await?;
        }
        Ok(())
    };
    let speaks = async {
        converse(&mut lines, seat).await?;
        pending().await
    };
    or(listens, speaks).await
}

async fn converse(lines: &mut BufReader<&Async<TcpStream>>, seat: Seat) -> io::Result<()> {
    while let Some(line) = read(lines).await? {
        match &*line {
            "" => {}
            "/quit" => break,
            "/who" => seat.hear(format!("* here: {}", seat.room().names())),
            command if command.starts_with('/') => seat.hear("* /who, /quit".to_owned()),
            text => {
                if !seat.say(text) {
                    break;
                }
            }
        }
        // However much one guest has to say, the others are written to after each line.
        yield_now().await;
    }
    Ok(())
}

/// The next line without its end; `None` at the end of the input.
async fn read(lines: &mut BufReader<&Async<TcpStream>>) -> io::Result<Option<String>> {
    let mut line = String::new();
    lines.take(LINE).read_line(&mut line).await?;
    match line.pop() {
        None => Ok(None),
        Some('\n') => Ok(Some(line.trim().to_owned())),
        Some(_) => Err(io::Error::new(ErrorKind::InvalidData, "a line without an end")),
    }
}

async fn write(mut stream: &Async<TcpStream>, line: &str) -> io::Result<()> {
    let late = async {
        Timer::after(PATIENCE).await;
        Err(ErrorKind::TimedOut.into())
    };
    or(stream.write_all(line.as_bytes()), late).await
}
