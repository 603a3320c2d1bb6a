//! A model, and what the output of its process says of the exploration.

use core::time::Duration;
use std::path::PathBuf;

use crate::process::{Finished, plain};

/// Prefix of the names of models that hold a fault which loom must find.
const CANARY: &str = "canary_";

/// One `#[test]` of a `tests/loom.rs`.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) package: String,
    pub(crate) name: String,
    /// The test executable that holds it.
    pub(crate) executable: PathBuf,
    /// The folder to run it in.
    pub(crate) dir: PathBuf,
}

impl Model {
    /// Whether the model is a `#[should_panic]` test, which passes when loom finds its fault.
    pub(crate) fn is_canary(&self) -> bool {
        self.name.starts_with(CANARY)
    }

    /// One for unit tests.
    #[cfg(test)]
    pub(crate) fn sample(name: &str) -> Self {
        Self {
            package: "selvedge-a".into(),
            name: name.into(),
            executable: PathBuf::new(),
            dir: PathBuf::new(),
        }
    }
}

/// Names of the tests in what `--list --format terse` prints.
pub(crate) fn names(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// How the exploration of one model ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ended {
    /// Without a finding, after so many executions.
    Passed(usize),
    /// Loom found the fault of a canary.
    Found,
    /// Well, but after one execution: no schedule was explored, so nothing is proven.
    Inert,
    /// Well, but without a word on executions.
    Silent,
    /// The time was up.
    TimedOut(Duration),
    /// With a finding, in loom's words.
    Failed(String),
}

impl Ended {
    /// Judges a finished process.
    pub(crate) fn of(model: &Model, finished: &Finished) -> Self {
        if finished.status.is_none() {
            return Self::TimedOut(finished.elapsed);
        }
        let output = plain(&finished.output);
        if !finished.success() {
            return Self::Failed(cause(&output).unwrap_or_else(|| finished.describe()));
        }
        if model.is_canary() {
            return Self::Found;
        }
        match executions(&output)[..] {
            [] => Self::Silent,
            ref counts if counts.contains(&1) => Self::Inert,
            ref counts => Self::Passed(counts.iter().sum()),
        }
    }

    /// Why the run as a whole must fail, if it must.
    pub(crate) fn failure(&self) -> Option<String> {
        match self {
            Self::Passed(_) | Self::Found => None,
            Self::Inert => Some(
                "explored one execution only: nothing in it is seen by loom, or it has one thread"
                    .to_owned(),
            ),
            Self::Silent => Some(
                "reported no executions: explore it with `selvedge_sync::model`, and set no \
                 limit on time or executions"
                    .to_owned(),
            ),
            Self::TimedOut(limit) => Some(format!("still running after {limit:.0?}")),
            Self::Failed(cause) => Some(cause.clone()),
        }
    }

    /// The cell of the table that counts executions.
    pub(crate) fn executions(&self) -> String {
        match self {
            Self::Passed(executions) => executions.to_string(),
            Self::Found => "found".to_owned(),
            Self::Inert => "1".to_owned(),
            Self::Silent | Self::TimedOut(_) | Self::Failed(_) => "-".to_owned(),
        }
    }
}

/// Executions of every exploration that ran to its end, as loom logs them.
fn executions(output: &str) -> Vec<usize> {
    let count = |line: &str| {
        let (_, rest) = line.split_once("Completed in ")?;
        rest.strip_suffix(" iterations")?.parse().ok()
    };
    output.lines().filter_map(|line| count(line.trim_end())).collect()
}

/// The message of the first panic, without the list of threads that loom adds to a deadlock.
pub(crate) fn cause(output: &str) -> Option<String> {
    let mut lines = output.lines().skip_while(|line| !line.contains("panicked at"));
    let head = lines.next()?;
    let message = lines.map(str::trim).find(|line| !line.is_empty()).unwrap_or(head);
    Some(message.split("; threads =").next().unwrap_or(message).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn finished(code: i32, output: &str) -> Finished {
        use std::os::unix::process::ExitStatusExt;
        let status = Some(std::process::ExitStatus::from_raw(code << 8));
        Finished { status, output: output.to_owned(), elapsed: Duration::ZERO }
    }

    const PASSED: &str = "running 1 test\n\u{1b}[32m INFO\u{1b}[0m \u{1b}[2mloom::model\u{1b}[0m: \
                          Completed in 184 iterations\ntest a ... ok\n";
    const PANICKED: &str = "running 1 test\n\nthread 'a' (7) panicked at src/rt/path.rs:118:9:\n\
                            Model exceeded maximum number of branches.\nnote: run with\n";

    #[test]
    fn tests_are_listed_and_benchmarks_are_not() {
        assert_eq!(
            names("a: test\nb::c: test\nd: benchmark\n\n2 tests, 1 benchmarks\n"),
            ["a", "b::c"]
        );
    }

    #[test]
    fn the_count_is_read_through_colours() {
        assert_eq!(executions(&plain(PASSED)), [184]);
        assert_eq!(executions("nothing"), [0_usize; 0]);
    }

    #[test]
    fn the_cause_is_the_message_of_the_first_panic() {
        assert_eq!(cause(PANICKED).unwrap(), "Model exceeded maximum number of branches.");
        assert_eq!(cause("panicked at\ndeadlock; threads = [Id(0)]").unwrap(), "deadlock");
        assert_eq!(cause("no panic"), None);
    }

    #[cfg(unix)]
    #[test]
    fn one_execution_or_none_reported_fails() {
        let end = |name, code, output| Ended::of(&Model::sample(name), &finished(code, output));
        assert_eq!(end("a", 0, PASSED), Ended::Passed(184));
        assert_eq!(end("a", 0, "Completed in 1 iterations\n"), Ended::Inert);
        assert_eq!(
            end("a", 0, "Completed in 9 iterations\nCompleted in 1 iterations"),
            Ended::Inert
        );
        assert_eq!(end("a", 0, ""), Ended::Silent);
        assert_eq!(end("canary_a", 0, ""), Ended::Found);
        assert!(matches!(end("a", 101, PANICKED), Ended::Failed(_)));
        assert!(matches!(end("canary_a", 101, PANICKED), Ended::Failed(_)));
        assert!(Ended::Inert.failure().is_some() && Ended::Silent.failure().is_some());
        assert!(Ended::Passed(2).failure().is_none() && Ended::Found.failure().is_none());
    }
}
