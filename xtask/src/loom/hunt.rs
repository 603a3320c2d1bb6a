//! `--mutants`: compiles one mutant in at a time and demands that a model fails.

use core::time::Duration;
use std::time::Instant;

use xshell::Shell;

use crate::{
    error::{Error, Result},
    flags,
    loom::{
        model::{Ended, Model},
        mutants::{self, Fate, Mutant},
        run::{Explored, explore_one},
        setup::{Setup, list},
        wrapper,
    },
    process::seconds,
    workspace::{Package, Workspace},
};

/// Time for one model of a mutant.
const LIMIT: Duration = Duration::from_secs(60);

/// What became of a mutant.
#[derive(Debug)]
enum Verdict {
    /// By this model, in this way.
    Killed(String, String),
    Survived,
    Excused,
    /// Does not compile, or its models cannot be run, for this reason.
    Broken(String),
}

impl Verdict {
    /// The cell of the table.
    fn word(&self) -> &'static str {
        match self {
            Self::Killed(..) => "killed",
            Self::Survived => "SURVIVED",
            Self::Excused => "excused",
            Self::Broken(_) => "BROKEN",
        }
    }
}

/// Runs the hunt over the mutants of `packages`, or over the one that the flags name.
pub(crate) fn run(
    flags: &flags::Loom,
    sh: &Shell,
    workspace: &Workspace,
    packages: &[&Package],
    setup: &Setup,
) -> Result {
    let models = setup.models(sh, packages, None)?;
    let all = mutants::load(workspace, packages, &models)?;
    let chosen = choose(&all, flags.mutant.as_deref())?;
    let sound = sound(&chosen, &models, setup)?;
    let limit = flags.timeout.map_or(LIMIT, Duration::from_secs);
    let width = chosen.iter().map(|it| it.name.len()).max().unwrap_or_default();
    let mut alive = Vec::new();
    println!("{:<width$}  verdict       time", "mutant");
    for mutant in &chosen {
        let start = Instant::now();
        let verdict = judge(sh, mutant, packages, &sound, setup, limit)
            .unwrap_or_else(|error| Verdict::Broken(error.to_string()));
        let (name, note) = (&mutant.name, note(mutant, &verdict));
        let time = seconds(start.elapsed());
        println!("{name:<width$}  {:<8}  {time:>8}  {note}", verdict.word());
        if matches!(verdict, Verdict::Survived | Verdict::Broken(_)) {
            alive.push(name.as_str());
        }
    }
    if alive.is_empty() {
        return Ok(());
    }
    Err(Error::failed(format!(
        "{} of {} mutants not killed: {}; each survivor is a step that the models do not need, \
         or a blind spot of theirs",
        alive.len(),
        chosen.len(),
        alive.join(", "),
    )))
}

fn choose<'a>(all: &'a [Mutant], name: Option<&str>) -> Result<Vec<&'a Mutant>> {
    let chosen: Vec<_> = all.iter().filter(|it| name.is_none_or(|name| it.name == name)).collect();
    match (chosen.is_empty(), name) {
        (true, Some(name)) => {
            let names: Vec<_> = all.iter().map(|it| it.name.as_str()).collect();
            Err(Error::usage(format!("no mutant `{name}`; there is {}", names.join(", "))))
        }
        (true, None) => Err(Error::failed("there are no mutants")),
        (false, _) => Ok(chosen),
    }
}

/// The models that `mutants` name, each passed without a mutant, and how long that took.
fn sound<'a>(
    mutants: &[&Mutant],
    models: &'a [Model],
    setup: &Setup,
) -> Result<Vec<(&'a Model, Duration)>> {
    let kills = |mutant: &Mutant, model: &Model| {
        mutant.package == model.package && killers(mutant).any(|it| *it == model.name)
    };
    let named = |model: &&Model| mutants.iter().any(|mutant| kills(mutant, model));
    let mut sound = Vec::new();
    for model in models.iter().filter(named) {
        let elapsed = match setup.recall(model) {
            Some(elapsed) => elapsed,
            None => {
                println!("{} without a mutant ..", model.name);
                let explored = explore_one(model, setup, setup.limit)?;
                if let Some(why) = explored.ended.failure() {
                    let name = &model.name;
                    return Err(Error::failed(format!("{name} fails without a mutant: {why}")));
                }
                setup.remember(core::slice::from_ref(&explored))?;
                explored.elapsed
            }
        };
        sound.push((model, elapsed));
    }
    Ok(sound)
}

/// Whether two executables hold the same model.
fn same(a: &Model, b: &Model) -> bool {
    a.name == b.name && a.package == b.package
}

fn killers(mutant: &Mutant) -> impl Iterator<Item = &String> {
    match &mutant.fate {
        Fate::Killed { models, .. } => models.iter(),
        Fate::Excused(_) => [].iter(),
    }
}

fn judge(
    sh: &Shell,
    mutant: &Mutant,
    packages: &[&Package],
    sound: &[(&Model, Duration)],
    setup: &Setup,
    limit: Duration,
) -> Result<Verdict> {
    if matches!(mutant.fate, Fate::Excused(_)) {
        return Ok(Verdict::Excused);
    }
    let package: Vec<_> = packages.iter().copied().filter(|it| it.name == mutant.package).collect();
    let wrappers = setup.target_dir.join("mutants");
    let cargo = wrapper::apply(setup.cargo(sh, &package), &mutant.name, &wrappers)?;
    let models = list(cargo.quiet().arg("--quiet"), &package)?;
    for killer in killers(mutant) {
        let Some(model) = models.iter().find(|it| it.name == *killer) else { continue };
        let usual = sound.iter().find(|(it, _)| same(it, model)).map(|(_, elapsed)| *elapsed);
        let explored = explore_one(model, setup, limit)?;
        if let Some(how) = death(&explored, usual.unwrap_or(limit), limit) {
            return Ok(Verdict::Killed(killer.clone(), how));
        }
    }
    Ok(Verdict::Survived)
}

/// How a model killed the mutant, if it did. A time limit counts only where the model without a
/// mutant stays far below it.
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

/// What to say of a mutant beside its verdict.
fn note(mutant: &Mutant, verdict: &Verdict) -> String {
    match (verdict, &mutant.fate) {
        (Verdict::Killed(model, how), _) => format!("by {model}: {how}"),
        (Verdict::Broken(why), _) => why.clone(),
        (_, Fate::Excused(reason)) => reason.clone(),
        (_, Fate::Killed { models, left_out }) => {
            format!("although {left_out}; tried {}", models.join(", "))
        }
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
        let model = Model {
            package: "selvedge-a".into(),
            name: "m".into(),
            executable: "".into(),
            dir: "".into(),
        };
        let secs = Duration::from_secs;
        let late = explored(&model, Ended::TimedOut(secs(60)));
        assert_eq!(death(&late, secs(1), secs(60)).unwrap(), "no end after 60.0 s, usually 1.0 s");
        assert_eq!(death(&late, secs(20), secs(60)), None);
        assert_eq!(death(&explored(&model, Ended::Passed(9)), secs(1), secs(60)), None);
        let panicked = explored(&model, Ended::Failed("deadlock".into()));
        assert_eq!(death(&panicked, secs(50), secs(60)).unwrap(), "deadlock");
    }
}
