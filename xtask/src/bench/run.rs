//! The rounds: who is measured when, and the times that come back.

use core::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use std::{
    io::{self, IsTerminal as _, Write as _},
    process::Command,
    sync::Arc,
    time::Instant,
};

use super::{
    build::Suites,
    criterion_output::CriterionOutput,
    minutes,
    plan::{Effort, Id, Plan},
};
use crate::{
    error::{Error, Result},
    process,
    random::Random,
};

/// Carries a round's seed to the workloads that draw random numbers.
const SEED_VARIABLE: &str = "SELVEDGE_BENCH_SEED";

/// Time for one process: many times what the longest takes, so it ends what hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// Nanoseconds per iteration of one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowTimes {
    /// One list per subject of the row, one time per round.
    pub(crate) subjects: Vec<Vec<f64>>,
    /// Ours, measured a second time in each round.
    pub(crate) control: Vec<f64>,
}

/// Whether somebody has asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes Ctrl-C as the wish to stop and to see what was measured so far.
    pub(crate) fn listen() -> Result<Self> {
        let asked = Self::default();
        let flag = asked.clone();
        // Relaxed: nothing else is passed on.
        ctrlc::set_handler(move || flag.0.store(true, Ordering::Relaxed))
            .map_err(|error| Error::failed(format!("cannot listen to interrupts: {error}")))?;
        Ok(asked)
    }

    /// Whether it was asked for.
    pub(crate) fn was_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Measures every row of `plan` in every round, or until it is interrupted.
pub(crate) fn measure(
    plan: &Plan,
    effort: &Effort,
    suites: &Suites,
    output: &CriterionOutput,
    interrupt: &Interrupt,
) -> Result<Vec<RowTimes>> {
    let new = |subjects| RowTimes { subjects: vec![Vec::new(); subjects], control: Vec::new() };
    let mut times: Vec<_> = plan.rows.iter().map(|row| new(row.subjects.len())).collect();
    let mut random = Random::new();
    let mut progress = Progress::new(plan.lanes() * effort.rounds as usize);
    'rounds: for round in 1..=effort.rounds {
        let seed = random.next();
        for (row, times) in plan.rows.iter().zip(&mut times) {
            let control = row.subjects.len();
            for lane in random.shuffled(control + 1) {
                let subject = &row.subjects[if lane == control { 0 } else { lane }];
                progress.show(&format!(
                    "round {round} of {} · {} · {subject}",
                    effort.rounds,
                    row.label(),
                ));
                let id = row.id(subject);
                let mut command = Command::new(suites.path(&row.table)?);
                let plots = effort.plots && round == effort.rounds && lane != control;
                command.args(arguments(&id, effort, plots));
                command.env("CRITERION_HOME", output.home()).env(SEED_VARIABLE, seed.to_string());
                let measured = one(command, &id, output);
                if interrupt.was_asked() {
                    // The benchmark was interrupted as well: its figure, if any, is not to be had.
                    progress.clear();
                    break 'rounds;
                }
                let time = measured?;
                times.subjects.get_mut(lane).unwrap_or(&mut times.control).push(time);
            }
        }
    }
    progress.clear();
    Ok(times)
}

/// Criterion's arguments for one benchmark.
fn arguments(id: &Id, effort: &Effort, plots: bool) -> Vec<String> {
    let seconds = |duration: Duration| duration.as_secs_f64().to_string();
    let mut arguments: Vec<String> = ["--bench", "--exact", &id.to_string()].map(Into::into).into();
    for (flag, value) in [
        ("--warm-up-time", seconds(effort.warm_up)),
        ("--measurement-time", seconds(effort.measuring)),
        ("--sample-size", effort.samples.to_string()),
        // Only the median is read, and rounds tell its spread.
        ("--nresamples", "2000".into()),
    ] {
        arguments.extend([flag.into(), value]);
    }
    if plots {
        arguments.extend(["--plotting-backend".into(), "plotters".into()]);
    } else {
        arguments.push("--noplot".into());
    }
    arguments
}

/// Runs one benchmark in a process of its own and returns its median.
fn one(command: Command, id: &Id, output: &CriterionOutput) -> Result<f64> {
    output.forget(id)?;
    let finished = process::capture(command, Some(LIMIT))?;
    if !finished.success() {
        let (how, output) = (finished.describe(), finished.output);
        return Err(Error::failed(format!("benchmark `{id}` failed: {how}\n{output}")));
    }
    output.median(id)
}

/// A line on a terminal that says what runs and how long the rest takes.
#[derive(Debug)]
struct Progress {
    terminal: bool,
    start: Instant,
    done: usize,
    all: usize,
}

impl Progress {
    fn new(all: usize) -> Self {
        Self { terminal: io::stderr().is_terminal(), start: Instant::now(), done: 0, all }
    }

    /// Shows what comes next.
    fn show(&mut self, what: &str) {
        if self.terminal {
            let left = self.left(self.start.elapsed());
            eprint!(
                "\r\u{1b}[K{what}{}",
                left.map_or_else(String::new, |it| format!(" · {it} left"))
            );
            // A line that cannot be shown is not worth an error.
            let _ = io::stderr().flush();
        }
        self.done += 1;
    }

    fn left(&self, elapsed: Duration) -> Option<String> {
        let done = u32::try_from(self.done).ok().filter(|done| *done > 0)?;
        let left = u32::try_from(self.all - self.done).ok()?;
        Some(minutes(elapsed / done * left))
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\u{1b}[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan;

    #[test]
    fn time_left_is_drawn_from_the_time_taken() {
        let mut progress = Progress { terminal: false, start: Instant::now(), done: 0, all: 12 };
        assert_eq!(progress.left(Duration::ZERO), None);
        progress.show("");
        progress.show("");
        assert_eq!(progress.left(Duration::from_secs(4)).as_deref(), Some("20 s"));
    }

    #[test]
    fn one_benchmark_is_named_exactly() {
        let flags = crate::flags::Bench { quick: true, ..plan::flags() };
        let effort = Effort::from_flags(&flags).unwrap();
        let id = Id::parse("local/spawn_one/tokio").unwrap();
        let arguments = arguments(&id, &effort, false).join(" ");
        assert_eq!(
            arguments,
            "--bench --exact local/spawn_one/tokio --warm-up-time 0.01 --measurement-time 0.03 \
             --sample-size 10 --nresamples 2000 --noplot",
        );
    }
}
