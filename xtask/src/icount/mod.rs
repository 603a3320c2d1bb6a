//! `icount`: how many instructions an operation of each row takes, as callgrind counts them.
//!
//! On a machine that others use as well, times swing by half, and counts by next to nothing. So
//! this is the gate that a slower hot path does not pass; it knows nothing of caches, branches or
//! threads, so what it lets through may still be slower, and only single-threaded tables are counted.
//!
//! Each row runs twice, for n operations and for 2n; the difference is what n operations take, without
//! what starts the program and what a workload sets up once.

mod baseline;
mod measure;
mod report;
mod row;

use std::path::PathBuf;

use xshell::{Shell, cmd};

use self::{baseline::Baseline, row::Row};
use crate::{
    error::{Error, Result},
    flags, process,
    workspace::{BENCHES, Workspace},
};

/// The program that runs one row.
const PROGRAM: &str = "icount";

/// The committed counts.
const BASELINE: &str = "benches/icount.toml";

/// Growth above which a row fails, as a part of what was committed.
const LIMIT: f64 = 0.03;

/// Runs the command.
pub(crate) fn run(flags: &flags::Icount, sh: &Shell) -> Result {
    let filter = flags.filter.as_deref().map(flags::filter).transpose()?;
    let workspace = Workspace::load(sh)?;
    if let Some(missing) = process::without_valgrind(sh) {
        println!("skipped: {missing}");
        return Ok(());
    }
    let program = build(sh)?;
    let wanted = |row: &Row| {
        let ours = row.is_ours() || flags.peers;
        ours && filter.as_ref().is_none_or(|it| it.is_match(&row.path()))
    };
    let rows = row::list(sh, &program)?;
    let paths: Vec<_> = rows.iter().filter(|it| it.is_ours()).map(Row::path).collect();
    let rows: Vec<_> = rows.into_iter().filter(wanted).collect();
    if rows.is_empty() {
        return Err(Error::usage("no row matches the filter"));
    }

    let file = workspace.root.join(BASELINE);
    let committed = Baseline::read(&file)?;
    let counts = measure::all(&rows, &program)?;
    let counted = Baseline::new(baseline::made_with(sh)?, &counts);
    print!("{}", report::table(&counts, &committed));
    if flags.bless {
        committed.renewed(&counted, &paths).write(&file)?;
        println!("wrote {BASELINE}");
        return Ok(());
    }
    let mut verdict = report::verdict(&committed, &counted, LIMIT);
    if filter.is_none() {
        verdict.gone(&committed, &paths);
    }
    verdict.finish()
}

/// Builds the program as the benchmarks are built, whose dependencies it then shares.
fn build(sh: &Shell) -> Result<PathBuf> {
    let cargo = cmd!(sh, "cargo build --quiet --profile bench -p {BENCHES} --bin {PROGRAM}");
    process::build_one(cargo, PROGRAM)
}
