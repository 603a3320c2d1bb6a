#![cfg(selvedge_loom)]
//! Models of the scheduler's protocol, driven by a stand-in for async-task's task.
//!
//! A lost wake-up shows as a deadlock: somebody is parked and nobody is left to wake it.

mod models;
