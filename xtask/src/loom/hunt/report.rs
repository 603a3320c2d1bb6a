//! The table of mutants, and what it comes to.

use core::time::Duration;

use crate::{
    error::{Error, Result},
    loom::hunt::{
        candidate::{Candidate, Change},
        verdict::Verdict,
    },
    process::seconds,
};

/// A mutant that was tried, or whose verdict is still good.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) verdict: Verdict,
    /// Whether the verdict is from an earlier run.
    pub(super) kept: bool,
    pub(super) elapsed: Duration,
}

/// The run so far.
#[derive(Debug)]
pub(super) struct Report {
    width: usize,
    killed: usize,
    kept: usize,
    excused: usize,
    failed: Vec<String>,
    left: Vec<String>,
}

impl Report {
    /// Of a run over `candidates`.
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        let width = candidates.iter().map(|it| it.name.len()).max().unwrap_or_default();
        let width = width.max("mutant".len());
        let (failed, left) = (Vec::new(), Vec::new());
        Self { width, killed: 0, kept: 0, excused: 0, failed, left }
    }

    /// The line of titles.
    pub(super) fn header(&self) -> String {
        format!("{:<1$}  verdict       time", "mutant", self.width)
    }

    /// The line of one mutant.
    pub(super) fn row(&self, trial: &Trial<'_>) -> String {
        let name = format!("{:<1$}", trial.candidate.name, self.width);
        let time = if trial.kept { "kept".to_owned() } else { seconds(trial.elapsed) };
        format!("{name}  {:<8}  {time:>8}  {}", trial.verdict.word(), note(trial))
    }

    /// Counts a mutant.
    pub(super) fn add(&mut self, trial: &Trial<'_>) {
        let name = || trial.candidate.name.clone();
        self.kept += usize::from(trial.kept);
        match &trial.verdict {
            Verdict::Killed { .. } => self.killed += 1,
            Verdict::Excused => self.excused += 1,
            Verdict::Left => self.left.push(name()),
            verdict => {
                debug_assert!(verdict.fails());
                self.failed.push(name());
            }
        }
    }

    /// One line of counts, and the names of what is left.
    pub(super) fn summary(&self) -> String {
        let Self { killed, kept, excused, failed, left, .. } = self;
        let all = killed + excused + failed.len() + left.len();
        let mut text = format!(
            "{all} mutants: {killed} killed, {excused} excused, {} not killed, {} left; \
             {kept} verdicts kept from earlier runs",
            failed.len(),
            left.len(),
        );
        if !left.is_empty() {
            text += "\nleft when the time was up (the same command goes on from here):";
            left.iter().for_each(|name| text += &format!("\n  {name}"));
        }
        text
    }

    /// An error if a mutant was not killed.
    pub(super) fn verdict(&self) -> Result {
        if self.failed.is_empty() {
            return Ok(());
        }
        Err(Error::failed(format!(
            "{} mutants not killed:\n  {}\neach survivor is a step or an ordering that the models \
             do not need, or a blind spot of theirs",
            self.failed.len(),
            self.failed.join("\n  "),
        )))
    }
}

/// What to say of a mutant beside its verdict.
fn note(trial: &Trial<'_>) -> String {
    let Candidate { change, excuse, .. } = trial.candidate;
    match (&trial.verdict, change) {
        (Verdict::Killed { model, how }, _) => format!("by {model}: {how}"),
        (Verdict::Broken(why), _) => why.clone(),
        (Verdict::Excused, _) => excuse.clone().unwrap_or_default(),
        (Verdict::Left, _) => String::new(),
        (Verdict::Survived { .. }, Change::Named { models, left_out }) => {
            format!("although {left_out}; tried {}", models.join(", "))
        }
        (Verdict::Survived { unfinished }, Change::Ordering(site)) => {
            let mut text = format!("line {} of {}", site.line, site.file);
            if !unfinished.is_empty() {
                text += &format!("; without an end: {}", unfinished.join(", "));
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loom::mutants::{Fate, Mutant};

    #[test]
    fn the_report_counts_and_names_what_is_not_killed_or_left() {
        let candidate = |name: &str| {
            let fate = Fate::Killed { models: vec!["m".into()], left_out: "a step is".into() };
            Candidate::named(Mutant { package: "selvedge-a".into(), name: name.into(), fate })
        };
        let candidates = ["a", "bb", "c"].map(candidate);
        let mut report = Report::new(&candidates);
        let verdicts = [
            Verdict::Killed { model: "m".into(), how: "deadlock".into() },
            Verdict::Survived { unfinished: Vec::new() },
            Verdict::Left,
        ];
        let mut rows = vec![report.header()];
        for (candidate, verdict) in candidates.iter().zip(verdicts) {
            let kept = candidate.name == "a";
            let trial = Trial { candidate, verdict, kept, elapsed: Duration::from_secs(2) };
            rows.push(report.row(&trial));
            report.add(&trial);
        }
        assert_eq!(rows[1], "a       killed        kept  by m: deadlock");
        assert_eq!(rows[2], "bb      SURVIVED     2.0 s  although a step is; tried m");
        let summary = report.summary();
        assert!(summary.starts_with("3 mutants: 1 killed, 0 excused, 1 not killed, 1 left; 1 "));
        assert!(summary.ends_with("\n  c"), "{summary}");
        assert!(report.verdict().unwrap_err().to_string().contains("\n  bb\n"));
    }
}
