//! `shuttle`: whole systems under random schedules.

mod ended;

use core::time::Duration;
use std::path::PathBuf;

use xshell::{Cmd, Shell, cmd};

use crate::{
    error::{Error, Result},
    flags,
    loom::{Model, list, wrapper},
    parallel::{cores, in_order},
    process::{capture, seconds, tail},
    random::seed,
    rustflags::with_flags,
    shuttle::ended::Ended,
    workspace::{Package, Workspace, selection_with},
};

/// Turns the façade over to shuttle.
pub(crate) const CFGS: [&str; 2] = ["--cfg", "selvedge_shuttle"];

/// Name of the test target, and of the feature that it needs.
pub(crate) const NAME: &str = "shuttle";

/// Time for one test.
const LIMIT: Duration = Duration::from_secs(300);

/// Lines of output that are repeated after a failure.
const TAIL: usize = 60;

/// Runs the command.
pub(crate) fn run(flags: &flags::Shuttle, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select_with_test(flags.package.as_deref(), NAME)?;
    let tests = tests(flags, sh, &workspace, &packages)?;
    let seed = flags.seed.unwrap_or_else(seed);
    let limit = flags.timeout.map_or(LIMIT, Duration::from_secs);
    let width = tests.iter().map(|it| it.package.len() + it.name.len()).max().unwrap_or_default();
    println!("{:<w$}  schedules      time  (--seed {seed} draws the same)", "test", w = width + 2);
    let mut failures = Vec::new();
    in_order(
        &tests,
        cores(),
        |test| {
            let mut command = std::process::Command::new(&test.executable);
            command.args([&test.name, "--exact", "--nocapture", "--test-threads=1"]);
            command.current_dir(&test.dir).env("SELVEDGE_SEED", seed.to_string());
            command.envs(flags.iterations.map(|n| ("SELVEDGE_SCHEDULES", n.to_string())));
            capture(command, Some(limit)).map(|finished| (test, finished))
        },
        |result| {
            let (test, finished) = result?;
            let ended = Ended::of(test.is_canary(), &finished);
            let name = format!("{}  {}", test.package, test.name);
            let (cell, time) = (ended.schedules(), seconds(finished.elapsed));
            let why = ended.failure().map(|why| format!("  FAILED: {why}")).unwrap_or_default();
            println!("{name:<w$}  {cell:>9}  {time:>8}{why}", w = width + 2);
            if ended.failure().is_some() {
                failures.push(failure(test, seed, &finished.output));
            }
            Ok(())
        },
    )?;
    match (failures.len(), &flags.mutant) {
        (0, None) => Ok(()),
        (0, Some(mutant)) => Err(Error::failed(format!("no test noticed the mutant `{mutant}`"))),
        (n, Some(mutant)) => {
            println!("{n} of {} tests noticed the mutant `{mutant}`", tests.len());
            Ok(())
        }
        (n, None) => {
            failures.iter().for_each(|it| println!("\n{it}"));
            Err(Error::failed(format!("{n} of {} tests failed", tests.len())))
        }
    }
}

/// Builds the tests and lists those that the flags choose.
fn tests(
    flags: &flags::Shuttle,
    sh: &Shell,
    workspace: &Workspace,
    packages: &[&Package],
) -> Result<Vec<Model>> {
    let mut build = cargo(sh, workspace, packages);
    if let Some(mutant) = &flags.mutant {
        build = wrapper::apply(build, mutant, &target_dir(workspace).join("mutants"))?;
    }
    let mut tests = list(build, packages, NAME)?;
    if let Some(part) = &flags.test {
        tests.retain(|it| it.name.contains(part));
        if tests.is_empty() {
            return Err(Error::usage(format!("no test has `{part}` in its name")));
        }
    }
    Ok(tests)
}

/// The cargo command that builds the tests of `packages`.
fn cargo<'a>(sh: &'a Shell, workspace: &Workspace, packages: &[&Package]) -> Cmd<'a> {
    let (selection, dir) = (selection_with(packages, NAME), target_dir(workspace));
    let cargo = cmd!(sh, "cargo test --no-run --profile loom --test {NAME} {selection...}");
    with_flags(cargo.arg("--target-dir").arg(dir), &CFGS)
}

/// Where everything that is compiled for shuttle goes, so that ordinary builds stay fresh.
pub(crate) fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target_dir.join(NAME)
}

/// The end of what a test printed, and the command that repeats it.
fn failure(test: &Model, seed: u64, output: &str) -> String {
    let Model { package, name, .. } = test;
    let tail = tail(output, TAIL);
    let short = package.strip_prefix("selvedge-").unwrap_or(package);
    format!(
        "{package} {name}:\n{tail}\n\nTo reproduce:\n  \
         cargo xtask shuttle -p {short} -t {name} --seed {seed}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_how_to_reproduce_it() {
        let text = failure(&Model::sample("wakes"), 7, "\u{1b}[1mdeadlock\u{1b}[0m\n");
        assert!(text.starts_with("selvedge-a wakes:\ndeadlock\n"), "{text}");
        assert!(text.ends_with("cargo xtask shuttle -p a -t wakes --seed 7"), "{text}");
    }
}
