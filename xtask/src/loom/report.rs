//! The table of models, and what to do about one that failed.

use std::env;

use crate::{
    loom::{
        model::Model,
        run::Explored,
        setup::{CFGS, Setup},
    },
    process::{seconds, tail},
};

/// The crate that depends on loom for all of ours.
const FACADE: &str = "selvedge-sync";

/// Lines of output that are repeated after a failure.
const TAIL: usize = 40;

/// Widths of the columns.
#[derive(Debug)]
pub(crate) struct Table {
    package: usize,
    model: usize,
}

impl Table {
    /// A table wide enough for `models`.
    pub(crate) fn new(models: &[Model]) -> Self {
        let width = |of: fn(&Model) -> usize| models.iter().map(of).max().unwrap_or_default();
        Self {
            package: width(|it| it.package.len()).max("crate".len()),
            model: width(|it| it.name.len()).max("model".len()),
        }
    }

    /// The line of titles.
    pub(crate) fn header(&self) -> String {
        self.line("crate", "model", "executions", "time")
    }

    /// The line of one model.
    pub(crate) fn row(&self, it: &Explored<'_>) -> String {
        let Model { package, name, .. } = it.model;
        let line = self.line(package, name, &it.ended.executions(), &seconds(it.elapsed));
        match it.ended.failure() {
            None => line,
            Some(why) => format!("{line}  FAILED: {why}"),
        }
    }

    fn line(&self, package: &str, model: &str, executions: &str, time: &str) -> String {
        let (p, m) = (self.package, self.model);
        format!("{package:<p$}  {model:<m$}  {executions:>10}  {time:>8}")
    }
}

/// Why a model failed, the end of what it printed, and the commands that reproduce it.
pub(crate) fn failure(it: &Explored<'_>, setup: &Setup) -> String {
    let Model { package, name, .. } = it.model;
    let why = it.ended.failure().unwrap_or_default();
    let (tail, command) = (tail(&it.output, TAIL), reproduce(it.model, setup));
    format!(
        "{package} {name}: {why}\n{tail}\n\n\
         To reproduce, find the failing execution first, then run it alone with a trace:\n  \
         {command}\n  LOOM_LOG=trace LOOM_LOCATION=1 {command}"
    )
}

/// The cargo command that explores one model and keeps a checkpoint of each execution.
fn reproduce(model: &Model, setup: &Setup) -> String {
    let Model { package, name, .. } = model;
    let here = env::current_dir().unwrap_or_default();
    let dir = setup.target_dir.strip_prefix(here).unwrap_or(&setup.target_dir);
    let checkpoint = dir.join(format!("{}.json", name.replace("::", "-")));
    let env: Vec<_> = setup.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    // Loom writes checkpoints only with a feature of its own, which the façade can turn on.
    let facade = if package == FACADE { String::new() } else { format!(" -p {FACADE}") };
    format!(
        "LOOM_CHECKPOINT_FILE={} LOOM_CHECKPOINT_INTERVAL=1 {} RUSTFLAGS=\"{}\" cargo test \
         -p {package}{facade} --profile loom --features loom,loom/checkpoint --test loom \
         --target-dir {} -- {name} --exact --nocapture",
        checkpoint.display(),
        env.join(" "),
        CFGS.join(" "),
        dir.display(),
    )
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::loom::model::Ended;

    #[test]
    fn a_failure_says_how_to_reproduce_it() {
        let model = Model::sample("tests::wake");
        let setup = Setup {
            target_dir: "target/loom".into(),
            env: vec![("LOOM_MAX_PREEMPTIONS", "2".into())],
            limit: Duration::from_secs(1),
        };
        let it = Explored {
            model: &model,
            ended: Ended::Failed("deadlock".into()),
            elapsed: Duration::from_secs(2),
            output: "line\n".repeat(100),
        };
        let text = failure(&it, &setup);
        assert!(text.starts_with("selvedge-a tests::wake: deadlock\nline\n"), "{text}");
        assert_eq!(text.matches("line\n").count(), TAIL);
        assert!(text.contains("LOOM_CHECKPOINT_FILE=target/loom/tests-wake.json"), "{text}");
        assert!(text.contains("-p selvedge-a -p selvedge-sync --profile"), "{text}");
        assert!(text.contains("\n  LOOM_LOG=trace LOOM_LOCATION=1 LOOM_CHECKPOINT_FILE"), "{text}");
        let row = Table::new(core::slice::from_ref(&model)).row(&it);
        assert_eq!(row, "selvedge-a  tests::wake           -     2.0 s  FAILED: deadlock");
    }
}
