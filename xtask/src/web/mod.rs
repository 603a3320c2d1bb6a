//! `web`: one load generator against the web server on several executors.
//!
//! A round starts each server once, in an order of its own, puts it under load for a moment
//! unmeasured and then measured, and ends it. Server and load generator are processes of their own
//! and share the machine's cores, so the figures say how the servers stand to each other here, and
//! no more.

mod figures;
mod server;

use xshell::{Shell, cmd};

use self::{figures::Figures, server::Server};
use crate::{
    bench::stats::{Ratio, median},
    error::{Error, Result},
    flags,
    process::build_one,
    workspace::BENCHES,
};

/// The example that has the load generator, the program that has the servers, and its feature.
const LOAD: &str = "web_server";
const SERVERS: &str = "web";

/// The subjects, ours first.
const SUBJECTS: [&str; 5] =
    ["selvedge", "async-executor", "tokio", "selvedge-reactor", "async-executor-reactor"];

/// A part of the load goes before, unmeasured.
const WARM_UP: usize = 10;

/// Runs the command.
pub(crate) fn run(flags: &flags::Web, sh: &Shell) -> Result {
    let subjects = subjects(flags.subjects.as_deref())?;
    let rounds = flags.rounds.unwrap_or(5);
    let threads = flags.threads.unwrap_or(2);
    let connections = flags.connections.unwrap_or(64);
    let requests = flags.requests.unwrap_or(50_000);
    if [rounds, threads, connections, requests].contains(&0) {
        return Err(Error::usage(
            "a web server under no load shows nothing: all numbers start at 1",
        ));
    }
    let cargo = cmd!(sh, "cargo build --release -p selvedge-executor --example {LOAD}");
    let load = build_one(cargo, LOAD)?;
    let cargo = cmd!(sh, "cargo build --release -p {BENCHES} --bin {SERVERS} --features {SERVERS}");
    let web = build_one(cargo, SERVERS)?;

    let mut rows = vec![Vec::new(); subjects.len()];
    for round in 0..rounds {
        for turn in 0..subjects.len() {
            // Every subject is first, last and in between as often as any other.
            let index = (round + turn) % subjects.len();
            let server = Server::start(&web, subjects[index], threads)?;
            let put_under = |requests| Figures::of_load(&load, &server, connections, requests);
            put_under(requests.div_ceil(WARM_UP))?;
            rows[index].push(put_under(requests)?);
        }
        println!("round {} of {rounds} is over", round + 1);
    }
    println!(
        "\nweb · {rounds} rounds · {threads} threads · {connections} connections · {requests} requests"
    );
    print!("{}", table(&subjects, &rows));
    Ok(())
}

/// The subjects that were asked for, in the order of the list.
fn subjects(wanted: Option<&str>) -> Result<Vec<&'static str>> {
    let Some(wanted) = wanted else { return Ok(SUBJECTS.to_vec()) };
    let wanted: Vec<_> = wanted.split(',').collect();
    match wanted.iter().find(|it| !SUBJECTS.contains(it)) {
        Some(unknown) => Err(Error::usage(format!(
            "there is no subject `{unknown}`; there are {}",
            SUBJECTS.join(", ")
        ))),
        None => Ok(SUBJECTS.into_iter().filter(|it| wanted.contains(it)).collect()),
    }
}

/// One line a subject: medians over the rounds, with the server's processor time for a request,
/// and its time for a request over that of the first.
fn table(subjects: &[&str], rows: &[Vec<Figures>]) -> String {
    let mut text = format!(
        "{:<24}{:>12}{:>11}{:>11}{:>14}   {}\n",
        "subject", "requests/s", "p50", "p99", "processor", "time over ours [low, high]"
    );
    let times = |row: &[Figures]| row.iter().map(|it| 1.0 / it.per_second).collect::<Vec<_>>();
    for (subject, row) in subjects.iter().zip(rows) {
        let of = |figure: fn(&Figures) -> f64| {
            median(&row.iter().map(figure).collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        let (per_second, processor) = (of(|it| it.per_second), of(|it| it.processor));
        let (p50, p99) = (of(|it| it.p50), of(|it| it.p99));
        text += &format!(
            "{subject:<24}{per_second:>12.0}{p50:>8.0} µs{p99:>8.0} µs{processor:>11.1} µs"
        );
        if let Some(it) = Ratio::paired(&times(row), &times(&rows[0])) {
            text += &format!("   {:.2}× [{:.2}, {:.2}]", it.median, it.low, it.high);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_named_and_keep_their_order() {
        assert_eq!(subjects(Some("tokio,selvedge")).unwrap(), ["selvedge", "tokio"]);
        assert_eq!(subjects(None).unwrap(), SUBJECTS);
        assert!(subjects(Some("apache")).is_err());
    }

    #[test]
    fn twice_the_requests_are_half_the_time() {
        let figures = |per_second| Figures { per_second, p50: 10.0, p99: 20.0, processor: 5.0 };
        let rows = [vec![figures(2000.0); 3], vec![figures(1000.0); 3]];
        let table = table(&["ours", "theirs"], &rows);
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].ends_with("1.00× [1.00, 1.00]"), "{table}");
        assert!(lines[2].ends_with("2.00× [2.00, 2.00]"), "{table}");
    }
}
