//! A chat room: state that is not `Send` on one thread, and guests who join from another.
//!
//! The room lives in an `Rc<RefCell<..>>` without a lock. The network thread reaches it through a
//! `Spawner`: each task that it sends is built, run and dropped on the room's own thread.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread;

use futures_lite::future::yield_now;
use selvedge_local_executor::{LocalExecutor, Spawner};

const GUESTS: usize = 50;
const LINES: usize = 20;

/// Everything that the room knows.
#[derive(Default)]
struct Room {
    lines: Vec<String>,
    spoken: BTreeMap<String, usize>,
}

impl Room {
    fn say(&mut self, guest: &str, line: &str) {
        self.lines.push(format!("{guest}: {line}"));
        *self.spoken.entry(guest.to_owned()).or_default() += 1;
    }
}

thread_local! {
    static ROOM: Rc<RefCell<Room>> = Rc::default();
}

/// What the network does: one task for each guest, sent to the room's thread.
fn network(spawner: &Spawner) -> usize {
    let guests: Vec<_> = (0..GUESTS)
        .map(|number| {
            let guest = format!("guest {number}");
            let enter = move || {
                let room = ROOM.with(Rc::clone);
                async move {
                    for line in 0..LINES {
                        room.borrow_mut().say(&guest, &format!("line {line}"));
                        yield_now().await;
                    }
                    room.borrow().spoken[&guest]
                }
            };
            spawner.spawn_with(enter).expect("the room is open")
        })
        .collect();
    guests.into_iter().map(futures_lite::future::block_on).sum()
}

fn main() {
    let ex = LocalExecutor::new();
    let (report, reported) = async_channel::bounded(1);
    let spawner = ex.spawner();
    let network = thread::spawn(move || report.send_blocking(network(&spawner)));

    let heard = ex.block_on(reported.recv()).expect("the network reports before it ends");
    network.join().expect("the network does not panic").expect("somebody listens");

    ROOM.with(|room| {
        let room = room.borrow();
        println!("{} guests spoke {} lines", room.spoken.len(), room.lines.len());
        assert_eq!(room.spoken.len(), GUESTS);
        assert_eq!(room.lines.len(), GUESTS * LINES);
        assert_eq!(heard, GUESTS * LINES);
    });
}
