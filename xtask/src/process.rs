//! Child processes: captured output, time limits, and the executables that cargo builds.

use core::time::Duration;
use std::{
    io::Read,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Instant,
};

use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::error::{Error, Result};

/// How a child process ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` if it was killed because its time was up.
    pub(crate) status: Option<ExitStatus>,
    /// Standard output, then standard error.
    pub(crate) output: String,
    pub(crate) elapsed: Duration,
}

impl Finished {
    /// Whether it ended in time and well.
    pub(crate) fn success(&self) -> bool {
        self.status.is_some_and(|it| it.success())
    }

    /// How it ended, in words.
    pub(crate) fn describe(&self) -> String {
        match self.status {
            None => format!("still running after {}", seconds(self.elapsed)),
            Some(status) => status.to_string(),
        }
    }
}

/// Runs a command to its end or for `limit`, and captures what it writes.
pub(crate) fn capture(command: impl Into<Command>, limit: Option<Duration>) -> Result<Finished> {
    let mut command = command.into();
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| Error::failed(format!("cannot start `{name}`: {error}")))?;
    let stdout = read_all(child.stdout.take());
    let stderr = read_all(child.stderr.take());
    let status = match limit {
        None => Some(child.wait()?),
        Some(limit) => wait(&mut child, start + limit)?,
    };
    let elapsed = start.elapsed();
    let mut output = stdout.join().unwrap_or_default();
    output += &stderr.join().unwrap_or_default();
    Ok(Finished { status, output, elapsed })
}

/// Waits until `deadline`, then kills.
fn wait(child: &mut Child, deadline: Instant) -> Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks leaves what was read before.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// An executable that cargo built.
#[derive(Debug, PartialEq)]
pub(crate) struct Executable {
    /// Name of its target: `loom`, or an example's name.
    pub(crate) target: String,
    /// Folder of its package's manifest.
    pub(crate) dir: PathBuf,
    pub(crate) path: PathBuf,
}

/// Runs a cargo command that builds, and returns the executables it made; cargo's own words go to
/// standard error as they come.
pub(crate) fn build(cargo: Cmd<'_>) -> Result<Vec<Executable>> {
    let shown = cargo.to_string();
    let mut command = Command::from(cargo.arg("--message-format=json-render-diagnostics"));
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Error::failed(format!("`{shown}` failed")));
    }
    Ok(executables(&String::from_utf8_lossy(&output.stdout)))
}

/// Runs a cargo command that builds the target `name`, and returns the path of its executable.
pub(crate) fn build_one(cargo: Cmd<'_>, name: &str) -> Result<PathBuf> {
    let built = build(cargo)?.into_iter().find(|it| it.target == name);
    built.map(|it| it.path).ok_or_else(|| Error::failed(format!("cargo built no {name}")))
}

fn executables(messages: &str) -> Vec<Executable> {
    let artifact = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let manifest = PathBuf::from(message["manifest_path"].as_str()?);
        Some(Executable {
            target: message["target"]["name"].as_str()?.to_owned(),
            dir: manifest.parent()?.to_owned(),
            path: message["executable"].as_str()?.into(),
        })
    };
    messages.lines().filter_map(artifact).collect()
}

/// What to do about a valgrind that is not installed.
pub(crate) fn without_valgrind(sh: &Shell) -> Option<String> {
    let version = cmd!(sh, "valgrind --version").quiet().ignore_stdout().ignore_stderr().run();
    version.is_err().then(|| "valgrind is not installed; the system's packages have it".to_owned())
}

/// A duration with as many digits as a reader needs.
pub(crate) fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 100.0 { format!("{seconds:.1} s") } else { format!("{seconds:.0} s") }
}

/// Drops escape sequences that colour a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest);
    }
    plain
}

/// The last `n` lines of output, without colours.
pub(crate) fn tail(output: &str, n: usize) -> String {
    let output = plain(output);
    let lines: Vec<_> = output.lines().collect();
    lines[lines.len().saturating_sub(n)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_taken_from_the_messages_of_cargo() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml",
            "target":{"name":"loom"},"executable":"/w/target/loom-1"}"#
            .replace('\n', "");
        let messages = format!("{messages}\n{{\"reason\":\"build-finished\"}}\nplain text\n");
        let expected = Executable {
            target: "loom".into(),
            dir: "/w/a".into(),
            path: "/w/target/loom-1".into(),
        };
        assert_eq!(executables(&messages), [expected]);
    }

    #[test]
    fn colours_are_dropped() {
        assert_eq!(plain("\u{1b}[32m INFO\u{1b}[0m Completed"), " INFO Completed");
        assert_eq!(plain("plain"), "plain");
    }

    #[test]
    fn only_the_end_of_long_output_is_repeated() {
        assert_eq!(tail("a\nb\n", 3), "a\nb");
        assert_eq!(tail("a\n\u{1b}[1mb\u{1b}[0m\nc\n", 2), "b\nc");
    }

    #[cfg(unix)]
    #[test]
    fn output_is_captured_and_time_is_limited() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let finished = capture(command, None).unwrap();
        assert_eq!((finished.output.as_str(), finished.success()), ("out\nerr\n", false));
        let mut command = Command::new("sleep");
        command.arg("30");
        let finished = capture(command, Some(Duration::from_millis(20))).unwrap();
        assert!(finished.status.is_none() && finished.elapsed < Duration::from_secs(10));
    }
}
