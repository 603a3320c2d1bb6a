//! `miri`: the tests of the shipped crates under Miri, with many seeds and strict provenance.

use xshell::{Cmd, Shell, cmd};

use crate::{
    error::Result,
    flags,
    workspace::{Workspace, selection},
};

/// Seeds that each test runs with unless told otherwise.
const SEEDS: u32 = 16;

/// Runs the command, or says what is missing.
pub(crate) fn run(flags: &flags::Miri, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select(flags.package.as_deref())?;
    if let Some(missing) = missing(sh) {
        println!("skipped: {missing} is not installed; {}", advice(missing));
        return Ok(());
    }
    let selection = selection(&packages);
    let seeds = flags.seeds.unwrap_or(SEEDS);
    let own = std::env::var("MIRIFLAGS").unwrap_or_default();
    let miri_flags = format!("-Zmiri-strict-provenance -Zmiri-many-seeds=0..{seeds} {own}");
    let target_dir = workspace.target_dir.join("miri");
    // Doctests are left out: they show usage, and what they use is tested below already.
    let cargo = cmd!(sh, "cargo +nightly miri test --lib --tests --target-dir {target_dir}");
    cargo.args(selection).env("MIRIFLAGS", miri_flags.trim_end()).run()?;
    Ok(())
}

/// The first thing that Miri needs and this toolchain lacks.
fn missing(sh: &Shell) -> Option<&'static str> {
    let fails = |cmd: Cmd<'_>| cmd.quiet().ignore_stdout().ignore_stderr().run().is_err();
    if fails(cmd!(sh, "cargo +nightly --version")) {
        return Some("nightly");
    }
    if fails(cmd!(sh, "cargo +nightly miri --version")) {
        return Some("miri");
    }
    let sysroot = cmd!(sh, "rustc +nightly --print sysroot").quiet().read().ok()?;
    let library = std::path::Path::new(&sysroot).join("lib/rustlib/src/rust/library");
    (!library.is_dir()).then_some("rust-src")
}

fn advice(missing: &str) -> String {
    match missing {
        "nightly" => "try `rustup toolchain install nightly --component miri,rust-src`".to_owned(),
        component => format!("try `rustup component add {component} --toolchain nightly`"),
    }
}
