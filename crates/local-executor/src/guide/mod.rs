//! What people get wrong with executors and this one's answers, and how to move here from other ones.
//!
//! * [`wakers_and_threads`]: what may leave the executor's thread, and what blocks it;
//! * [`dropping_and_cancelling`]: where and when futures end, and who is told;
//! * [`migration`]: old and new names, for those who come from async-executor or tokio.
//!
//! Nothing in here is code to call. Of tasks that several threads run the [guide of `selvedge-executor`][executor]
//! speaks.
//!
//! [executor]: https://docs.rs/selvedge-executor/latest/selvedge_executor/guide/index.html

pub mod dropping_and_cancelling;
pub mod migration;
pub mod wakers_and_threads;
