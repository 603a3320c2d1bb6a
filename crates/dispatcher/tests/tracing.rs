//! The spans of the feature `tracing`. One test, since the subscriber is the process's.

use std::sync::{Arc, Mutex};

use selvedge_dispatcher::Dispatcher;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down what happens to spans, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }
}

/// The number of a closure.
#[derive(Default)]
struct Number(Option<u64>);

impl Visit for Number {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0 = (field.name() == "number").then_some(value);
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "selvedge"
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut number = Number::default();
        attributes.record(&mut number);
        let number = number.0.expect("a closure has a number");
        self.add(format!("new {} {number}", attributes.metadata().name()));
        Id::from_u64(number + 1)
    }

    fn enter(&self, id: &Id) {
        self.add(format!("enter {}", id.into_u64() - 1));
    }

    fn exit(&self, id: &Id) {
        self.add(format!("exit {}", id.into_u64() - 1));
    }

    fn try_close(&self, _: Id) -> bool {
        self.add("close");
        true
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
}

#[test]
fn each_closure_runs_in_a_span_with_its_number_also_one_that_panics() {
    let log = Log::default();
    tracing::subscriber::set_global_default(log.clone()).unwrap();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let inside = log.clone();
    guard.launch(move || inside.add("runs")).unwrap();
    guard.launch(|| panic!("expected")).unwrap();
    guard.shutdown().unwrap();
    let expected = [
        "new closure 0",
        "enter 0",
        "runs",
        "exit 0",
        "close",
        "new closure 1",
        "enter 1",
        "exit 1",
        "close",
    ];
    assert_eq!(*log.0.lock().unwrap(), expected);
}
