//! Verdicts of earlier runs, good for as long as neither the code nor loom's limits change.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
};

use serde_json::{Value, json};

use crate::{
    error::Result,
    lexer::Source,
    loom::{
        hunt::{candidate::Candidate, reach, verdict::Verdict},
        setup::Setup,
    },
    tree,
    workspace::{Package, Workspace},
};

/// The file of verdicts.
#[derive(Debug)]
pub(super) struct Known {
    file: PathBuf,
    entries: BTreeMap<String, Value>,
    /// By package: what its verdicts depend on.
    stamps: BTreeMap<String, String>,
}

impl Known {
    /// Reads the file, or begins a new one.
    pub(super) fn load(workspace: &Workspace, setup: &Setup, fresh: bool) -> Result<Self> {
        let file = setup.target_dir.join("mutants.json");
        let text =
            if fresh { String::new() } else { fs::read_to_string(&file).unwrap_or_default() };
        let mut stamps = BTreeMap::new();
        for package in workspace.shipped() {
            stamps.insert(package.name.clone(), stamp(workspace, package, setup)?);
        }
        Ok(Self { file, entries: serde_json::from_str(&text).unwrap_or_default(), stamps })
    }

    /// What became of a mutant while everything was as it is now.
    pub(super) fn recall(&self, candidate: &Candidate) -> Option<Verdict> {
        let entry = self.entries.get(&key(candidate))?;
        let stamp = self.stamps.get(&candidate.package)?;
        (entry["stamp"] == json!(stamp)).then(|| Verdict::from_json(&entry["verdict"]))
    }

    /// Keeps a verdict, on disk as well, so that an interrupted run goes on where it ended.
    pub(super) fn remember(&mut self, candidate: &Candidate, verdict: &Verdict) -> Result {
        let (Some(verdict), Some(stamp)) = (verdict.to_json(), self.stamps.get(&candidate.package))
        else {
            return Ok(());
        };
        self.entries.insert(key(candidate), json!({"stamp": stamp, "verdict": verdict}));
        fs::create_dir_all(self.file.parent().unwrap_or(&self.file))?;
        fs::write(&self.file, json!(self.entries).to_string())?;
        Ok(())
    }
}

fn key(candidate: &Candidate) -> String {
    format!("{} {}", candidate.package, candidate.name)
}

/// Changes with the code of every crate that the models of `package` are made of; comments and
/// empty lines do not count.
fn stamp(workspace: &Workspace, package: &Package, setup: &Setup) -> Result<String> {
    let mut parts = BTreeSet::new();
    for it in core::iter::once(package).chain(reach::models_of(workspace, package)) {
        parts.extend(reach::below(workspace, it).into_iter().map(Package::dir));
    }
    let mut hasher = DefaultHasher::new();
    setup.env.hash(&mut hasher);
    for dir in parts {
        for path in tree::all(dir)? {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            match path.extension().and_then(|it| it.to_str()) {
                Some("rs") => hash_code(&text, &mut hasher),
                Some("toml") => text.hash(&mut hasher),
                _ => {}
            }
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn hash_code(text: &str, hasher: &mut impl Hasher) {
    let source = Source::new(text);
    let lines = source.lines.iter().map(|line| line.with_strings.trim());
    lines.filter(|line| !line.is_empty()).for_each(|line| line.hash(hasher));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count() {
        let hash = |text| {
            let mut hasher = DefaultHasher::new();
            hash_code(text, &mut hasher);
            hasher.finish()
        };
        assert_eq!(hash("// a\nb(\"// c\"); // d\n"), hash("b(\"// c\");\n\n// e\n"));
        assert_ne!(hash("b(\"// c\");\n"), hash("b(\"// d\");\n"));
    }
}
