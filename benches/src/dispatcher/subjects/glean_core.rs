//! The dispatcher of glean-core.
//!
//! Its guard is private, so what is measured is the way in that is open: `launch` of its one global
//! dispatcher.

use ::glean_core::dispatcher;

use crate::dispatcher::DispatcherSubject;

/// The global dispatcher of glean-core.
#[derive(Debug)]
pub struct GleanCore;

impl DispatcherSubject for GleanCore {
    const NAME: &'static str = "glean-core";

    type Dispatcher = ();
    type Guard = ();

    fn new() {
        dispatcher::reset_dispatcher();
        dispatcher::flush_init().expect("a new dispatcher, which was not flushed before");
    }

    fn guard((): &()) {}

    fn launch((): &(), task: impl FnOnce() + Send + 'static) {
        dispatcher::launch(task);
    }

    fn flush((): &()) {
        dispatcher::block_on_queue();
    }

    fn shutdown((): ()) {
        dispatcher::shutdown().expect("a worker that does not panic");
    }
}
