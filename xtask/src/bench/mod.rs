//! `bench`: measures every subject of a table in interleaved rounds.
//!
//! In each round the subjects of a row take turns in shuffled order, one process each. A ratio is
//! formed within a round, so what slows the machine down for a while slows both sides. Criterion
//! measures; this command decides who runs when, and puts the figures side by side.

mod build;
mod chart;
mod criterion_output;
mod floors;
mod host;
mod json;
mod markdown;
mod page;
mod plan;
mod results;
mod run;
mod saved;
pub(crate) mod stats;
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
    run::Interrupt,
};
use crate::{
    error::{Error, Result},
    flags,
    workspace::{HeavyPeer, Workspace},
};

pub(crate) use self::plan::OURS;

/// Runs the command.
pub(crate) fn run(flags: &flags::Bench, sh: &Shell) -> Result {
    let effort = Effort::from_flags(flags)?;
    let filter = flags.filter.as_deref().map(flags::filter).transpose()?;
    let files = Files::new(flags)?;
    let load = host::load();

    let workspace = Workspace::load(sh)?;
    let kept = Kept::open(flags, &workspace.target_dir)?;
    let floors = if flags.check { floors::load(&workspace.root)? } else { Vec::new() };
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
    let interrupt = Interrupt::listen()?;
    let times = run::measure(&plan, &effort, &suites, &output, &interrupt)?;
    let tables = results::tables(&plan, &times, &host.versions, &notes);
    let shown = Shown { host: &host, effort: &effort, tables: &tables, command: &command_line() };

    let colour =
        io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    show(&host, &effort, &tables, colour);
    if interrupt.was_asked() {
        return Err(Error::failed("interrupted: the tables hold the rounds that were finished"));
    }
    if effort.plots {
        let report = output.report();
        println!("Criterion's report of the last round: {}", workspace.relative(&report).display());
    }
    let json = json::render(&host, &effort, &tables);
    files.write(&json, &shown)?;
    if flags.md {
        renew(&workspace.root, &shown)?;
    }
    kept.close(&json, &tables)?;
    if flags.check {
        let whole = filter.is_none() && flags.peers.is_none() && flags.full;
        verdict(&floors::check(&floors, &tables, whole))?;
    }
    Ok(())
}

/// Results on their way to a reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) host: &'a Host,
    pub(crate) effort: &'a Effort,
    pub(crate) tables: &'a [TableResult],
    /// What was typed to have them.
    pub(crate) command: &'a str,
}

/// The command as it was typed, without the path of the program.
fn command_line() -> String {
    let words = env::args()
        .skip(1)
        .map(|word| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word });
    ["cargo".to_owned(), "xtask".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The files that are asked for.
#[derive(Debug)]
struct Files {
    json: Option<PathBuf>,
    html: Option<PathBuf>,
    svg: Option<PathBuf>,
}

impl Files {
    fn new(flags: &flags::Bench) -> Result<Self> {
        Ok(Self {
            json: flags.json.as_deref().map(output_file).transpose()?,
            html: flags.html.as_deref().map(output_file).transpose()?,
            svg: flags.svg.as_ref().map(PathBuf::from),
        })
    }

    fn write(&self, json: &str, shown: &Shown<'_>) -> Result {
        if let Some(path) = &self.json {
            fs::write(path, json)?;
            println!("JSON: {}", path.display());
        }
        if let Some(path) = &self.html {
            fs::write(path, page::render(shown))?;
            println!("page: {}", path.display());
        }
        if let Some(dir) = &self.svg {
            charts(dir, shown.tables)?;
        }
        Ok(())
    }
}

/// Results that were kept, and where new ones go.
#[derive(Debug)]
struct Kept {
    save: Option<PathBuf>,
    against: Option<(String, serde_json::Value)>,
    force: bool,
}

impl Kept {
    /// Reads what is needed later before anything is measured.
    fn open(flags: &flags::Bench, target_dir: &Path) -> Result<Self> {
        let save = flags.save.as_deref().map(|name| saved::path(target_dir, name)).transpose()?;
        let against = flags.against.as_deref().map(|name| {
            let kept = saved::load(&saved::path(target_dir, name)?, name)?;
            Ok::<_, Error>((name.to_owned(), kept))
        });
        Ok(Self { save, against: against.transpose()?, force: flags.force })
    }

    /// Compares and keeps.
    fn close(&self, json: &str, tables: &[TableResult]) -> Result {
        if let Some((name, then)) = &self.against {
            let now: serde_json::Value = serde_json::from_str(json)?;
            let differences = saved::differences(&then["host"], &now["host"]);
            if !differences.is_empty() && !self.force {
                return Err(Error::failed(format!(
                    "`{name}` was measured elsewhere, so ratios cannot be told apart: {}; \
                     --force compares nevertheless",
                    differences.join("; "),
                )));
            }
            println!("{}", saved::compare(name, then, tables));
        }
        if let Some(path) = &self.save {
            saved::save(path, json)?;
            println!("kept: {}", path.display());
        }
        Ok(())
    }
}

/// Puts the tables into the documents.
fn renew(root: &Path, shown: &Shown<'_>) -> Result {
    let changed = markdown::splice(root, shown)?;
    let changed = if changed.is_empty() { "no file".into() } else { changed.join(", ") };
    println!("tables renewed in: {changed}");
    Ok(())
}

/// Draws every table into a folder.
fn charts(dir: &Path, tables: &[TableResult]) -> Result {
    fs::create_dir_all(dir)?;
    for table in tables {
        let path = dir.join(format!("{}.svg", table.table));
        fs::write(&path, chart::render(table))?;
        println!("chart: {}", path.display());
    }
    Ok(())
}

/// Prints what a check came to; an error if a promise is broken.
fn verdict(checked: &floors::Checked) -> Result {
    println!("{} floors of {} hold", checked.held, floors::FILE);
    let mut wrong: Vec<_> = checked.broken.clone();
    wrong.extend(checked.unknown.iter().map(|it| format!("{it}: no such row or peer")));
    if wrong.is_empty() { Ok(()) } else { Err(Error::failed(wrong.join("\n"))) }
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
