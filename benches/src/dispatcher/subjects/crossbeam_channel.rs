//! A channel of crossbeam-channel, with a worker and a flush written by hand.

use std::thread::JoinHandle;

use ::crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::{Task, join, wait_for_marker, worker};
use crate::dispatcher::{Bounded, DispatcherSubject};

/// A channel of crossbeam-channel.
#[derive(Debug)]
pub struct CrossbeamChannel;

impl DispatcherSubject for CrossbeamChannel {
    const NAME: &'static str = "crossbeam-channel";

    type Dispatcher = (Sender<Task>, JoinHandle<()>);
    type Guard = Sender<Task>;

    fn new() -> Self::Dispatcher {
        start(unbounded())
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

impl Bounded for CrossbeamChannel {
    fn bounded(bound: usize) -> Self::Dispatcher {
        start(bounded(bound))
    }
}

fn start((sender, receiver): (Sender<Task>, Receiver<Task>)) -> (Sender<Task>, JoinHandle<()>) {
    (sender, worker(|| receiver.into_iter().for_each(|task| task())))
}
