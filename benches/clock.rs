//! The clock of the suites: Criterion measures every row.

use core::time::Duration;

use criterion::{
    BatchSize, Bencher, BenchmarkGroup, BenchmarkId, Criterion, Throughput, measurement::WallTime,
};
use selvedge_benches::rows::{Row, Rows};

/// A table whose rows are timed.
pub(crate) struct Clock<'a>(BenchmarkGroup<'a, WallTime>);

impl<'a> Clock<'a> {
    /// The table `name`.
    pub(crate) fn new(criterion: &'a mut Criterion, name: &str) -> Self {
        Self(criterion.benchmark_group(name))
    }

    fn bench(&mut self, row: Row<'_>, measure: impl FnMut(&mut Bencher<'_>)) {
        let function = format!("{}/{}", row.name, row.subject);
        self.0.throughput(Throughput::Elements(row.elements as u64));
        match row.size {
            None => self.0.bench_function(function, measure),
            Some(size) => self.0.bench_function(BenchmarkId::new(function, size), measure),
        };
    }
}

impl Rows for Clock<'_> {
    fn repeated(&mut self, row: Row<'_>, mut workload: impl FnMut()) {
        self.bench(row, |b| b.iter(&mut workload));
    }

    fn prepared<I, O>(
        &mut self,
        row: Row<'_>,
        batch: u64,
        mut fixture: impl FnMut() -> I,
        mut workload: impl FnMut(I) -> O,
    ) {
        let batch = match batch {
            1 => BatchSize::PerIteration,
            many => BatchSize::NumIterations(many),
        };
        self.bench(row, |b| b.iter_batched(&mut fixture, &mut workload, batch));
    }

    fn stepped(&mut self, row: Row<'_>, mut workload: impl FnMut(u64) -> Duration) {
        self.bench(row, |b| b.iter_custom(&mut workload));
    }
}
