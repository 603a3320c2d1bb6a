//! Targets that our users build for and that no test runs on: compiled, where they are installed.

use std::{path::Path, process::Command};

use xshell::{Shell, cmd};

use crate::{
    error::{Error, Result},
    process::capture,
    stages::Outcome,
    workspace::Workspace,
};

/// In a browser, on one thread.
const WASM: &str = "wasm32-unknown-unknown";

/// A small device without an operating system.
const BARE: &str = "thumbv7em-none-eabi";

/// What needs no std, by its short name.
const WITHOUT_STD: [&str; 2] = ["wakers", "combinators"];

/// Every shipped crate compiles for wasm.
pub(super) fn wasm(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    if !installed(sh, WASM)? {
        return Ok(Outcome::Skipped(advice(WASM)));
    }
    let names: Vec<_> = workspace.shipped().map(|it| it.name.as_str()).collect();
    compiles(sh, &names, &["--target", WASM])
}

/// What claims to need no std compiles where there is none.
///
/// Where the target is not installed it is compiled for this machine, without default features: that
/// finds a use of std in these crates, and not one in a crate that they depend on.
pub(super) fn without_std(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    let needs_none = |name: &str| WITHOUT_STD.contains(&name);
    let names: Vec<_> = workspace
        .shipped()
        .filter(|it| needs_none(it.short_name()))
        .map(|it| it.name.as_str())
        .collect();
    if installed(sh, BARE)? {
        return compiles(sh, &names, &["--no-default-features", "--target", BARE]);
    }
    println!("{}; compiling for this machine instead", advice(BARE));
    compiles(sh, &names, &["--no-default-features"])
}

/// Whether the compiler in use has the target's standard library, or what there is of it.
fn installed(sh: &Shell, target: &str) -> Result<bool> {
    let folder = cmd!(sh, "rustc --print target-libdir --target {target}").quiet().read()?;
    Ok(Path::new(&folder).is_dir())
}

fn advice(target: &str) -> String {
    format!("the target {target} is not installed; try `rustup target add {target}`")
}

/// Compiles each library by itself: crates that are built together share their features.
fn compiles(sh: &Shell, packages: &[&str], args: &[&str]) -> Result<Outcome> {
    for package in packages {
        let cargo = cmd!(sh, "cargo check --quiet --lib -p {package} {args...}");
        let shown = cargo.to_string();
        println!("$ {shown}");
        let finished = capture(Command::from(cargo), None)?;
        if !finished.success() {
            return Err(Error::failed(format!("{}\nrun `{shown}`", finished.output)));
        }
    }
    Ok(Outcome::Passed)
}
