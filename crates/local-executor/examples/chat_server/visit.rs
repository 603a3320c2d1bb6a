//! Guests, and what they must be told. They know nothing of the server but its address.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// How long a guest waits for a line before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longest line that is spoken here, and how many of them at most.
const SPEECH: usize = 1000;
const SPEECHES: usize = 40_000;

/// Lines that are spoken in one piece.
const FLOOD: usize = 1_000;

/// Lets some guests meet.
pub(crate) fn visit(server: SocketAddr) -> io::Result<()> {
    let mut ann = Guest::enter(server, "ann")?;
    let mut bob = Guest::enter(server, "bob")?;
    ann.hears("* bob is here")?;
    // Two lines in one piece, and a line in two.
    ann.say("hello\n/who\n")?;
    ann.hears("ann: hello")?;
    ann.hears("* here: ann, bob")?;
    bob.hears("ann: hello")?;
    bob.say("good ")?;
    bob.say("day\n")?;
    ann.hears("bob: good day")?;
    bob.hears("bob: good day")?;

    let mut other = Guest::knock(server)?;
    other.say("ann\n")?;
    other.hears("* that name is taken")?;
    other.say("not a name\n")?;
    other.hears("* a name is 1 to 20 letters and digits")?;
    other.say("cat\n")?;
    other.hears("* cat is here")?;
    // A line that has no end.
    other.say(&"x".repeat(3000))?;
    assert!(other.is_shown_out(), "a line has a limit");
    for guest in [&mut ann, &mut bob] {
        guest.hears("* cat is here")?;
        guest.hears("* cat has left")?;
    }

    // Far more lines at once than may wait for anybody: whoever listens gets them all, in order.
    ann.say(&(0..FLOOD).map(|line| format!("{line}\n")).collect::<String>())?;
    for line in 0..FLOOD {
        ann.hears(&format!("ann: {line}"))?;
        bob.hears(&format!("ann: {line}"))?;
    }

    // One who never listens must not hold the others up.
    let deaf = Guest::knock(server)?;
    deaf.say("deaf\n")?;
    bob.hears("* deaf is here")?;
    ann.hears("* deaf is here")?;
    let speech = "x".repeat(SPEECH);
    let mut spoken = 0;
    loop {
        assert!(spoken < SPEECHES, "the deaf one stayed");
        ann.say(&format!("{speech}\n"))?;
        spoken += 1;
        let told = ann.line()?;
        if told.starts_with("* deaf") {
            assert_eq!(told, "* deaf does not listen, and was shown out");
            ann.hears(&format!("ann: {speech}"))?;
            break;
        }
        assert_eq!(told, format!("ann: {speech}"));
        bob.hears(&format!("ann: {speech}"))?;
    }
    println!("the deaf guest was shown out after {spoken} lines of {SPEECH} bytes");
    drop(deaf);

    bob.say("/quit\n")?;
    ann.hears_in_time("* bob has left")?;
    assert!(bob.is_shown_out());
    ann.say("/quit\n")?;
    assert!(ann.is_shown_out());
    Ok(())
}

/// A guest's end of the connection.
struct Guest(BufReader<TcpStream>);

impl Guest {
    fn knock(server: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(server)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut guest = Self(BufReader::new(stream));
        guest.hears("* your name?")?;
        Ok(guest)
    }

    fn enter(server: SocketAddr, name: &str) -> io::Result<Self> {
        let mut guest = Self::knock(server)?;
        guest.say(&format!("{name}\n"))?;
        guest.hears(&format!("* {name} is here"))?;
        Ok(guest)
    }

    fn say(&self, text: &str) -> io::Result<()> {
        self.0.get_ref().write_all(text.as_bytes())
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn hears(&mut self, line: &str) -> io::Result<()> {
        assert_eq!(self.line()?, line);
        Ok(())
    }

    /// Hears this line sooner or later.
    fn hears_in_time(&mut self, line: &str) -> io::Result<()> {
        loop {
            let heard = self.line()?;
            assert!(!heard.is_empty(), "the room closed before it said {line:?}");
            if heard == line {
                return Ok(());
            }
        }
    }

    /// Whether the connection ends, after whatever else there is to hear.
    fn is_shown_out(&mut self) -> bool {
        match self.0.read_to_end(&mut Vec::new()) {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}
