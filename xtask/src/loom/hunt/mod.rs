//! `--mutants`: makes one change at a time that breaks the code, and demands that a model fails.

mod candidate;
mod judge;
mod known;
mod reach;
mod report;
mod verdict;

use core::time::Duration;
use std::{collections::BTreeMap, sync::Mutex, time::Instant};

use xshell::Shell;

use crate::{
    error::{Error, Result},
    flags,
    loom::{
        hunt::{
            candidate::{Candidate, Change},
            judge::Judge,
            known::Known,
            report::{Report, Trial},
        },
        model::Model,
        mutants,
        run::explore_one,
        setup::Setup,
        weaken::{self, Scratch},
    },
    parallel::{cores, in_order},
    random::seed,
    workspace::{Package, Workspace},
};

/// Time for one model of a mutant.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs the hunt over the mutants that the flags choose.
pub(crate) fn run(flags: &flags::Loom, sh: &Shell, workspace: &Workspace, setup: &Setup) -> Result {
    let start = Instant::now();
    let packages = workspace.select(flags.package.as_deref())?;
    let modelled = reaching(workspace, &packages);
    if let Some(without) = packages.first().filter(|_| modelled.is_empty()) {
        return Err(Error::usage(format!("no model reaches package {}", without.name)));
    }
    // Before anything is built, so that what is edited meanwhile counts as changed.
    let known = Known::load(workspace, setup, flags.fresh)?;
    let mut scratch = None;
    let models = if flags.orderings && !flags.named {
        // The copy serves for the models without a mutant too, and saves building them twice.
        scratch.insert(Scratch::build(workspace, &modelled, setup)?).models.clone()
    } else {
        setup.models(sh, &modelled, None)?
    };
    let candidates = candidates(flags, workspace, &packages, &models)?;
    let open = candidates.iter().filter(|it| it.excuse.is_none() && known.recall(it).is_none());
    let open: Vec<_> = open.collect();
    if scratch.is_none() && open.iter().any(|it| matches!(it.change, Change::Ordering(_))) {
        scratch = Some(Scratch::build(workspace, &modelled, setup)?);
    }
    let needed = models.iter().filter(|it| is_needed(it, &open, workspace));
    let judge = Judge {
        workspace,
        setup,
        sound: sound(needed, setup)?,
        scratch,
        limit: flags.timeout.map_or(LIMIT, Duration::from_secs),
        deadline: flags.budget.map(|minutes| start + Duration::from_secs(minutes * 60)),
        noticed: Mutex::new(BTreeMap::new()),
    };
    let jobs = flags.jobs.unwrap_or_else(|| cores() / 2).clamp(1, candidates.len());
    let report = hunt(&candidates, &judge, known, jobs)?;
    println!("\n{}", report.summary());
    report.verdict()
}

fn hunt(
    candidates: &[Candidate],
    judge: &Judge<'_>,
    mut known: Known,
    jobs: usize,
) -> Result<Report> {
    let work: Vec<_> = candidates.iter().map(|it| (it, known.recall(it))).collect();
    let mut report = Report::new(candidates);
    println!("{}", report.header());
    in_order(
        &work,
        jobs,
        |(candidate, recalled)| {
            let start = Instant::now();
            let kept = recalled.is_some() && candidate.excuse.is_none();
            let verdict = match recalled {
                Some(verdict) if kept => verdict.clone(),
                _ => judge.judge(candidate),
            };
            Trial { candidate, verdict, kept, elapsed: start.elapsed() }
        },
        |trial| {
            known.remember(trial.candidate, &trial.verdict)?;
            println!("{}", report.row(&trial));
            report.add(&trial);
            Ok(())
        },
    )?;
    Ok(report)
}

/// The crates whose models reach one of `packages`.
fn reaching<'a>(workspace: &'a Workspace, packages: &[&Package]) -> Vec<&'a Package> {
    let mut found: Vec<&Package> = Vec::new();
    for it in packages.iter().flat_map(|it| reach::models_of(workspace, it)) {
        if !found.iter().any(|known| known.name == it.name) {
            found.push(it);
        }
    }
    found
}

/// The mutants that the flags choose, of the kinds that they choose.
fn candidates(
    flags: &flags::Loom,
    workspace: &Workspace,
    packages: &[&Package],
    models: &[Model],
) -> Result<Vec<Candidate>> {
    let lists = mutants::load(workspace, packages, models)?;
    let mut all = Vec::new();
    if !flags.orderings || flags.named {
        all.extend(lists.mutants.iter().cloned().map(Candidate::named));
    }
    if !flags.named || flags.orderings {
        for package in packages {
            let weakenings = weaken::of_package(package)?.into_iter();
            all.extend(weakenings.map(|it| Candidate::ordering(package, it, &lists)));
        }
    }
    if let Some(name) = &flags.mutant {
        all = candidate::choose(all, name)?;
    }
    if let Some(n) = flags.sample {
        let seed = flags.seed.unwrap_or_else(seed);
        println!("{n} of {} mutants, drawn with --seed {seed}", all.len());
        all = candidate::sample(all, n, seed);
    }
    if all.is_empty() { Err(Error::failed("there are no mutants")) } else { Ok(all) }
}

/// Whether a mutant without a verdict may be tried by `model`.
fn is_needed(model: &Model, open: &[&Candidate], workspace: &Workspace) -> bool {
    let reaches = |package: &str| {
        let package = workspace.packages.iter().find(|it| it.name == package);
        let reaching = package.map(|it| reach::models_of(workspace, it)).unwrap_or_default();
        reaching.iter().any(|it| it.name == model.package)
    };
    open.iter().any(|it| match &it.change {
        Change::Named { models, .. } => it.package == model.package && models.contains(&model.name),
        Change::Ordering(_) => !model.is_canary() && reaches(&it.package),
    })
}

/// The models that are needed, each passed without a mutant, and how long that took.
fn sound<'a>(
    needed: impl Iterator<Item = &'a Model>,
    setup: &Setup,
) -> Result<Vec<(&'a Model, Duration)>> {
    let mut sound = Vec::new();
    for model in needed {
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
