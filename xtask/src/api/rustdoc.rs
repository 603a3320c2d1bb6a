//! Has rustdoc write what is public as JSON, and a helper print it.
//!
//! The format of that JSON is not stable: a nightly writes one version of it, and a release of the
//! helper's library reads one. Where they differ, nothing can be said about the surface.

use std::{fs, path::PathBuf};

use serde_json::Value;
use xshell::{Shell, cmd};

use super::surface::Surface;
use crate::{
    error::Result,
    nightly,
    process::build_one,
    workspace::{Package, Workspace, features},
};

/// The package that reads the JSON; apart from xtask, so that other commands don't wait for it.
const HELPER: &str = "xtask-api";

/// The version of the format that the helper reads.
const FORMAT: u64 = 57;

/// A nightly that writes this version.
const NIGHTLY: &str = "nightly-2026-05-16";

/// Reads surfaces.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    sh: &'a Shell,
    toolchain: &'a str,
    target_dir: PathBuf,
    helper: PathBuf,
}

impl<'a> Reader<'a> {
    /// Builds the helper; `Err` inside tells what is missing.
    pub(super) fn new(
        sh: &'a Shell,
        workspace: &Workspace,
        toolchain: &'a str,
    ) -> Result<Result<Self, String>> {
        if let Some(missing) = nightly::missing(sh, toolchain, &[]) {
            return Ok(Err(missing));
        }
        let helper = build_one(cmd!(sh, "cargo build --quiet -p {HELPER}"), HELPER)?;
        let target_dir = workspace.target_dir.join("api");
        Ok(Ok(Self { sh, toolchain, target_dir, helper }))
    }

    /// The surface of a crate; `Err` inside if this nightly writes another format.
    pub(super) fn read(&self, package: &Package) -> Result<Result<Surface, String>> {
        let Self { sh, toolchain, target_dir, helper } = self;
        let (name, features) = (&package.name, features(&[package]));
        let json = ["-Zunstable-options", "--output-format=json", "--cap-lints=allow"];
        cmd!(sh, "cargo +{toolchain} rustdoc --quiet -p {name} --lib {features...} --target-dir {target_dir} -- {json...}")
            .run()?;
        let file = target_dir.join(format!("doc/{}.json", name.replace('-', "_")));
        let written: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        if let Some(other) = other_format(&written, toolchain) {
            return Ok(Err(other));
        }
        let printed = cmd!(sh, "{helper} {file}").quiet().read()?;
        Ok(Ok(Surface::printed(&printed)))
    }
}

/// What to do if the JSON is of another version.
fn other_format(json: &Value, toolchain: &str) -> Option<String> {
    let version = json["format_version"].as_u64().unwrap_or_default();
    (version != FORMAT).then(|| {
        format!(
            "rustdoc of {toolchain} writes version {version} of its JSON, and version {FORMAT} is \
             read here; try `--toolchain {NIGHTLY}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_format_is_told() {
        assert_eq!(other_format(&json!({ "format_version": FORMAT }), "nightly"), None);
        let other = other_format(&json!({ "format_version": 99 }), "nightly").unwrap();
        assert!(other.starts_with("rustdoc of nightly writes version 99"), "{other}");
    }
}
