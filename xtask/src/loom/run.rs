//! Explores models, each in a process of its own, as many at a time as there are cores.

use core::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use std::{collections::BTreeMap, sync::mpsc, thread};

use crate::{
    error::Result,
    loom::{
        model::{Ended, Model},
        report::Table,
        setup::Setup,
    },
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

/// How many threads the machine runs at a time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, |it| it.get())
}

/// Maps `items` on so many threads and hands the results to `take` in the order of the items, as
/// soon as that order allows.
pub(crate) fn in_order<'a, T: Sync, R: Send>(
    items: &'a [T],
    workers: usize,
    map: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(R) -> Result,
) -> Result {
    let workers = workers.min(items.len());
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next, map) = (send.clone(), &next, &map);
            scope.spawn(move || {
                while let Some((index, item)) = pick(items, next) {
                    if send.send((index, map(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receive {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                take(result)?;
            }
        }
        Ok(())
    })
}

fn pick<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items = [30_u64, 0, 10, 0];
        let slow = |millis: &u64| {
            thread::sleep(Duration::from_millis(*millis));
            *millis
        };
        let mut taken = Vec::new();
        let take = |millis| {
            taken.push(millis);
            Ok(())
        };
        in_order(&items, 2, slow, take).unwrap();
        assert_eq!(taken, items);
    }

    #[test]
    fn an_error_ends_the_run() {
        let error = in_order(&[1, 2, 3], 2, |n| *n, |n| Err(Error::failed(format!("at {n}"))));
        assert_eq!(error.unwrap_err().to_string(), "at 1");
    }
}
