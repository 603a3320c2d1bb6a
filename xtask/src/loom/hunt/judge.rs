//! Tries one mutant: builds it, and runs models until one of them notices.

use core::time::Duration;
use std::{collections::BTreeMap, sync::Mutex, time::Instant};

use xshell::Shell;

use crate::{
    error::Result,
    loom::{
        hunt::{
            candidate::{Candidate, Change},
            reach,
            verdict::Verdict,
        },
        model::{Ended, Model},
        run::{Explored, explore_one, explore_with},
        setup::{Setup, list},
        weaken::{Scratch, VARIABLE, Weakening},
        wrapper,
    },
    process::seconds,
    workspace::{Package, Workspace},
};

/// What all trials of a run have in common.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) setup: &'a Setup,
    /// Models that pass without a mutant, and how long they take.
    pub(super) sound: Vec<(&'a Model, Duration)>,
    /// Where weakened orderings are tried.
    pub(super) scratch: Option<Scratch>,
    /// Time for one model.
    pub(super) limit: Duration,
    /// The end of the run's time.
    pub(super) deadline: Option<Instant>,
    /// By file: the model that last noticed a weakened ordering, which is tried first.
    pub(super) noticed: Mutex<BTreeMap<String, String>>,
}

impl Judge<'_> {
    /// Tries a mutant.
    pub(super) fn judge(&self, candidate: &Candidate) -> Verdict {
        if candidate.excuse.is_some() {
            return Verdict::Excused;
        }
        if self.late() {
            return Verdict::Left;
        }
        let verdict = match &candidate.change {
            Change::Named { models, .. } => self.named(candidate, models),
            Change::Ordering(weakening) => self.weakened(&candidate.package, weakening),
        };
        verdict.unwrap_or_else(|error| Verdict::Broken(error.to_string()))
    }

    fn late(&self) -> bool {
        self.deadline.is_some_and(|it| Instant::now() >= it)
    }

    fn named(&self, mutant: &Candidate, killers: &[String]) -> Result<Verdict> {
        let sh = Shell::new()?;
        let packages = self.workspace.select(Some(&mutant.package))?;
        let wrappers = self.setup.target_dir.join("mutants");
        let cargo = self.setup.cargo(&sh, &packages);
        let cargo = wrapper::apply(cargo, &mutant.name, &wrappers)?;
        let models = list(cargo.quiet().arg("--quiet"), &packages, "loom")?;
        for killer in killers {
            let Some(model) = models.iter().find(|it| it.name == *killer) else { continue };
            if self.late() {
                return Ok(Verdict::Left);
            }
            let usual = self.usual(model).unwrap_or(self.limit);
            let explored = explore_one(model, self.setup, self.limit)?;
            if let Some(how) = death(&explored, usual, self.limit) {
                return Ok(Verdict::Killed { model: killer.clone(), how });
            }
        }
        Ok(Verdict::Survived { unfinished: Vec::new() })
    }

    /// Runs all models that reach the weakened site, the promising ones first.
    fn weakened(&self, package: &str, site: &Weakening) -> Result<Verdict> {
        let package = self.workspace.select(Some(package))?[0];
        let reaching = reach::models_of(self.workspace, package);
        let scratch = self.scratch.as_ref().filter(|_| !reaching.is_empty());
        let number = scratch.and_then(|it| it.number(&package.name, site));
        let (Some(scratch), Some(number)) = (scratch, number) else {
            return Ok(Verdict::Broken("no model reaches its crate".to_owned()));
        };
        let mut unfinished = Vec::new();
        let models = reaching.iter().flat_map(|it| self.promising_first(scratch, it, &site.file));
        for model in models {
            if self.late() {
                return Ok(Verdict::Left);
            }
            // A weaker ordering may only make an exploration longer, so time kills nothing.
            let limit = self.limit.max(self.usual(model).unwrap_or_default() * 4);
            let variable = Some((VARIABLE, number.to_string()));
            match explore_with(model, self.setup, limit, variable)?.ended {
                Ended::Failed(how) => {
                    self.notice(&site.file, &model.name);
                    return Ok(Verdict::Killed { model: model.name.clone(), how });
                }
                Ended::TimedOut(_) => unfinished.push(model.name.clone()),
                _ => {}
            }
        }
        Ok(Verdict::Survived { unfinished })
    }

    fn promising_first<'s>(
        &self,
        scratch: &'s Scratch,
        package: &Package,
        file: &str,
    ) -> Vec<&'s Model> {
        let mut models: Vec<_> = scratch.models_of(&package.name).collect();
        let noticed = self.noticed.lock().ok().and_then(|it| it.get(file).cloned());
        models.sort_by_key(|it| (Some(&it.name) != noticed.as_ref(), self.usual(it)));
        models
    }

    fn notice(&self, file: &str, model: &str) {
        if let Ok(mut noticed) = self.noticed.lock() {
            noticed.insert(file.to_owned(), model.to_owned());
        }
    }

    fn usual(&self, model: &Model) -> Option<Duration> {
        let same = |it: &&Model| it.name == model.name && it.package == model.package;
        self.sound.iter().find(|(it, _)| same(it)).map(|(_, elapsed)| *elapsed)
    }
}

/// How a model killed a named mutant, if it did. A time limit counts only where the model without
/// a mutant stays far below it.
fn death(explored: &Explored<'_>, usual: Duration, limit: Duration) -> Option<String> {
    match &explored.ended {
        Ended::Failed(cause) => Some(cause.clone()),
        Ended::TimedOut(_) if usual * 3 < limit => {
            let (limit, usual) = (seconds(limit), seconds(usual));
            Some(format!("no end after {limit}, usually {usual}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explored(model: &Model, ended: Ended) -> Explored<'_> {
        Explored { model, ended, elapsed: Duration::ZERO, output: String::new() }
    }

    #[test]
    fn a_time_limit_kills_only_where_the_model_is_usually_quick() {
        let model = Model::sample("m");
        let secs = Duration::from_secs;
        let late = explored(&model, Ended::TimedOut(secs(60)));
        assert_eq!(death(&late, secs(1), secs(60)).unwrap(), "no end after 60.0 s, usually 1.0 s");
        assert_eq!(death(&late, secs(20), secs(60)), None);
        assert_eq!(death(&explored(&model, Ended::Passed(9)), secs(1), secs(60)), None);
        let panicked = explored(&model, Ended::Failed("deadlock".into()));
        assert_eq!(death(&panicked, secs(50), secs(60)).unwrap(), "deadlock");
    }
}
