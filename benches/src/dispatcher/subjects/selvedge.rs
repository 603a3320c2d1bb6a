//! Selvedge's `Dispatcher`, launched onto through a guard.

use selvedge_dispatcher::{Dispatcher, Guard};

use crate::dispatcher::{Bounded, DispatcherSubject};

/// Selvedge's `Dispatcher`.
#[derive(Debug)]
pub struct Selvedge;

impl DispatcherSubject for Selvedge {
    const NAME: &'static str = "selvedge";

    type Dispatcher = Dispatcher;
    type Guard = Guard;

    fn new() -> Self::Dispatcher {
        opened(Dispatcher::new(1_000_000))
    }

    fn guard(dispatcher: &Self::Dispatcher) -> Self::Guard {
        dispatcher.guard()
    }

    fn launch(guard: &Self::Guard, task: impl FnOnce() + Send + 'static) {
        guard.launch(task).expect("an open dispatcher");
    }

    fn flush(guard: &Self::Guard) {
        guard.block_on_queue().expect("an open dispatcher");
    }

    fn shutdown(dispatcher: Self::Dispatcher) {
        dispatcher.guard().shutdown().expect("a dispatcher that nobody else ends");
    }
}

impl Bounded for Selvedge {
    fn bounded(bound: usize) -> Self::Dispatcher {
        let dispatcher = Dispatcher::builder().bound_once_open(bound).build();
        opened(dispatcher.expect("a thread for the worker"))
    }
}

fn opened(dispatcher: Dispatcher) -> Dispatcher {
    dispatcher.guard().flush_init().expect("a new dispatcher, which was not flushed before");
    dispatcher
}
