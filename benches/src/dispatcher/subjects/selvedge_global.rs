//! Selvedge's `GlobalDispatcher`, the counterpart of glean-core's.

use selvedge_dispatcher::global::GlobalDispatcher;

use crate::dispatcher::DispatcherSubject;

/// Selvedge's `GlobalDispatcher`.
#[derive(Debug)]
pub struct SelvedgeGlobal;

static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(1_000_000);

impl DispatcherSubject for SelvedgeGlobal {
    const NAME: &'static str = "selvedge-global";

    type Dispatcher = ();
    type Guard = ();

    fn new() {
        GLOBAL.reset().expect("a dispatcher that nobody else ends");
        GLOBAL.flush_init().expect("a new dispatcher, which was not flushed before");
    }

    fn guard((): &()) {}

    fn launch((): &(), task: impl FnOnce() + Send + 'static) {
        GLOBAL.launch(task).expect("an open dispatcher");
    }

    fn flush((): &()) {
        GLOBAL.block_on_queue().expect("an open dispatcher");
    }

    fn shutdown((): ()) {
        GLOBAL.shutdown().expect("a dispatcher that nobody else ends");
    }
}
