//! `sanitize`: the tests of the shipped crates under tools that watch memory and threads.
//!
//! Each tool is a stage of its own, and is skipped where it is not installed. They see different
//! faults: AddressSanitizer what is freed too early, memcheck also what was never written,
//! ThreadSanitizer races between threads that really ran, Miri broken rules of the language.

mod compiled;
mod memcheck;

use core::time::Duration;

use xshell::Shell;

use crate::{
    error::Result,
    flags, miri,
    stages::{self, Outcome, Stages},
    workspace::{Package, Workspace},
};

use self::compiled::Sanitizer;

type Stage = fn(&Tests<'_>) -> Result<Outcome>;

/// The stages, quick ones first.
const STAGES: &[(&str, Stage)] = &[
    ("address", |tests| compiled::test(tests, Sanitizer::Address)),
    ("memcheck", memcheck::test),
    ("thread", |tests| compiled::test(tests, Sanitizer::Thread)),
    ("miri", |tests| miri::test(tests.sh, tests.workspace, tests.packages, None)),
];

/// Time that the tests of one executable may take under memcheck unless told otherwise.
const LIMIT: Duration = Duration::from_secs(120);

/// What is tested.
#[derive(Debug)]
struct Tests<'a> {
    sh: &'a Shell,
    workspace: &'a Workspace,
    packages: &'a [&'a Package],
    limit: Duration,
}

/// Runs the command.
pub(crate) fn run(flags: &flags::Sanitize, sh: &Shell) -> Result {
    let chosen = stages::choose(STAGES, &flags.stages, "sanitize")?;
    if flags.list {
        chosen.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    }
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select(flags.package.as_deref())?;
    let limit = flags.timeout.map_or(LIMIT, Duration::from_secs);
    let tests = Tests { sh, workspace: &workspace, packages: &packages, limit };
    let mut stages = Stages::default();
    for (name, stage) in chosen {
        stages.run(name, || stage(&tests));
    }
    stages.finish()
}
