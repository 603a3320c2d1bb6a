//! What the tables of `cargo xtask bench` measure.
//!
//! A table is one family of crates: a trait that its subjects implement, workloads written once
//! over that trait, and one adapter of about twenty lines per subject. Its file `rows.rs` turns
//! workloads and subjects into rows; the criterion suite of the same name at the root of this
//! package times them, and the program `icount` lets callgrind count their instructions.
//!
//! What holds for every table, so that a ratio means what it says:
//!
//! - A subject's construction and drop are timed. Fixtures that every subject gets alike are not.
//! - Whatever a workload starts, it awaits before the clock stops.
//! - A workload asserts that its work was done: what runs counts itself in [`tally`].
//! - Random draws come from [`seed`]: the same for all subjects in a round, others in the next.
//! - No workload sleeps or reads a clock.
//!
//! To add a row, write the workload, its test and its line in `rows.rs`. To add a peer, write its
//! adapter and name it in `rows.rs` and in the tests.

pub mod local;
pub mod rows;
pub mod seed;
pub mod tally;
pub mod wakers;
