//! A host event loop that drives the executor itself, beside worker threads, without a thread to spare.
//!
//! ```sh
//! cargo run -p selvedge-executor --example event_loop
//! ```

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Wake, Waker};

use selvedge_executor::{StaticExecutor, Workers};

static EX: StaticExecutor = StaticExecutor::new();

/// What the loop waits for.
enum Event {
    /// The executor asks for a turn.
    Turn,
    /// A task has something to say.
    Message(String),
}

/// Turns a wake into an event of the loop.
struct AskForTurn(Sender<Event>);

impl Wake for AskForTurn {
    fn wake(self: Arc<Self>) {
        // The loop may be over.
        let _ = self.0.send(Event::Turn);
    }
}

fn main() -> std::io::Result<()> {
    let (events, inbox): (Sender<Event>, Receiver<Event>) = channel();
    let workers = Workers::new(1).start(&EX)?;
    for number in 0..3 {
        let events = events.clone();
        EX.spawn(async move {
            let square = EX.spawn(async move { number * number }).await;
            let _ = events.send(Event::Message(format!("{number} squared is {square}")));
        })
        .detach();
    }

    let waker = Waker::from(Arc::new(AskForTurn(events)));
    let mut driver = pin!(EX.run(pending::<()>()));
    let mut turn = || _ = driver.as_mut().poll(&mut Context::from_waker(&waker));
    // The first turn; the executor asks for all others.
    turn();
    let mut messages = 0;
    while messages < 3 {
        match inbox.recv().expect("the waker keeps a sender") {
            Event::Turn => turn(),
            Event::Message(text) => {
                println!("{text}");
                messages += 1;
            }
        }
    }
    workers.shutdown();
    Ok(())
}
