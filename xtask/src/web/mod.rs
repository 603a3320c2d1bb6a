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

/// The subjects: those over an edge-triggered reactor, those that lend their threads to async-io's, and those
/// that park and leave it to its own. Ours is the first of each.
const SUBJECTS: [&str; 7] = [
    "selvedge-mio",
    "async-executor-mio",
    "tokio",
    "selvedge-reactor",
    "async-executor-reactor",
    "selvedge",
    "async-executor",
];

/// A part of the load goes before, unmeasured.
const WARM_UP: usize = 10;

/// Runs the command.
pub(crate) fn run(flags: &flags::Web, sh: &Shell) -> Result {
    let subjects = subjects(flags.subjects.as_deref())?;
    let against = against(flags.against.as_deref(), &subjects)?;
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
    print!("{}", table(&subjects, &rows, against));
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

/// Which of the subjects the others are compared with: the first, if no other was asked for.
fn against(wanted: Option<&str>, subjects: &[&str]) -> Result<usize> {
    let Some(wanted) = wanted else { return Ok(0) };
    subjects.iter().position(|it| *it == wanted).ok_or_else(|| {
        Error::usage(format!("`{wanted}` is not measured; {} are", subjects.join(", ")))
    })
}

/// One line a subject: medians over the rounds, with the server's processor time for a request, and its time
/// for a request over that of the subject `against`.
fn table(subjects: &[&str], rows: &[Vec<Figures>], against: usize) -> String {
    let mut text = format!(
        "{:<24}{:>12}{:>11}{:>11}{:>14}   time over {} [low, high]\n",
        "subject", "requests/s", "p50", "p99", "processor", subjects[against]
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
        if let Some(it) = Ratio::paired(&times(row), &times(&rows[against])) {
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
        assert_eq!(subjects(Some("selvedge,tokio")).unwrap(), ["tokio", "selvedge"]);
        assert_eq!(subjects(None).unwrap(), SUBJECTS);
        assert!(subjects(Some("apache")).is_err());
    }

    #[test]
    fn any_subject_that_is_measured_can_be_the_reference() {
        assert_eq!(against(None, &["selvedge", "tokio"]).unwrap(), 0);
        assert_eq!(against(Some("tokio"), &["selvedge", "tokio"]).unwrap(), 1);
        assert!(against(Some("async-executor"), &["selvedge", "tokio"]).is_err());
    }

    #[test]
    fn twice_the_requests_are_half_the_time() {
        let figures = |per_second| Figures { per_second, p50: 10.0, p99: 20.0, processor: 5.0 };
        let rows = [vec![figures(2000.0); 3], vec![figures(1000.0); 3]];
        let table = table(&["ours", "theirs"], &rows, 0);
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].ends_with("1.00× [1.00, 1.00]"), "{table}");
        assert!(lines[2].ends_with("2.00× [2.00, 2.00]"), "{table}");
        let table = super::table(&["ours", "theirs"], &rows, 1);
        assert!(table.lines().nth(1).unwrap().ends_with("0.50× [0.50, 0.50]"), "{table}");
    }
}
