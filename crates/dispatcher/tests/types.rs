//! Facts of the types: what may cross threads, and what each of them can show.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use selvedge_dispatcher::{
    Builder, DispatchError, Dispatcher, Flush, GlobalDispatcher, Guard, Handle, LaunchError,
    LaunchErrorKind, Overflow, PanicPayload, Report, Stats, TaskError, TimedOut,
};
use static_assertions::{assert_impl_all, assert_not_impl_any};

assert_impl_all!(Dispatcher: Send, Sync, Debug, Unpin, UnwindSafe, RefUnwindSafe);
assert_not_impl_any!(Dispatcher: Clone);
assert_impl_all!(Guard: Send, Sync, Clone, Debug, Unpin, UnwindSafe, RefUnwindSafe);
assert_impl_all!(Builder: Send, Debug);
assert_impl_all!(GlobalDispatcher: Send, Sync, Debug, UnwindSafe, RefUnwindSafe);
assert_impl_all!(Flush: Future<Output = Result<(), DispatchError>>, Send, Sync, Debug, Unpin);

// A handle goes where its output may go.
assert_impl_all!(Handle<Cell<u8>>: Future<Output = Result<Cell<u8>, TaskError>>, Send, Debug, Unpin);
assert_not_impl_any!(Handle<Rc<u8>>: Send, Sync);

assert_impl_all!(DispatchError: Error, Display, Copy, Eq, Send, Sync, From<LaunchErrorKind>);
assert_impl_all!(LaunchErrorKind: Display, Debug, Copy, Eq, Send, Sync);
assert_impl_all!(LaunchError<fn()>: Error, Send, Sync);
assert_impl_all!(LaunchError<Rc<()>>: Error, Debug);
assert_impl_all!(TaskError: Error, Send, Sync, Debug);
assert_impl_all!(PanicPayload: Send, Sync, Debug, From<Box<dyn Any + Send>>);
assert_impl_all!(TimedOut: Error, Copy, Send, Sync);
assert_impl_all!(Overflow: Debug, Copy, Eq, Default);
assert_impl_all!(Report: Debug, Copy, Eq);
assert_impl_all!(Stats: Debug, Copy, Eq, Default);

#[test]
fn a_global_dispatcher_is_made_at_compile_time() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(1);
    assert_eq!(GLOBAL.stats(), Stats::default());
}

#[test]
fn messages_say_what_to_do() {
    let dispatcher = Dispatcher::new(0);
    let refused = dispatcher.guard().launch(|| ()).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("full") && text.contains("into_inner"), "{text}");
    assert_eq!(format!("{refused:?}"), "LaunchError { kind: Full, .. }");
    let payload: Box<dyn Any + Send> = Box::new("oops");
    let panicked = TaskError::Panicked(payload.into());
    assert_eq!(panicked.to_string(), "the task panicked: oops");
    assert_eq!(format!("{panicked:?}"), "Panicked(PanicPayload(\"oops\"))");
    for error in [DispatchError::AlreadyFlushed, DispatchError::TimedOut, DispatchError::Closed] {
        assert!(error.to_string().contains(';'), "{error} gives no advice");
    }
    assert!(TimedOut.to_string().contains("wait again"));
}

#[test]
fn the_error_of_a_task_fits_into_errors_that_are_shared_between_threads() {
    // A `Cell` may be sent and not shared: so may what a task panics with.
    let payload: Box<dyn Any + Send> = Box::new(Cell::new(1));
    let error: Box<dyn Error + Send + Sync> = TaskError::Panicked(payload.into()).into();
    assert_eq!(error.to_string(), "the task panicked");
    let TaskError::Panicked(payload) = *error.downcast::<TaskError>().unwrap() else {
        unreachable!()
    };
    assert_eq!(format!("{payload:?}"), "PanicPayload { .. }");
    assert_eq!(payload.into_inner().downcast::<Cell<i32>>().unwrap().get(), 1);
}

#[test]
fn everything_can_be_shown_without_waiting_for_the_worker() {
    let dispatcher = Dispatcher::new(3);
    let guard = dispatcher.guard();
    let handle = guard.launch_with_handle(|| ()).unwrap();
    let flush = guard.flush();
    let shown = format!("{dispatcher:?} {guard:?} {handle:?} {flush:?}");
    assert!(shown.contains("queued") && shown.contains("Shut"), "{shown}");
}
