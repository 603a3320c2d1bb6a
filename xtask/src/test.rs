//! `test`: unit tests, doctests, examples, and on request each benchmark once.

use core::time::Duration;

use xshell::{Shell, cmd};

use crate::{
    error::{Error, Result},
    flags,
    process::{build, capture, plain, seconds},
    stages::{Outcome, Stages},
    workspace::{BENCHES, Package, Workspace, selection},
};

/// Time that an example may take.
const EXAMPLE_LIMIT: Duration = Duration::from_secs(60);

/// Runs the command.
pub(crate) fn run(flags: &flags::Test, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select(flags.package.as_deref())?;
    let mut stages = Stages::default();
    let tested = with_xtask(&workspace, &packages, flags.package.is_none());
    stages.run("tests", || unit_tests(sh, &tested, flags));
    stages.run("doctests", || doctests(sh, &packages, flags));
    // Arguments choose tests, and examples are none.
    if flags.args.is_empty() {
        stages.run("examples", || examples(sh, &workspace, &packages));
    }
    if flags.benches {
        stages.run("benches", || benches(sh, &workspace));
    }
    stages.finish()
}

fn with_xtask<'a>(
    workspace: &'a Workspace,
    packages: &[&'a Package],
    all: bool,
) -> Vec<&'a Package> {
    let xtask = workspace.packages.iter().filter(|it| all && it.name == "xtask");
    packages.iter().copied().chain(xtask).collect()
}

fn unit_tests(sh: &Shell, packages: &[&Package], flags: &flags::Test) -> Result<Outcome> {
    let (selection, args) = (selection(packages), &flags.args);
    if cmd!(sh, "cargo nextest --version").quiet().ignore_stderr().read().is_ok() {
        cmd!(sh, "cargo nextest run --no-fail-fast --no-tests=pass {selection...} -- {args...}")
            .run()?;
    } else {
        println!("cargo-nextest is not installed; taking `cargo test`");
        cmd!(sh, "cargo test --no-fail-fast --lib --bins --tests {selection...} -- {args...}")
            .run()?;
    }
    Ok(Outcome::Passed)
}

fn doctests(sh: &Shell, packages: &[&Package], flags: &flags::Test) -> Result<Outcome> {
    let packages: Vec<_> =
        packages.iter().copied().filter(|it| it.targets("lib").next().is_some()).collect();
    if packages.is_empty() {
        return Ok(Outcome::Skipped("no library among the packages".into()));
    }
    let (selection, args) = (selection(&packages), &flags.args);
    cmd!(sh, "cargo test --no-fail-fast --doc {selection...} -- {args...}").run()?;
    Ok(Outcome::Passed)
}

fn examples(sh: &Shell, workspace: &Workspace, packages: &[&Package]) -> Result<Outcome> {
    let packages: Vec<_> =
        packages.iter().copied().filter(|it| it.targets("example").next().is_some()).collect();
    if packages.is_empty() {
        return Ok(Outcome::Skipped("the packages have no example".into()));
    }
    let selection = selection(&packages);
    let mut failures = String::new();
    for example in build(cmd!(sh, "cargo build --examples {selection...}"))? {
        let name =
            format!("{}/examples/{}", workspace.relative(&example.dir).display(), example.target);
        let mut command = std::process::Command::new(&example.path);
        command.current_dir(&example.dir);
        let finished = capture(command, Some(EXAMPLE_LIMIT))?;
        let word = if finished.success() { "ok" } else { "FAILED" };
        println!("{name}: {word} in {}", seconds(finished.elapsed));
        if !finished.success() {
            failures += &format!("{name}: {}\n{}", finished.describe(), plain(&finished.output));
        }
    }
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(Error::failed(failures)) }
}

fn benches(sh: &Shell, workspace: &Workspace) -> Result<Outcome> {
    if !workspace.packages.iter().any(|it| it.name == BENCHES) {
        return Ok(Outcome::Skipped(format!("there is no package {BENCHES}")));
    }
    cmd!(sh, "cargo bench -p {BENCHES} -- --test").run()?;
    cmd!(sh, "cargo test -p {BENCHES} --features web --bin web").run()?;
    Ok(Outcome::Passed)
}
