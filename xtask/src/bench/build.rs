//! Builds the suites and asks them which benchmarks they hold.

use std::path::{Path, PathBuf};

use xshell::{Shell, cmd};

use super::plan::{self, Id};
use crate::{
    error::{Error, Result},
    flags, process,
    workspace::{HeavyPeer, Package, Workspace},
};

/// The package that holds the suites; one bench target per table, of the same name.
pub(crate) const BENCHES: &str = "selvedge-benches";

/// Names of the tables to measure: those `asked` for, or all.
pub(crate) fn tables(workspace: &Workspace, asked: &[String]) -> Result<Vec<String>> {
    let known: Vec<_> = package(workspace)?.targets("bench").map(str::to_owned).collect();
    select(&known, asked)
}

/// Heavy peers of `tables`: those to build, and those that nobody asked for.
pub(crate) fn heavy_peers<'a>(
    workspace: &'a Workspace,
    tables: &[String],
    flags: &flags::Bench,
) -> Result<(Vec<&'a HeavyPeer>, Vec<&'a HeavyPeer>)> {
    let peers = package(workspace)?.heavy_peers.iter();
    let peers = peers.filter(|it| it.tables.iter().any(|table| tables.contains(table)));
    Ok(peers.partition(|it| is_wanted(&it.name, flags)))
}

fn is_wanted(peer: &str, flags: &flags::Bench) -> bool {
    flags.peers.as_deref().map_or(flags.full, |names| plan::names(names).any(|it| it == peer))
}

fn package(workspace: &Workspace) -> Result<&Package> {
    let package = workspace.packages.iter().find(|it| it.name == BENCHES);
    package.ok_or_else(|| Error::failed(format!("there is no package {BENCHES}")))
}

fn select(known: &[String], asked: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = asked.iter().find(|it| !known.contains(it)) {
        let known = known.join(", ");
        return Err(Error::usage(format!("unknown table `{unknown}`; there is {known}")));
    }
    let wanted = |it: &&String| asked.is_empty() || asked.contains(it);
    Ok(known.iter().filter(wanted).cloned().collect())
}

/// The executables of the tables.
#[derive(Debug)]
pub(crate) struct Suites(Vec<Suite>);

#[derive(Debug)]
struct Suite {
    table: String,
    path: PathBuf,
}

impl Suites {
    /// Builds the suites of `tables` with the heavy peers named.
    pub(crate) fn build(sh: &Shell, tables: &[String], heavy: &[&HeavyPeer]) -> Result<Self> {
        let time = if heavy.is_empty() { "a minute or two" } else { "some minutes" };
        eprintln!("Building {}; the first time takes {time}.", tables.join(", "));
        let targets = tables.iter().flat_map(|it| ["--bench", it]);
        let features = heavy.iter().flat_map(|it| ["--features", &it.name]);
        let cargo = cmd!(sh, "cargo bench --package {BENCHES} {targets...} {features...} --no-run");
        let built = process::build(cargo)?;
        let suite = |table: &String| {
            let found = built.iter().find(|it| it.target == *table);
            let found = found.ok_or_else(|| Error::failed(format!("cargo built no `{table}`")))?;
            Ok(Suite { table: table.clone(), path: found.path.clone() })
        };
        tables.iter().map(suite).collect::<Result<_>>().map(Self)
    }

    /// Every benchmark, in the order of the suites, and what the suites say of their tables.
    pub(crate) fn list(&self) -> Result<(Vec<Id>, Vec<Note>)> {
        let (mut ids, mut notes) = (Vec::new(), Vec::new());
        for Suite { table, path } in &self.0 {
            let mut list = std::process::Command::new(path);
            list.args(["--bench", "--list", "--format", "terse"]);
            let listed = process::capture(list, None)?;
            if !listed.success() {
                let (how, output) = (listed.describe(), listed.output);
                return Err(Error::failed(format!("`{table} --list`: {how}\n{output}")));
            }
            ids.extend(parse(&listed.output)?);
            notes.extend(self::notes(&listed.output, table));
        }
        Ok((ids, notes))
    }

    /// The executable that holds the benchmarks of `table`.
    pub(crate) fn path(&self, table: &str) -> Result<&Path> {
        let suite = self.0.iter().find(|it| it.table == table);
        suite.map(|it| it.path.as_path()).ok_or_else(|| {
            Error::failed(format!("no suite is named like table `{table}`: rename the group"))
        })
    }
}

/// What a suite says of its table as a whole, such as the number of threads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Note {
    pub(crate) table: String,
    pub(crate) text: String,
}

/// Lines of the form `note: text`.
fn notes(list: &str, table: &str) -> Vec<Note> {
    let texts = list.lines().filter_map(|line| line.strip_prefix("note: "));
    texts.map(|text| Note { table: table.to_owned(), text: text.trim().to_owned() }).collect()
}

fn parse(list: &str) -> Result<Vec<Id>> {
    list.lines().filter_map(|line| line.strip_suffix(": benchmark")).map(Id::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terse_list_is_parsed() {
        let ids =
            parse("note\nlocal/spawn_one/tokio: benchmark\nw/one woken join/a/10: benchmark\n");
        let names: Vec<_> = ids.unwrap().iter().map(Id::to_string).collect();
        assert_eq!(names, ["local/spawn_one/tokio", "w/one woken join/a/10"]);
    }

    #[test]
    fn a_note_is_read_with_its_table() {
        let notes = notes("note: 2 drivers\nt/row/selvedge: benchmark\nnotes\n", "t");
        assert_eq!(notes, [Note { table: "t".into(), text: "2 drivers".into() }]);
    }

    #[test]
    fn heavy_peers_are_built_on_request() {
        let flags = |full, peers: Option<&str>| flags::Bench {
            full,
            peers: peers.map(str::to_owned),
            ..plan::flags()
        };
        assert!(!is_wanted("big", &flags(false, None)));
        assert!(is_wanted("big", &flags(true, None)));
        assert!(is_wanted("big", &flags(false, Some("tokio, big"))));
        assert!(!is_wanted("big", &flags(true, Some("tokio"))));

        let peer = HeavyPeer { name: "big".into(), tables: vec!["t".into()] };
        let package =
            Package { name: BENCHES.into(), heavy_peers: vec![peer], ..Package::default() };
        let (root, target_dir) = (PathBuf::new(), PathBuf::new());
        let workspace = Workspace { root, target_dir, packages: vec![package] };
        let count = |table: &str, full| {
            let tables = [table.to_owned()];
            let (built, left) = heavy_peers(&workspace, &tables, &flags(full, None)).unwrap();
            (built.len(), left.len())
        };
        assert_eq!(
            (count("t", true), count("t", false), count("u", true)),
            ((1, 0), (0, 1), (0, 0))
        );
    }

    #[test]
    fn tables_are_all_or_those_asked_for() {
        let known = ["local".to_owned(), "wakers".to_owned()];
        assert_eq!(select(&known, &[]).unwrap(), known);
        assert_eq!(select(&known, &known[1..]).unwrap(), known[1..]);
        let error = select(&known, &["nope".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "unknown table `nope`; there is local, wakers");
        assert!(matches!(error, Error::Usage(_)));
    }
}
