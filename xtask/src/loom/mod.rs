//! `loom`: explores the models of every crate, and the mutants that they must kill.

mod hunt;
mod model;
mod mutants;
mod report;
mod run;
mod setup;
mod weaken;
pub(crate) mod wrapper;

use xshell::Shell;

use crate::{
    error::{Error, Result},
    flags,
    loom::{run::Explored, setup::Setup},
    workspace::Workspace,
};

pub(crate) use model::{Model, cause};
pub(crate) use setup::{CFGS, list, target_dir};

/// Runs the command.
pub(crate) fn run(flags: &flags::Loom, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let setup = Setup::new(&workspace, flags);
    if flags.mutants || flags.mutant.is_some() {
        return hunt::run(flags, sh, &workspace, &setup);
    }
    let packages = workspace.select_with_test(flags.package.as_deref(), "loom")?;
    let models = setup.models(sh, &packages, flags.model.as_deref())?;
    let explored = run::explore(&models, &setup)?;
    setup.remember(&explored)?;
    finish(&explored, &setup)
}

/// Repeats failures with what reproduces them; an error if there is one.
fn finish(explored: &[Explored<'_>], setup: &Setup) -> Result {
    let failed: Vec<_> = explored.iter().filter(|it| it.ended.failure().is_some()).collect();
    for it in &failed {
        println!("\n{}", report::failure(it, setup));
    }
    match failed.len() {
        0 => Ok(()),
        n => Err(Error::failed(format!("{n} of {} models failed", explored.len()))),
    }
}
