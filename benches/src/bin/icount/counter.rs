//! Lists rows, or runs one of them inside of the region that is counted.

use core::{hint::black_box, time::Duration};

use selvedge_benches::rows::{Row, Rows};

/// Elements that a sample handles at least: enough that one more or less of anything hardly shows.
const ELEMENTS: usize = 2000;

/// Takes the rows of one table after the other.
#[derive(Debug)]
pub(crate) struct Counter {
    table: &'static str,
    task: Task,
}

#[derive(Debug)]
enum Task {
    /// Print every row.
    List,
    /// Run the row of this name, if it comes.
    Run { row: String, operations: usize, found: bool },
}

impl Counter {
    /// Prints the rows.
    pub(crate) fn listing() -> Self {
        Self { table: "", task: Task::List }
    }

    /// Runs `row` for `operations`.
    pub(crate) fn running(row: &str, operations: usize) -> Self {
        Self { table: "", task: Task::Run { row: row.to_owned(), operations, found: false } }
    }

    /// The rows that follow are those of `table`.
    pub(crate) fn open(&mut self, table: &'static str) {
        self.table = table;
    }

    /// Whether the row was there.
    pub(crate) fn done(&self) -> bool {
        !matches!(self.task, Task::Run { found: false, .. })
    }

    /// How often to run a row, of which a sample makes `sample`, if it is the one.
    fn operations(&mut self, row: Row<'_>, sample: usize) -> usize {
        let size = row.size.map_or_else(String::new, |size| format!("/{size}"));
        let id = format!("{}/{}/{}{size}", self.table, row.name, row.subject);
        match &mut self.task {
            Task::List => println!("{id} {sample}"),
            Task::Run { row, operations, found } if *row == id => {
                *found = true;
                return *operations;
            }
            Task::Run { .. } => {}
        }
        0
    }
}

impl Rows for Counter {
    fn repeated(&mut self, row: Row<'_>, mut workload: impl FnMut()) {
        for _ in 0..self.operations(row, sample(row)) {
            selvedge_counted_region(&mut workload);
        }
    }

    fn prepared<I, O>(
        &mut self,
        row: Row<'_>,
        batch: u64,
        mut fixture: impl FnMut() -> I,
        mut workload: impl FnMut(I) -> O,
    ) {
        // A fixture that is worth its own turn of the clock is a sample by itself.
        let sample = if batch == 1 { 1 } else { sample(row) };
        for _ in 0..self.operations(row, sample) {
            let (mut fixture, mut output) = (Some(fixture()), None);
            selvedge_counted_region(&mut || output = fixture.take().map(&mut workload));
            drop(black_box(output));
        }
    }

    fn stepped(&mut self, row: Row<'_>, mut workload: impl FnMut(u64) -> Duration) {
        let operations = self.operations(row, sample(row)) as u64;
        if operations > 0 {
            selvedge_counted_region(&mut || {
                black_box(workload(operations));
            });
        }
    }
}

/// Operations of a sample.
fn sample(row: Row<'_>) -> usize {
    (ELEMENTS / row.elements).max(1)
}

/// Where callgrind collects; it finds the function by this name, so it must keep it and must be
/// left by a return.
#[unsafe(no_mangle)]
#[inline(never)]
fn selvedge_counted_region(work: &mut dyn FnMut()) {
    work();
    black_box(());
}
