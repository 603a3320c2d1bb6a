//! The queue: one word decides what becomes of a launch, blocks of slots carry the closures.

mod block;
mod chain;
mod head;
mod push;
mod slot;
mod tail;

pub(crate) use self::head::{Head, Look};
pub(crate) use self::push::{Queue, Reservation};
pub(crate) use self::tail::{Closed, Gate, Opened, Seen, Wake};
