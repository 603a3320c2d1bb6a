#![cfg(selvedge_loom)]
//! Models of the queue, the verbs and the waits, on the dispatcher itself.
//!
//! A lost wake-up shows as a deadlock, a lost closure or block as a leak.

mod models;
