//! The rows of the table: every workload, for every subject.

use core::hint::black_box;

use super::{
    LocalSubject, Scale,
    subjects::{AsyncExecutor, Selvedge, Tokio},
    workloads,
};
use crate::{
    fixtures::{Ring, Shop},
    rows::{Row, Rows},
    seed,
};

const SCALE: Scale = Scale::PUBLISHED;

/// Tells `table` every row.
pub fn register(table: &mut impl Rows) {
    rows::<Selvedge>(table);
    rows::<AsyncExecutor>(table);
    rows::<Tokio>(table);
}

/// Tells every row of one subject.
fn rows<S: LocalSubject>(table: &mut impl Rows) {
    let Scale { batch, light_tasks, tasks, steps } = black_box(SCALE);
    let row = |name, elements| Row { name, subject: S::NAME, size: None, elements };

    table.repeated(row("spawn_one", 1), workloads::spawn_one::<S>);
    table.stepped(row("spawn_one_inside", 1), workloads::spawn_one_inside::<S>);
    table.repeated(row("spawn_batch", batch), || workloads::spawn_batch::<S>(batch));
    table.repeated(row("spawn_many_local", light_tasks), || {
        workloads::spawn_many_local::<S>(light_tasks);
    });
    table.repeated(row("spawn_recursively", tasks * steps), || {
        workloads::spawn_recursively::<S>(tasks, steps);
    });
    table.repeated(row("yield_now", tasks * steps), || workloads::yields::<S>(tasks, steps));
    table.prepared(
        row("channels", tasks * steps),
        1,
        || Ring::new(tasks),
        |ring| workloads::channels::<S>(ring, steps),
    );
    table.prepared(
        row("web_server", tasks),
        1,
        || Shop::new(tasks, steps, seed::of_round()),
        workloads::web_server::<S>,
    );
}
