//! The tests under valgrind's memcheck, one executable after the other.
//!
//! They run some twenty times slower there, so an executable has a limit of time, and one that
//! does not fit is named: what ran until then was watched, but it is no failure.

use std::{collections::HashSet, process::Command};

use xshell::cmd;

use super::Tests;
use crate::{
    error::{Error, Result},
    process::{self, Executable, Finished, capture, seconds, tail},
    stages::Outcome,
    workspace::selection,
};

/// The exit code that tells of a memory error; libtest has others.
const CODE: i32 = 99;

/// Lines of output that are repeated after a failure.
const TAIL: usize = 60;

/// Runs the tests.
pub(super) fn test(tests: &Tests<'_>) -> Result<Outcome> {
    let Tests { sh, workspace, packages, limit } = tests;
    if let Some(missing) = process::without_valgrind(sh) {
        return Ok(Outcome::Skipped(missing));
    }
    let selection = selection(packages);
    let built = process::build(cmd!(sh, "cargo test --no-run --lib --tests {selection...}"))?;
    let (mut failures, mut unfinished, mut seen) = (String::new(), 0, HashSet::new());
    for executable in built.iter().filter(|it| seen.insert(&it.path)) {
        let name =
            format!("{} {}", workspace.relative(&executable.dir).display(), executable.target);
        let finished = capture(valgrind(executable), Some(*limit))?;
        let passed = passed(&finished.output);
        let (word, elapsed) = (word(&finished), seconds(finished.elapsed));
        println!("{name:<44} {word:<12} {passed:>4} tests {elapsed:>8}");
        match finished.status {
            None => unfinished += 1,
            Some(status) if status.success() => {}
            Some(_) => failures += &format!("{name}: {word}\n{}\n", tail(&finished.output, TAIL)),
        }
    }
    if unfinished > 0 {
        let limit = seconds(*limit);
        println!("{unfinished} executables did not fit into {limit}; `--timeout` gives them more");
    }
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(Error::failed(failures)) }
}

/// The command that runs the tests of an executable, one at a time and each named as it ends.
fn valgrind(executable: &Executable) -> Command {
    let mut command = Command::new("valgrind");
    command
        // Tests leak on purpose. Children are programs of their own, for other tools.
        .args(["--tool=memcheck", "--quiet", "--leak-check=no", "--fair-sched=yes"])
        .arg(format!("--error-exitcode={CODE}"))
        .arg(&executable.path)
        .args(["--test-threads=1", "--color=never"])
        .current_dir(&executable.dir);
    command
}

fn word(finished: &Finished) -> &'static str {
    match finished.status.map(|it| it.code()) {
        None => "out of time",
        Some(Some(0)) => "ok",
        Some(Some(CODE)) => "MEMORY ERROR",
        Some(_) => "FAILED",
    }
}

/// How many tests ended well.
fn passed(output: &str) -> usize {
    output.lines().filter(|it| it.starts_with("test ") && it.ends_with("... ok")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_passed_are_counted() {
        let output = "running 3 tests\ntest a ... ok\ntest b - should panic ... ok\ntest c ... ";
        assert_eq!(passed(output), 2);
    }
}
