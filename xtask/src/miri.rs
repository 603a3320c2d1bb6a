//! `miri`: the tests of the shipped crates under Miri, with many seeds and strict provenance.

use xshell::{Shell, cmd};

use crate::{
    error::Result,
    flags,
    nightly::{self, Component},
    stages::Outcome,
    workspace::{Package, Workspace, selection},
};

/// Seeds that each test runs with unless told otherwise.
const SEEDS: u32 = 16;

/// Runs the command, or says what is missing.
pub(crate) fn run(flags: &flags::Miri, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select(flags.package.as_deref())?;
    if let Outcome::Skipped(why) = test(sh, &workspace, &packages, flags.seeds)? {
        println!("skipped: {why}");
    }
    Ok(())
}

/// Tests `packages`, each with `seeds` seeds.
pub(crate) fn test(
    sh: &Shell,
    workspace: &Workspace,
    packages: &[&Package],
    seeds: Option<u32>,
) -> Result<Outcome> {
    if let Some(missing) = nightly::missing(sh, "nightly", &[Component::Miri, Component::RustSrc]) {
        return Ok(Outcome::Skipped(missing));
    }
    let selection = selection(packages);
    let seeds = seeds.unwrap_or(SEEDS);
    let own = std::env::var("MIRIFLAGS").unwrap_or_default();
    let miri_flags = format!("-Zmiri-strict-provenance -Zmiri-many-seeds=0..{seeds} {own}");
    let target_dir = workspace.target_dir.join("miri");
    // Doctests are left out: they show usage, and what they use is tested below already.
    let cargo = cmd!(sh, "cargo +nightly miri test --lib --tests --target-dir {target_dir}");
    cargo.args(selection).env("MIRIFLAGS", miri_flags.trim_end()).run()?;
    Ok(Outcome::Passed)
}
