//! A channel of the standard library, with a worker and a flush written by hand.

use std::{
    sync::mpsc::{SendError, Sender, SyncSender, channel, sync_channel},
    thread::JoinHandle,
};

use super::{Task, join, wait_for_marker, worker};
use crate::dispatcher::{Bounded, DispatcherSubject};

/// A channel of the standard library.
#[derive(Debug)]
pub struct StdMpsc;

/// The two senders of the standard library.
#[derive(Clone, Debug)]
pub enum AnySender {
    /// Of a channel without a bound.
    Unbounded(Sender<Task>),
    /// Of a channel with one.
    Bounded(SyncSender<Task>),
}

impl AnySender {
    #[inline]
    fn send(&self, task: Task) -> Result<(), SendError<Task>> {
        match self {
            Self::Unbounded(sender) => sender.send(task),
            Self::Bounded(sender) => sender.send(task),
        }
    }
}

impl DispatcherSubject for StdMpsc {
    const NAME: &'static str = "std-mpsc";

    type Dispatcher = (AnySender, JoinHandle<()>);
    type Guard = AnySender;

    fn new() -> Self::Dispatcher {
        let (sender, receiver) = channel();
        (AnySender::Unbounded(sender), worker(|| receiver.into_iter().for_each(|task| task())))
    }

    fn guard(dispatcher: &Self::Dispatcher) -> Self::Guard {
        dispatcher.0.clone()
    }

    fn launch(guard: &Self::Guard, task: impl FnOnce() + Send + 'static) {
        guard.send(Box::new(task)).expect("an open channel");
    }

    fn flush(guard: &Self::Guard) {
        wait_for_marker::<Self>(guard);
    }

    fn shutdown((sender, worker): Self::Dispatcher) {
        drop(sender);
        join(worker);
    }
}

impl Bounded for StdMpsc {
    fn bounded(bound: usize) -> Self::Dispatcher {
        let (sender, receiver) = sync_channel(bound);
        (AnySender::Bounded(sender), worker(|| receiver.into_iter().for_each(|task| task())))
    }
}
