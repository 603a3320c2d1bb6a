//! The room: state of one thread, without a lock and without an atomic counter.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_channel::{Receiver, Sender, bounded};

/// Lines that may wait for one guest. Who lets more of them gather has to go: the room waits for nobody.
const WAITING: usize = 64;

/// Letters and digits that a name may have.
const NAME: usize = 20;

/// A line, shared by all who are to read it.
pub(crate) type Line = Rc<str>;

/// Who is here, and where to send what is said.
#[derive(Debug, Default)]
pub(crate) struct Room {
    guests: RefCell<BTreeMap<Rc<str>, Sender<Line>>>,
}

impl Room {
    /// Takes a seat under a name, and gives the lines that will come; tells why not otherwise.
    pub(crate) fn enter(
        self: Rc<Self>,
        name: &str,
    ) -> Result<(Seat, Receiver<Line>), &'static str> {
        if name.is_empty()
            || name.len() > NAME
            || !name.chars().all(|it| it.is_ascii_alphanumeric())
        {
            return Err("* a name is 1 to 20 letters and digits\n");
        }
        let name: Rc<str> = name.into();
        let (inbox, lines) = bounded(WAITING);
        if self.guests.borrow().contains_key(&name) {
            return Err("* that name is taken\n");
        }
        self.guests.borrow_mut().insert(name.clone(), inbox);
        self.say(format!("* {name} is here"));
        Ok((Seat { name, room: self }, lines))
    }

    /// Sends a line to everybody, and shows those out who do not listen.
    pub(crate) fn say(&self, line: String) {
        let line: Line = (line + "\n").into();
        let mut deaf = Vec::new();
        self.guests.borrow_mut().retain(|name, inbox| {
            let hears = inbox.try_send(line.clone()).is_ok();
            if !hears {
                deaf.push(name.clone());
            }
            hears
        });
        // No borrow is left: the ones who leave are announced by this same function.
        deaf.into_iter()
            .for_each(|name| self.say(format!("* {name} does not listen, and was shown out")));
    }

    /// The names, in order.
    pub(crate) fn names(&self) -> String {
        self.guests.borrow().keys().map(|it| &**it).collect::<Vec<_>>().join(", ")
    }
}

/// A guest's place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    name: Rc<str>,
    room: Rc<Room>,
}

impl Seat {
    /// What this guest says to the room; `false` if the guest has been shown out.
    pub(crate) fn say(&self, text: &str) -> bool {
        let seated = self.room.guests.borrow().contains_key(&self.name);
        if seated {
            self.room.say(format!("{}: {text}", self.name));
        }
        seated
    }

    /// A line for this guest alone.
    pub(crate) fn hear(&self, line: String) {
        if let Some(inbox) = self.room.guests.borrow().get(&self.name) {
            // A full inbox is found out by the next line for all.
            let _ = inbox.try_send((line + "\n").into());
        }
    }

    pub(crate) fn room(&self) -> &Room {
        &self.room
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if self.room.guests.borrow_mut().remove(&self.name).is_some() {
            self.room.say(format!("* {} has left", self.name));
        }
    }
}
