//! What people get wrong, and how to come here from other crates.
//!
//! * [`dropping_and_cancelling`]: what is lost, what is dropped when, and how to keep what matters.
//! * [`migration`]: from futures-concurrency, futures and futures-buffered.
//!
//! Whoever writes a combinator finds the pitfalls of waking in `selvedge_wakers::guide`.

#[doc = include_str!("dropping_and_cancelling.md")]
pub mod dropping_and_cancelling {}

#[doc = include_str!("migration.md")]
pub mod migration {}
