//! Builds the suites and asks them which benchmarks they hold.

use std::path::{Path, PathBuf};

use xshell::{Shell, cmd};

use super::plan::Id;
use crate::{
    error::{Error, Result},
    process,
    workspace::Workspace,
};

/// The package that holds the suites; one bench target per table, of the same name.
pub(crate) const PACKAGE: &str = "selvedge-benches";

/// Names of the tables to measure: those `asked` for, or all.
pub(crate) fn tables(workspace: &Workspace, asked: &[String]) -> Result<Vec<String>> {
    let package = workspace.packages.iter().find(|it| it.name == PACKAGE);
    let package = package.ok_or_else(|| Error::failed(format!("there is no package {PACKAGE}")))?;
    let known: Vec<_> = package.targets("bench").map(str::to_owned).collect();
    select(&known, asked)
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
    /// Builds the suites of `tables`.
    pub(crate) fn build(sh: &Shell, tables: &[String]) -> Result<Self> {
        eprintln!("Building {}; the first time takes a minute or two.", tables.join(", "));
        let targets = tables.iter().flat_map(|it| ["--bench", it]);
        let cargo = cmd!(sh, "cargo bench --package {PACKAGE} {targets...} --no-run");
        let built = process::build(cargo)?;
        let suite = |table: &String| {
            let found = built.iter().find(|it| it.target == *table);
            let found = found.ok_or_else(|| Error::failed(format!("cargo built no `{table}`")))?;
            Ok(Suite { table: table.clone(), path: found.path.clone() })
        };
        tables.iter().map(suite).collect::<Result<_>>().map(Self)
    }

    /// Every benchmark, in the order of the suites.
    pub(crate) fn ids(&self) -> Result<Vec<Id>> {
        let mut ids = Vec::new();
        for Suite { table, path } in &self.0 {
            let mut list = std::process::Command::new(path);
            list.args(["--bench", "--list", "--format", "terse"]);
            let listed = process::capture(list, None)?;
            if !listed.success() {
                let (how, output) = (listed.describe(), listed.output);
                return Err(Error::failed(format!("`{table} --list`: {how}\n{output}")));
            }
            ids.extend(parse(&listed.output)?);
        }
        Ok(ids)
    }

    /// The executable that holds the benchmarks of `table`.
    pub(crate) fn path(&self, table: &str) -> Result<&Path> {
        let suite = self.0.iter().find(|it| it.table == table);
        suite.map(|it| it.path.as_path()).ok_or_else(|| {
            Error::failed(format!("no suite is named like table `{table}`: rename the group"))
        })
    }
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
    fn tables_are_all_or_those_asked_for() {
        let known = ["local".to_owned(), "wakers".to_owned()];
        assert_eq!(select(&known, &[]).unwrap(), known);
        assert_eq!(select(&known, &known[1..]).unwrap(), known[1..]);
        let error = select(&known, &["nope".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "unknown table `nope`; there is local, wakers");
        assert!(matches!(error, Error::Usage(_)));
    }
}
