//! The committed counts, and what they were made with.

use std::{collections::BTreeMap, fs, path::Path};

use toml::{Table, Value};
use xshell::{Shell, cmd};

use super::measure::Count;
use crate::error::{Error, Result};

const HEADER: &str = "# Instructions per operation of our rows. `cargo xtask icount` compares,\n\
                      # `cargo xtask icount --bless` renews.\n";

/// Counts by row, without subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Baseline {
    /// Whatever changes counts without a change of ours.
    made_with: BTreeMap<String, String>,
    counts: BTreeMap<String, f64>,
}

impl Baseline {
    /// What was counted of our rows.
    pub(super) fn new(made_with: BTreeMap<String, String>, counts: &[Count]) -> Self {
        let ours = counts.iter().filter(|it| it.row.is_ours());
        Self { made_with, counts: ours.map(|it| (it.row.path(), it.instructions)).collect() }
    }

    /// What was committed; nothing if there is no file.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text = if file.is_file() { fs::read_to_string(file)? } else { String::new() };
        Self::parse(&text).map_err(|error| Error::failed(format!("{}: {error}", file.display())))
    }

    fn parse(text: &str) -> Result<Self> {
        let file: Table =
            text.parse().map_err(|error: toml::de::Error| Error::failed(error.message()))?;
        let table = |name| file.get(name).and_then(Value::as_table).into_iter().flatten();
        let wrong = |key: &str, wanted| Error::failed(format!("`{key}` must be {wanted}"));
        let version = |(key, value): (&String, &Value)| {
            let text = value.as_str().ok_or_else(|| wrong(key, "a text"))?;
            Ok((key.clone(), text.to_owned()))
        };
        let count = |(key, value): (&String, &Value)| {
            let count = value.as_float().ok_or_else(|| wrong(key, "a number with a point"))?;
            Ok((key.clone(), count))
        };
        Ok(Self {
            made_with: table("made_with").map(version).collect::<Result<_>>()?,
            counts: table("counts").map(count).collect::<Result<_>>()?,
        })
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n[made_with]\n");
        for (what, version) in &self.made_with {
            text += &format!("{what} = {version:?}\n");
        }
        text += "\n[counts]\n";
        for (path, instructions) in &self.counts {
            text += &format!("{path:?} = {instructions:.1}\n");
        }
        text
    }

    /// Writes the file.
    pub(super) fn write(&self, file: &Path) -> Result {
        Ok(fs::write(file, self.text())?)
    }

    /// This baseline with the rows that were `counted`, and without those that are not among `paths`.
    pub(super) fn renewed(&self, counted: &Self, paths: &[String]) -> Self {
        let mut counts = self.counts.clone();
        counts.retain(|path, _| paths.contains(path));
        counts.extend(counted.counts.clone());
        Self { made_with: counted.made_with.clone(), counts }
    }

    /// The count of a row.
    pub(super) fn of(&self, path: &str) -> Option<f64> {
        self.counts.get(path).copied()
    }

    /// Every row and its count.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&str, f64)> {
        self.counts.iter().map(|(path, count)| (path.as_str(), *count))
    }

    /// What differs in how both were made: counts then say little about our changes.
    pub(super) fn other_tools(&self, counted: &Self) -> Vec<String> {
        let differs = |(what, now): (&String, &String)| {
            let then = self.made_with.get(what).map_or("nothing", String::as_str);
            (then != now).then(|| format!("{what}: {then} then, {now} now"))
        };
        counted.made_with.iter().filter_map(differs).collect()
    }
}

/// Compiler and C library, whose allocator and copies are counted as well.
pub(super) fn made_with(sh: &Shell) -> Result<BTreeMap<String, String>> {
    let version = cmd!(sh, "rustc -vV").quiet().read()?;
    let field =
        |name: &str| version.lines().find_map(|it| it.strip_prefix(name)).unwrap_or_default();
    let libc = cmd!(sh, "getconf GNU_LIBC_VERSION").quiet().ignore_stderr().read();
    Ok(BTreeMap::from([
        ("compiler".to_owned(), field("release: ").to_owned()),
        ("libc".to_owned(), libc.unwrap_or_else(|_| "unknown".to_owned())),
        ("target".to_owned(), field("host: ").to_owned()),
    ]))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn baseline(compiler: &str, counts: &[(&str, f64)]) -> Baseline {
        Baseline {
            made_with: BTreeMap::from([("compiler".to_owned(), compiler.to_owned())]),
            counts: counts.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect(),
        }
    }

    #[test]
    fn a_baseline_is_written_and_read_back() {
        let written = baseline("1.95.0", &[("wakers/one woken join/100", 210.5), ("local/a", 7.0)]);
        assert_eq!(
            written.text(),
            format!(
                "{HEADER}\n[made_with]\ncompiler = \"1.95.0\"\n\n[counts]\n\"local/a\" = 7.0\n\
                 \"wakers/one woken join/100\" = 210.5\n"
            )
        );
        assert_eq!(Baseline::parse(&written.text()).unwrap(), written);
        assert_eq!(Baseline::parse("").unwrap(), Baseline::default());
        assert!(Baseline::parse("[counts]\nx").is_err());
        assert!(Baseline::parse("[counts]\na = \"1\"").is_err());
    }

    #[test]
    fn a_part_is_renewed_and_what_is_gone_leaves() {
        let old = baseline("1.94.0", &[("a", 1.0), ("b", 2.0), ("gone", 3.0)]);
        let counted = baseline("1.95.0", &[("b", 4.0)]);
        let paths = ["a".to_owned(), "b".to_owned()];
        let renewed = old.renewed(&counted, &paths);
        assert_eq!(renewed, baseline("1.95.0", &[("a", 1.0), ("b", 4.0)]));
        assert_eq!(old.other_tools(&counted), ["compiler: 1.94.0 then, 1.95.0 now"]);
        assert!(renewed.other_tools(&counted).is_empty());
    }
}
