//! What people get wrong with a queue and its thread, and how to move here from other ones.
//!
//! * [`waiting_and_threads`]: the gate, waits inside a task, launches inside a task, async code, locks, forks;
//! * [`dropping_and_cancelling`]: which verb ends what, where destructors run, and what is lost at exit;
//! * [`migration`]: old and new, for those who come from a thread with a channel, or from glean-core's dispatcher.
//!
//! Nothing in here is code to call. Of wakers, and of futures written by hand, the
//! [guide of `selvedge-executor`][executor] speaks.
//!
//! [executor]: https://docs.rs/selvedge-executor/latest/selvedge_executor/guide/index.html

pub mod dropping_and_cancelling;
pub mod migration;
pub mod waiting_and_threads;
