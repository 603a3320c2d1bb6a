//! `bench`: measures every subject of a table in interleaved rounds.
//!
//! In each round the subjects of a row take turns in shuffled order, one process each. A ratio is
//! formed within a round, so what slows the machine down for a while slows both sides. Criterion
//! measures; this command decides who runs when, and puts the figures side by side.

mod build;
mod criterion_output;
mod host;
mod json;
mod plan;
mod results;
mod run;
mod stats;
mod table;

use core::time::Duration;
use std::{
    env, fs,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use xshell::Shell;

use self::{
    build::Suites,
    criterion_output::CriterionOutput,
    host::Host,
    plan::{Effort, Plan},
    results::TableResult,
};
use crate::{
    error::{Error, Result},
    flags,
    workspace::{HeavyPeer, Workspace},
};

/// Runs the command.
pub(crate) fn run(flags: &flags::Bench, sh: &Shell) -> Result {
    let effort = Effort::from_flags(flags)?;
    let filter = flags.filter.as_deref().map(plan::filter).transpose()?;
    let json = flags.json.as_deref().map(output_file).transpose()?;
    let load = host::load();

    let workspace = Workspace::load(sh)?;
    let tables = build::tables(&workspace, &flags.tables)?;
    let (heavy, left_out) = build::heavy_peers(&workspace, &tables, flags)?;
    let suites = Suites::build(sh, &tables, &heavy)?;
    let (ids, notes) = suites.list()?;
    let plan = Plan::new(&ids, filter.as_ref(), flags.peers.as_deref())?;
    if flags.peers.is_none() {
        for peer in left_out {
            eprintln!("{}", hint(peer));
        }
    }
    if flags.list {
        print!("{plan}");
        return Ok(());
    }

    let host = Host::inspect(sh, &workspace.root, load)?;
    let output = CriterionOutput::new(workspace.target_dir.join("xtask-bench").join("criterion"));
    eprintln!(
        "Measuring {} rows x {} rounds; this takes about {}.",
        plan.rows.len(),
        effort.rounds,
        minutes(effort.estimate(plan.lanes())),
    );
    let times = run::measure(&plan, &effort, &suites, &output)?;
    let tables = results::tables(&plan, &times, &host.versions, &notes);

    let colour =
        io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    show(&host, &effort, &tables, colour);
    if effort.plots {
        let report = output.report();
        println!("Criterion's report of the last round: {}", workspace.relative(&report).display());
    }
    if let Some(path) = json {
        fs::write(&path, json::render(&host, &effort, &tables))?;
        println!("JSON: {}", path.display());
    }
    Ok(())
}

/// How a peer that was left out joins.
fn hint(peer: &HeavyPeer) -> String {
    let HeavyPeer { name, tables } = peer;
    let tables = tables.join(", ");
    format!("{name} is slow to build: it joins {tables} with --full or --peers {name}")
}

fn show(host: &Host, effort: &Effort, tables: &[TableResult], colour: bool) {
    println!("{}", host.header(tables));
    for table in tables {
        println!("{}", table::render(table, effort.rounds, colour));
    }
    println!("{}\n", table::LEGEND);
}

/// The file to write to, once it is known that its folder is there.
fn output_file(path: &str) -> Result<PathBuf> {
    let path = Path::new(path);
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() && !dir.is_dir() => Err(Error::usage(format!(
            "cannot write {}: there is no folder {}; create it first",
            path.display(),
            dir.display(),
        ))),
        _ => Ok(path.to_owned()),
    }
}

/// A duration for a person who waits.
fn minutes(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().ceil();
    if seconds < 120.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_for_people() {
        assert_eq!(minutes(Duration::from_millis(46_200)), "47 s");
        assert_eq!(minutes(Duration::from_secs(170)), "3 min");
    }

    #[test]
    fn a_heavy_peer_is_named_with_the_way_to_have_it() {
        let peer = HeavyPeer { name: "big".into(), tables: vec!["t".into(), "u".into()] };
        let hint = hint(&peer);
        assert_eq!(hint, "big is slow to build: it joins t, u with --full or --peers big");
    }

    #[test]
    fn a_missing_folder_is_noticed_before_measuring() {
        let error = output_file("no/such/folder/out.json").unwrap_err().to_string();
        assert!(error.contains("there is no folder no/such/folder"), "{error}");
        assert!(output_file("out.json").is_ok());
    }
}
