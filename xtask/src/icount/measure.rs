//! Runs rows under callgrind, as many at a time as there are cores.

use std::{path::Path, process::Command};

use super::row::Row;
use crate::{
    error::{Error, Result},
    parallel::{cores, in_order},
    process::capture,
};

/// The function that callgrind collects inside of; the program keeps its name for us.
const REGION: &str = "selvedge_counted_region";

/// A row and the instructions of one operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Count {
    pub(super) row: Row,
    pub(super) instructions: f64,
}

/// Counts every row; the counts come in the order of the rows.
pub(super) fn all(rows: &[Row], program: &Path) -> Result<Vec<Count>> {
    let workers = cores();
    eprintln!("Counting {} rows, {} at a time.", rows.len(), workers.min(rows.len()));
    let mut counts = Vec::with_capacity(rows.len());
    in_order(
        rows,
        workers,
        |row| count(row, program),
        |count| {
            counts.push(count?);
            Ok(())
        },
    )?;
    Ok(counts)
}

fn count(row: &Row, program: &Path) -> Result<Count> {
    let once = collected(row, row.sample, program)?;
    let twice = collected(row, row.sample * 2, program)?;
    let sample = twice.checked_sub(once).ok_or_else(|| {
        Error::failed(format!("{}: {twice} instructions for twice of what takes {once}", row.id))
    })?;
    let instructions = (sample as f64 / row.sample as f64 * 10.0).round() / 10.0;
    Ok(Count { row: row.clone(), instructions })
}

/// What callgrind collects while the program runs a row for `operations`.
fn collected(row: &Row, operations: u64, program: &Path) -> Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={REGION}"))
        .arg(program)
        .args([&row.id, &operations.to_string()])
        // Draws are those of a suite without a round.
        .env_remove("SELVEDGE_BENCH_SEED");
    let finished = capture(valgrind, None)?;
    match parse(&finished.output) {
        Some(collected) if finished.success() && collected > 0 => Ok(collected),
        _ => {
            let (id, how, output) = (&row.id, finished.describe(), finished.output);
            Err(Error::failed(format!("{id} under callgrind: {how}\n{output}")))
        }
    }
}

/// The count in `==123== Collected : 4567`.
fn parse(output: &str) -> Option<u64> {
    let (_, collected) = output.lines().find_map(|line| line.split_once("Collected : "))?;
    collected.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_callgrind_collected_is_read() {
        let output = "==1== Events    : Ir\n==1== Collected : 4567\n==1==\n";
        assert_eq!(parse(output), Some(4567));
        assert_eq!(parse("==1== nothing\n"), None);
    }
}
