//! How the schedules of one test ended, from what its process printed.

use crate::{
    loom::cause,
    process::{Finished, plain},
};

/// How a test ended.
#[derive(Debug, PartialEq)]
pub(super) enum Ended {
    /// Well, after so many schedules.
    Passed(usize),
    /// A schedule found the fault of a canary.
    Found,
    /// Well, but without a word on schedules: the switch was off, or nothing was explored.
    Silent,
    /// With a finding, or at the limit of time.
    Failed(String),
}

impl Ended {
    /// Judges a finished process.
    pub(super) fn of(canary: bool, finished: &Finished) -> Self {
        let output = plain(&finished.output);
        if !finished.success() {
            let cause = cause(&output).filter(|_| finished.status.is_some());
            return Self::Failed(cause.unwrap_or_else(|| finished.describe()));
        }
        if canary {
            return Self::Found;
        }
        let count = |line: &str| line.trim().strip_suffix(" schedules")?.parse::<usize>().ok();
        match output.lines().filter_map(count).sum() {
            0 => Self::Silent,
            n => Self::Passed(n),
        }
    }

    /// Why the run as a whole must fail, if it must.
    pub(super) fn failure(&self) -> Option<&str> {
        match self {
            Self::Passed(_) | Self::Found => None,
            Self::Silent => Some("ran no schedule: call `selvedge_sync::schedules`"),
            Self::Failed(cause) => Some(cause),
        }
    }

    /// The cell of the table.
    pub(super) fn schedules(&self) -> String {
        match self {
            Self::Passed(n) => n.to_string(),
            Self::Found => "found".to_owned(),
            Self::Silent | Self::Failed(_) => "-".to_owned(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use core::time::Duration;
    use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

    use super::*;

    fn end(canary: bool, code: i32, output: &str) -> Ended {
        let status = Some(ExitStatus::from_raw(code << 8));
        let output = output.to_owned();
        Ended::of(canary, &Finished { status, output, elapsed: Duration::ZERO })
    }

    #[test]
    fn schedules_are_counted_and_none_is_a_failure() {
        assert_eq!(end(false, 0, "seed 1\n2000 schedules\n"), Ended::Passed(2000));
        assert_eq!(end(true, 0, ""), Ended::Found);
        assert!(end(false, 0, "nothing").failure().is_some());
        let failed = end(false, 101, "thread 'a' panicked at b.rs:1:2:\na wake was lost\n");
        assert_eq!(failed.failure(), Some("a wake was lost"));
        assert_eq!(failed.schedules(), "-");
    }
}
