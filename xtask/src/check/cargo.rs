//! Stages that cargo does for us: format, lints, documentation.

use std::{path::Path, process::Command};

use xshell::{Cmd, Shell, cmd};

use crate::{
    error::{Error, Result},
    loom, nightly,
    process::capture,
    rustflags::{with_flags, without_doc_warnings},
    shuttle,
    stages::{Outcome, verdict},
    workspace::{BENCHES, Workspace, features, selection_with},
};

use super::links;

/// Rustfmt over every member.
pub(super) fn format(sh: &Shell) -> Result<Outcome> {
    if let Some(skipped) = lacks(sh, "fmt", "rustfmt") {
        return Ok(skipped);
    }
    passed(cmd!(sh, "cargo fmt --all --check"), "run `cargo fmt --all`")
}

/// Clippy over every target of every member; warnings are errors.
pub(super) fn clippy(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    if let Some(skipped) = lacks(sh, "clippy", "clippy") {
        return Ok(skipped);
    }
    let features = shipped_features(workspace);
    // The feature of the benchmarks that brings no heavy peer in.
    let web = format!("{BENCHES}/web");
    let args = ["--workspace", "--all-targets", "--keep-going", "--features", &web];
    passed(cmd!(sh, "cargo clippy {args...} {features...} -- -D warnings"), "")
}

/// Clippy over what is compiled for loom only.
pub(super) fn clippy_of_models(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    clippy_of(sh, workspace, "loom", &loom::target_dir(workspace), &loom::CFGS)
}

/// Clippy over what is compiled for shuttle only.
pub(super) fn clippy_of_schedules(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    clippy_of(sh, workspace, shuttle::NAME, &shuttle::target_dir(workspace), &shuttle::CFGS)
}

/// Clippy over libraries and tests under a switch of the façade, whose feature and test target
/// bear one name.
fn clippy_of(
    sh: &Shell,
    workspace: &Workspace,
    switch: &str,
    dir: &Path,
    cfgs: &[&str],
) -> Result<Outcome> {
    if let Some(skipped) = lacks(sh, "clippy", "clippy") {
        return Ok(skipped);
    }
    let packages: Vec<_> = workspace.shipped().filter(|it| it.has_feature(switch)).collect();
    if packages.is_empty() {
        return Ok(Outcome::Skipped(format!("no crate has the feature `{switch}`")));
    }
    let selection = selection_with(&packages, switch);
    let tests = packages.iter().any(|it| it.has_target("test", switch));
    let targets = if tests { &["--lib", "--test", switch][..] } else { &["--lib"] };
    let cargo =
        cmd!(sh, "cargo clippy --keep-going {targets...} {selection...} --target-dir {dir}");
    passed(with_flags(cargo.args(["--", "-D", "warnings"]), cfgs), "")
}

/// Documentation of every member, private items included; warnings are errors.
pub(super) fn docs(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    let features = shipped_features(workspace);
    let args = ["--workspace", "--no-deps", "--document-private-items"];
    passed(without_doc_warnings(cmd!(sh, "cargo doc {args...} {features...}")), "")
}

/// The documentation of each shipped crate as docs.rs builds it: by a nightly, features named beside items.
///
/// Warnings are left to [`docs`]: each nightly may have new ones.
pub(super) fn docs_rs(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    if let Some(missing) = nightly::missing(sh, "nightly", &[]) {
        return Ok(Outcome::Skipped(missing));
    }
    // Shared with `api`, which compiles the same dependencies.
    let dir = workspace.target_dir.join("api");
    for package in workspace.shipped() {
        let (name, args) = (&package.name, &package.docs_rs.rustdoc_args);
        let features = match package.docs_rs.features.join(",") {
            none if none.is_empty() => Vec::new(),
            some => vec!["--features".to_owned(), some],
        };
        let cargo = cmd!(sh, "cargo +nightly rustdoc -p {name} --lib {features...}");
        let cargo = cargo.args(["--target-dir".as_ref(), dir.as_os_str()]);
        passed(cargo.arg("--").args(args), "")?;
    }
    // Only now, for they may link to each other.
    let pages = dir.join("doc");
    verdict(&workspace.shipped().flat_map(|it| links::broken(it, &pages)).collect::<Vec<_>>())
}

/// Features of the shipped crates; those of the benchmarks bring heavy peers in.
fn shipped_features(workspace: &Workspace) -> Vec<String> {
    features(&workspace.shipped().collect::<Vec<_>>())
}

/// Skips a stage whose cargo command is not installed.
fn lacks(sh: &Shell, command: &str, component: &str) -> Option<Outcome> {
    let version = cmd!(sh, "cargo {command} --version").quiet().ignore_stdout().ignore_stderr();
    let advice = format!("{component} is not installed; try `rustup component add {component}`");
    version.run().is_err().then_some(Outcome::Skipped(advice))
}

/// Runs a cargo command quietly; its complaints are the error.
fn passed(cargo: Cmd<'_>, advice: &str) -> Result<Outcome> {
    let shown = cargo.to_string();
    println!("$ {shown}");
    let finished = capture(Command::from(cargo), None)?;
    if finished.success() {
        return Ok(Outcome::Passed);
    }
    let complaints = complaints(&finished.output);
    let advice = if advice.is_empty() { format!("run `{shown}`") } else { advice.to_owned() };
    Err(Error::failed(format!("{complaints}\n{advice}")))
}

/// Output without the lines that only tell of progress.
fn complaints(output: &str) -> String {
    let progress = ["Compiling", "Checking", "Documenting", "Blocking", "Finished", "Generated"];
    let telling = |line: &&str| !progress.iter().any(|it| line.trim_start().starts_with(it));
    output.lines().filter(telling).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_no_complaint() {
        let output = "   Compiling a v1\nerror: no\n --> a.rs:1\n    Finished `dev`\n";
        assert_eq!(complaints(output), "error: no\n --> a.rs:1");
    }
}
