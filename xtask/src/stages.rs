//! Named, timed stages: all of them run, and a summary repeats what failed.

use core::time::Duration;
use std::time::Instant;

use crate::{
    error::{Error, Result},
    process::seconds,
};

/// How a stage ended when it did not fail.
#[derive(Debug)]
pub(crate) enum Outcome {
    Passed,
    /// Not run, and why.
    Skipped(String),
}

/// The stages so far.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    done: Vec<Stage>,
}

#[derive(Debug)]
struct Stage {
    name: String,
    result: Result<Outcome>,
    elapsed: Duration,
}

impl Stages {
    /// Runs a stage; a failure is kept for the summary.
    pub(crate) fn run(&mut self, name: &str, stage: impl FnOnce() -> Result<Outcome>) {
        println!("== {name}");
        let start = Instant::now();
        let result = stage();
        let elapsed = start.elapsed();
        match &result {
            Ok(Outcome::Passed) => {}
            Ok(Outcome::Skipped(reason)) => println!("skipped: {reason}"),
            Err(error) => println!("{error}"),
        }
        self.done.push(Stage { name: name.to_owned(), result, elapsed });
    }

    /// Prints the summary; an error if a stage failed.
    pub(crate) fn finish(self) -> Result {
        println!("\n{}", self.summary());
        let failed: Vec<_> = self.failures().map(|(name, _)| name).collect();
        match &failed[..] {
            [] => Ok(()),
            names => Err(Error::failed(format!("failed: {}", names.join(", ")))),
        }
    }

    fn failures(&self) -> impl Iterator<Item = (&str, &Error)> {
        self.done.iter().filter_map(|it| it.result.as_ref().err().map(|e| (it.name.as_str(), e)))
    }

    fn summary(&self) -> String {
        let mut text = String::from("summary\n");
        let width = self.done.iter().map(|it| it.name.len()).max().unwrap_or_default();
        for Stage { name, result, elapsed } in &self.done {
            let word = match result {
                Ok(Outcome::Passed) => "ok",
                Ok(Outcome::Skipped(_)) => "skipped",
                Err(_) => "FAILED",
            };
            text += &format!("  {name:<width$}  {word:<7}  {:>8}\n", seconds(*elapsed));
        }
        for (name, error) in self.failures() {
            text += &format!("\n{name} failed:\n{error}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_stops_no_later_stage_and_is_repeated() {
        let mut stages = Stages::default();
        stages.run("one", || Err(Error::failed("a.rs:1: wrong")));
        stages.run("two", || Ok(Outcome::Skipped("no tool".into())));
        stages.run("three", || Ok(Outcome::Passed));
        let summary = stages.summary();
        assert!(summary.contains("one    FAILED"), "{summary}");
        assert!(summary.ends_with("one failed:\na.rs:1: wrong\n"), "{summary}");
        let error = stages.finish().unwrap_err().to_string();
        assert_eq!(error, "failed: one");
    }
}
