//! The spans of the feature `tracing`.

use std::sync::{Arc, Mutex};

use futures_lite::future::yield_now;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::subject::Executor;

/// Writes down what happens to spans, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

/// Keeps the field that names the future's type.
struct TypeOf(String);

impl Visit for TypeOf {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "future" {
            self.0 = value.to_owned();
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "selvedge"
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut of = TypeOf(String::new());
        attributes.record(&mut of);
        assert!(
            of.0.contains("each_poll_of_a_task"),
            "the type tells where the future is from: {}",
            of.0
        );
        self.add(format!("new {}", attributes.metadata().name()));
        Id::from_u64(1)
    }

    fn enter(&self, _: &Id) {
        self.add("enter".to_owned());
    }

    fn exit(&self, _: &Id) {
        self.add("exit".to_owned());
    }

    fn try_close(&self, _: Id) -> bool {
        self.add("close".to_owned());
        true
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
}

#[test]
fn each_poll_of_a_task_is_in_its_span() {
    let log = Log::default();
    let inside = log.clone();
    tracing::subscriber::with_default(log.clone(), || {
        let ex = Executor::new();
        let task = ex.spawn(async move {
            inside.add("first".to_owned());
            yield_now().await;
            inside.add("second".to_owned());
        });
        ex.block_on(task);
    });
    let expected = ["new task", "enter", "first", "exit", "enter", "second", "exit", "close"];
    assert_eq!(*log.0.lock().unwrap(), expected);
}
