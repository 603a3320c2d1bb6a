//! One row of a single-threaded table, so many times: what callgrind runs for `cargo xtask icount`.
//!
//! `icount` alone lists the rows as `table/row/subject[/size]`, each with the number of operations
//! that make a sample of it. `icount ROW OPERATIONS` runs one. callgrind is told to collect inside of
//! `selvedge_counted_region` alone, so fixtures are not counted; what a workload sets up by itself
//! is, and cancels in the difference of two runs.

mod counter;

use std::{env, process::ExitCode};

use selvedge_benches::{local, wakers};

use crate::counter::Counter;

const USAGE: &str = "usage: icount [ROW OPERATIONS]";

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let mut counter = match &args[..] {
        [] => Counter::listing(),
        [row, operations] => match operations.parse() {
            Ok(operations) => Counter::running(row, operations),
            Err(_) => return complain(USAGE),
        },
        _ => return complain(USAGE),
    };
    counter.open("local");
    local::rows::register(&mut counter);
    counter.open("wakers");
    wakers::rows::register(&mut counter);
    if counter.done() { ExitCode::SUCCESS } else { complain("there is no such row") }
}

fn complain(what: &str) -> ExitCode {
    eprintln!("{what}");
    ExitCode::from(2)
}
