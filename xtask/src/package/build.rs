//! Builds the unpacked crates, each as its user would.

use std::process::Command;

use xshell::{Cmd, Shell, cmd};

use super::Packed;
use crate::{
    error::{Error, Result},
    process::{capture, plain},
    rustflags::without_doc_warnings,
    stages::Outcome,
    workspace::{Package, features},
};

/// Every library by itself: with default features, and with all that users have. One at a time, since
/// crates that are built together share their features.
pub(super) fn libraries(sh: &Shell, packed: &Packed, packages: &[&Package]) -> Result<Outcome> {
    for package in packages {
        let name = &package.name;
        quietly(packed, cmd!(sh, "cargo build -p {name} --lib"))?;
        if package.user_features().next().is_some() {
            let features = features(&[package]);
            quietly(packed, cmd!(sh, "cargo build -p {name} --lib {features...}"))?;
        }
    }
    Ok(Outcome::Passed)
}

/// Every example, with what it depends on.
pub(super) fn examples(sh: &Shell, packed: &Packed, packages: &[&Package]) -> Result<Outcome> {
    for package in packages.iter().filter(|it| it.targets("example").next().is_some()) {
        let (name, features) = (&package.name, features(&[package]));
        quietly(packed, cmd!(sh, "cargo build -p {name} --examples {features...}"))?;
    }
    Ok(Outcome::Passed)
}

/// The documentation, READMEs included.
pub(super) fn docs(sh: &Shell, packed: &Packed, packages: &[&Package]) -> Result<Outcome> {
    let features = features(packages);
    // Kept apart from the documentation of the workspace.
    let dir = packed.target_dir.join("packed-docs");
    let cargo = cmd!(sh, "cargo doc --workspace --no-deps {features...} --target-dir {dir}");
    quietly(packed, without_doc_warnings(cargo))?;
    Ok(Outcome::Passed)
}

/// Runs a cargo command in the unpacked workspace; a warning is an error.
fn quietly(packed: &Packed, cargo: Cmd<'_>) -> Result {
    let shown = cargo.to_string();
    println!("$ {shown}");
    let mut command = Command::from(cargo);
    command.current_dir(&packed.root);
    if !shown.contains("--target-dir") {
        command.arg("--target-dir").arg(&packed.target_dir);
    }
    let finished = capture(command, None)?;
    let output = plain(&finished.output);
    if finished.success() && !warned(&output) {
        return Ok(());
    }
    let folder = packed.root.display();
    Err(Error::failed(format!("{output}\n`{shown}` in {folder}: {}", finished.describe())))
}

fn warned(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("warning"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_noticed() {
        assert!(warned("   Compiling a\nwarning: unused\n"));
        assert!(!warned("   Compiling warning v1\n    Finished\n"));
    }
}
