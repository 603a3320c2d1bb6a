//! Explores models, each in a process of its own, as many at a time as there are cores.

use core::time::Duration;

use crate::{
    error::Result,
    loom::{
        model::{Ended, Model},
        report::Table,
        setup::Setup,
    },
    parallel::{cores, in_order},
    process::{capture, seconds},
};

/// A model and how its exploration went.
#[derive(Debug)]
pub(crate) struct Explored<'a> {
    pub(crate) model: &'a Model,
    pub(crate) ended: Ended,
    pub(crate) elapsed: Duration,
    pub(crate) output: String,
}

/// Explores one model.
pub(crate) fn explore_one<'a>(
    model: &'a Model,
    setup: &Setup,
    limit: Duration,
) -> Result<Explored<'a>> {
    explore_with(model, setup, limit, None)
}

/// Explores one model with a variable in its environment.
pub(crate) fn explore_with<'a>(
    model: &'a Model,
    setup: &Setup,
    limit: Duration,
    variable: Option<(&str, String)>,
) -> Result<Explored<'a>> {
    let mut command = setup.command(model);
    command.envs(variable);
    let finished = capture(command, Some(limit))?;
    let ended = Ended::of(model, &finished);
    Ok(Explored { model, ended, elapsed: finished.elapsed, output: finished.output })
}

/// Explores models and prints a row for each, in their order.
pub(crate) fn explore<'a>(models: &'a [Model], setup: &Setup) -> Result<Vec<Explored<'a>>> {
    let table = Table::new(models);
    println!("{}", table.header());
    let mut explored = Vec::new();
    in_order(
        models,
        cores(),
        |model| explore_one(model, setup, setup.limit),
        |result| {
            let one = result?;
            println!("{}", table.row(&one));
            explored.push(one);
            Ok(())
        },
    )?;
    let executions: usize =
        explored.iter().map(|it| if let Ended::Passed(n) = it.ended { n } else { 0 }).sum();
    let time = explored.iter().map(|it| it.elapsed).sum();
    let (n, time) = (explored.len(), seconds(time));
    println!("{n} models, {executions} executions, {time} of processor time");
    Ok(explored)
}
