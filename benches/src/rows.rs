//! Where the rows of a table are told to: a clock, or a counter of instructions.
//!
//! A table registers its rows once, over [`Rows`]; so what is counted is what is timed.

use core::time::Duration;

/// A row of a table for one subject.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The row's name.
    pub name: &'a str,
    /// Who does the work.
    pub subject: &'a str,
    /// The row's size, where it has several.
    pub size: Option<usize>,
    /// What one iteration handles: tasks, steps, children.
    pub elements: usize,
}

/// Takes rows, and measures those it wants to.
pub trait Rows {
    /// A workload that makes all it needs.
    fn repeated(&mut self, row: Row<'_>, workload: impl FnMut());

    /// A workload that uses up a fixture. To make the fixture and to drop what comes out is not
    /// measured. Up to `batch` fixtures are made in advance.
    fn prepared<I, O>(
        &mut self,
        row: Row<'_>,
        batch: u64,
        fixture: impl FnMut() -> I,
        workload: impl FnMut(I) -> O,
    );

    /// A workload that repeats a step as often as it is told, and returns the time of the steps.
    fn stepped(&mut self, row: Row<'_>, workload: impl FnMut(u64) -> Duration);
}
