//! What the load generator prints, read back.

use core::time::Duration;
use std::{path::Path, process::Command};

use super::server::Server;
use crate::{
    error::{Error, Result},
    process::capture,
};

/// Time that one load may take.
const LIMIT: Duration = Duration::from_secs(300);

/// What one load showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) per_second: f64,
    /// In microseconds.
    pub(super) p50: f64,
    pub(super) p99: f64,
    /// The server's processor time for a request, in microseconds; not a number where it is not known.
    pub(super) processor: f64,
}

impl Figures {
    /// Runs the load generator to its end.
    pub(super) fn of_load(
        program: &Path,
        server: &Server,
        connections: usize,
        requests: usize,
    ) -> Result<Self> {
        let address = &server.address;
        let before = server.processor_time();
        let mut command = Command::new(program);
        command.args(["load", address, &connections.to_string(), &requests.to_string()]);
        let finished = capture(command, Some(LIMIT))?;
        let read = finished.success().then(|| Self::read(&finished.output)).flatten();
        let processor = server.processor_time().zip(before).map(|(after, before)| {
            // The load rounds up to as many requests for each connection.
            (after - before) * 1e6 / (requests.next_multiple_of(connections)) as f64
        });
        let read = read.map(|it| Self { processor: processor.unwrap_or(f64::NAN), ..it });
        read.ok_or_else(|| {
            Error::failed(format!("the load: {}\n{}", finished.describe(), finished.output))
        })
    }

    fn read(output: &str) -> Option<Self> {
        let figure = |name: &str| {
            let line = output.lines().find_map(|it| it.strip_prefix(name))?;
            line.trim().parse().ok()
        };
        Some(Self {
            per_second: figure("requests/s")?,
            p50: figure("p50 µs")?,
            p99: figure("p99 µs")?,
            processor: 0.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_by_their_names() {
        let output =
            "requests     50\nrequests/s   1234\np50 µs       7\np99 µs       42\nmax µs       99";
        let figures = Figures { per_second: 1234.0, p50: 7.0, p99: 42.0, processor: 0.0 };
        assert_eq!(Figures::read(output), Some(figures));
        assert_eq!(Figures::read("requests/s   1234"), None);
    }
}
