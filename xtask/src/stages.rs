//! Named, timed stages: all of them run, and a summary repeats what failed.

use core::time::Duration;
use std::time::Instant;

use crate::{
    error::{Error, Result},
    process::seconds,
};

/// The stages whose name contains one of `words`, or all of them; `command` is who asks.
pub(crate) fn choose<T: Copy>(
    stages: &[(&'static str, T)],
    words: &[String],
    command: &str,
) -> Result<Vec<(&'static str, T)>> {
    let chosen = |name: &str, word: &String| name.contains(word.as_str());
    if let Some(word) = words.iter().find(|word| !stages.iter().any(|it| chosen(it.0, word))) {
        let list = format!("`cargo xtask {command} --list` names them");
        return Err(Error::usage(format!("no stage has `{word}` in its name; {list}")));
    }
    let wanted = |name| words.is_empty() || words.iter().any(|word| chosen(name, word));
    Ok(stages.iter().copied().filter(|(name, _)| wanted(name)).collect())
}

/// How a stage ended when it did not fail.
#[derive(Debug)]
pub(crate) enum Outcome {
    Passed,
    /// Not run, and why.
    Skipped(String),
}

/// Passes if nothing was found.
pub(crate) fn verdict(findings: &[String]) -> Result<Outcome> {
    match findings.is_empty() {
        true => Ok(Outcome::Passed),
        false => Err(Error::failed(findings.join("\n"))),
    }
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
    fn stages_are_chosen_by_words() {
        let names = |words: &[&str]| -> Result<Vec<&str>> {
            let words: Vec<_> = words.iter().map(|it| (*it).to_owned()).collect();
            let stages = [("clippy", 1), ("clippy of models", 2), ("docs", 3), ("text", 4)];
            Ok(choose(&stages, &words, "check")?.into_iter().map(|(name, _)| name).collect())
        };
        assert_eq!(names(&["clippy", "docs"]).unwrap(), ["clippy", "clippy of models", "docs"]);
        assert_eq!(names(&[]).unwrap().len(), 4);
        let error = names(&["nonsense"]).unwrap_err().to_string();
        assert!(error.ends_with("`cargo xtask check --list` names them"), "{error}");
    }

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
