//! Manifests and the files beside them: inherited fields, lints, licences, README, changelog; of a
//! shipped crate also what is published of it.

use std::{fs, path::Path};

use crate::{
    error::Result,
    stages::{Outcome, verdict},
    workspace::{CHANGELOG, FRONT, Package, Workspace},
};

use super::published;

/// Fields that every member takes from the workspace.
const INHERITED: [&str; 3] = ["edition", "license", "repository"];

/// Fields that shipped crates take from it as well.
const INHERITED_SHIPPED: [&str; 3] = ["include", "rust-version", "version"];

/// Checks every member.
pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let shown = workspace.relative(&package.manifest).display().to_string();
        let mut found = manifest(package, &fs::read_to_string(&package.manifest)?);
        if package.shipped {
            found.extend(published::check(package));
            found.extend(beside(package));
        }
        findings.extend(found.into_iter().map(|it| format!("{shown}: {it}")));
    }
    verdict(&findings)
}

/// What is wrong with the text of a manifest.
fn manifest(package: &Package, text: &str) -> Vec<String> {
    let inherits =
        |field: &str| value(text, "package", &format!("{field}.workspace")) == Some("true");
    let shipped = INHERITED_SHIPPED.iter().filter(|_| package.shipped);
    let fields = INHERITED.iter().chain(shipped).filter(|field| !inherits(field));
    let mut found: Vec<_> =
        fields.map(|field| format!("[package] needs `{field}.workspace = true`")).collect();
    if value(text, "lints", "workspace") != Some("true") {
        found.push("[lints] needs `workspace = true`".into());
    }
    if !package.shipped && value(text, "package", "publish") != Some("false") {
        found.push("[package] of a member that is not shipped needs `publish = false`".into());
    }
    found
}

/// The value of a key in a table of a manifest.
fn value<'a>(text: &'a str, table: &str, key: &str) -> Option<&'a str> {
    let mut current = "";
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            current = name.split(']').next().unwrap_or_default();
        } else if let Some((name, value)) = line.split_once('=') {
            if current == table && name.trim() == key {
                return Some(value.trim());
            }
        }
    }
    None
}

/// What is wrong with the files beside a manifest.
fn beside(package: &Package) -> Vec<String> {
    let dir = package.dir();
    let missing = FRONT.iter().filter(|file| !dir.join(file).is_file());
    let mut found: Vec<_> = missing.map(|file| format!("there is no {file} beside it")).collect();
    found.extend(changelog(&dir.join(CHANGELOG), &package.version));
    if package.targets("example").next().is_none() && !package.is_internal() {
        found.push("the crate has no example".into());
    }
    found
}

fn changelog(path: &Path, version: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    (!mentions(&text, version)).then(|| format!("the changelog has no heading for {version}"))
}

/// Whether a heading names `version`.
fn mentions(changelog: &str, version: &str) -> bool {
    let word = |c: char| !(c.is_ascii_alphanumeric() || ".-+".contains(c));
    let headings = changelog.lines().filter(|line| line.starts_with('#'));
    headings.flat_map(|line| line.split(word)).any(|it| it.trim_start_matches('v') == version)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[package]\nname = \"a\"\nedition.workspace = true\nlicense.workspace = true\n\
                        repository.workspace = true\npublish = false\n\n[lints]\nworkspace = true\n";

    #[test]
    fn members_inherit() {
        let own = Package::default();
        assert_eq!(manifest(&own, GOOD), [""; 0]);
        let shipped = Package { shipped: true, ..Package::default() };
        assert_eq!(
            manifest(&shipped, GOOD),
            [
                "[package] needs `include.workspace = true`",
                "[package] needs `rust-version.workspace = true`",
                "[package] needs `version.workspace = true`",
            ]
        );
        let bad = GOOD.replace("edition.workspace = true", "edition = \"2021\"");
        let bad = bad.replace("[lints]", "[other]").replace("publish", "x");
        assert_eq!(manifest(&own, &bad).len(), 3);
    }

    #[test]
    fn a_changelog_names_its_version_in_a_heading() {
        assert!(mentions("# Changelog\n\n## [0.1.0] - 2026-01-01\n", "0.1.0"));
        assert!(mentions("## v0.1.0\n", "0.1.0"));
        assert!(!mentions("## 0.1.01\n\n0.1.0\n", "0.1.0"));
    }
}
