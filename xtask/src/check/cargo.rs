//! Stages that cargo does for us: format, lints, documentation.

use std::{env, path::Path, process::Command};

use xshell::{Cmd, Shell, cmd};

use crate::{
    error::{Error, Result},
    loom, nightly,
    process::capture,
    rustflags::with_flags,
    shuttle,
    stages::Outcome,
    workspace::{Workspace, features},
};

use super::{links, verdict};

/// The feature of the benchmarks that brings no heavy peer in.
const WEB: &str = "selvedge-benches/web";

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
    let args = ["--workspace", "--all-targets", "--keep-going", "--features", WEB];
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
    let names = packages.iter().flat_map(|it| ["-p", it.name.as_str()]);
    let features: Vec<_> = packages.iter().map(|it| format!("{}/{switch}", it.name)).collect();
    let features = features.join(",");
    let tests = packages.iter().any(|it| it.has_target("test", switch));
    let targets = if tests { &["--lib", "--test", switch][..] } else { &["--lib"] };
    let cargo =
        cmd!(sh, "cargo clippy --keep-going {targets...} --features {features} --target-dir {dir}");
    passed(with_flags(cargo.args(names).args(["--", "-D", "warnings"]), cfgs), "")
}

/// Documentation of every member, private items included; warnings are errors.
pub(super) fn docs(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    let features = shipped_features(workspace);
    let args = ["--workspace", "--no-deps", "--document-private-items"];
    passed(cmd!(sh, "cargo doc {args...} {features...}").env("RUSTDOCFLAGS", rustdoc()), "")
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
    verdict(workspace.shipped().flat_map(|it| links::broken(it, &pages)).collect())
}

/// Features of the shipped crates; those of the benchmarks bring heavy peers in.
fn shipped_features(workspace: &Workspace) -> Vec<String> {
    features(&workspace.shipped().collect::<Vec<_>>())
}

fn rustdoc() -> String {
    let own = env::var("RUSTDOCFLAGS").unwrap_or_default();
    format!("{own} -D warnings").trim_start().to_owned()
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
