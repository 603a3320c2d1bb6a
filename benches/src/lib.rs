//! What the tables of `cargo xtask bench` measure.
//!
//! A table is one family of crates: a trait that its subjects implement, workloads written once
//! over that trait, and one adapter of about twenty lines per subject. Its file `rows.rs` turns
//! workloads and subjects into rows; the criterion suite of the same name at the root of this
//! package times them, and the program `icount` lets callgrind count their instructions.
//!
//! What holds for every table, so that a ratio means what it says:
//!
//! - Fixtures that every subject gets alike are not timed. A subject's construction and drop are, save
//!   where they start and end threads, which would hide all else.
//! - Whatever a workload starts, it awaits before the clock stops.
//! - A workload asserts that its work was done: what runs counts itself in [`tally`], or gives the
//!   count as its output.
//! - Random draws come from [`seed`]: the same for all subjects in a round, others in the next.
//! - No workload sleeps. One that reads the clock returns the time of a part of itself.
//!
//! To add a row, write the workload, its test and its line in `rows.rs`. To add a peer, write its
//! adapter and name it in `rows.rs` and in the tests.

pub mod dispatcher;
pub mod executor;
pub mod fixtures;
pub mod local;
pub mod rows;
pub mod seed;
pub mod tally;
pub mod wakers;

#[cfg(test)]
mod watchdog;
