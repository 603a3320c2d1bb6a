//! What people get wrong with executors and this one's answers, and how to move here from other ones.
//!
//! * [`wakers_and_threads`]: who runs what, what a blocked thread holds up, and what to do with a waker;
//! * [`dropping_and_cancelling`]: where and when futures end, and who is told;
//! * [`migration`]: old and new names, for those who come from async-executor or tokio.
//!
//! Nothing in here is code to call. Of futures that must stay on one thread the
//! [guide of `selvedge-local-executor`][local] speaks.
//!
//! [local]: https://docs.rs/selvedge-local-executor/latest/selvedge_local_executor/guide/index.html

pub mod dropping_and_cancelling;
pub mod migration;
pub mod wakers_and_threads;
