//! The command line: every command, its flags, and their help.

use std::ffi::OsString;

use regex_lite::Regex;

use crate::error::{Error, Result};

xflags::xflags! {
    /// Every task of the workspace. `cargo xtask <command> --help` tells more of one of them.
    cmd xtask {
        /// Runs unit tests, doctests and examples of the shipped crates.
        ///
        /// All features but `loom` are on. Takes cargo-nextest where it is installed.
        cmd test {
            /// Handed to the test runner; put `--` in front.
            repeated args: OsString
            /// Tests this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// Runs every benchmark once as well, without measuring, and the tests of `web`'s servers.
            optional --benches
        }

        /// Checks all that needs no test run: format, lints, docs, house rules.
        ///
        /// Every stage runs, also after one that failed; a summary repeats what failed.
        cmd check {
            /// Runs the stages whose name contains one of these words, all by default.
            repeated stages: String
            /// Prints the names of the stages and ends.
            optional --list
        }

        /// Explores the models in `crates/*/tests/loom.rs`.
        ///
        /// Prints how many executions each model took. A model that explored only one proves
        /// nothing and fails the run.
        cmd loom {
            /// Explores the models of this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// Explores the models whose name contains this.
            optional -m, --model name: String
            /// Preemptions per execution: 2 by default, more is deeper and slower.
            optional --preemptions n: usize
            /// Seconds that one model may take, 300 by default (60 for a mutant).
            optional --timeout seconds: u64
            /// Makes one breaking change at a time, and requires a model to fail: a protocol step is
            /// left out (the named mutants), or an ordering loses one half.
            ///
            /// Verdicts are kept in the target folder and hold until the code of the crate, of its
            /// models or of what they rest on changes; an interrupted run goes on where it ended.
            optional --mutants
            /// Tries the named mutants alone.
            optional --named
            /// Tries the weakened orderings alone.
            optional --orderings
            /// Tries this mutant only, or all whose names contain this; excused orderings too.
            optional --mutant name: String
            /// Tries so many mutants, drawn at random; the seed is printed.
            optional --sample n: usize
            /// The seed of the sample, to draw the same one again.
            optional --seed n: u64
            /// Begins no more work after so many minutes, and names what is left.
            optional --budget minutes: u64
            /// Mutants tried at a time: half as many as there are cores by default.
            optional --jobs n: usize
            /// Forgets the verdicts of earlier runs.
            optional --fresh
        }

        /// Runs whole systems under random schedules: the tests in `crates/*/tests/shuttle.rs`.
        ///
        /// Half of the schedules are random at every step, half follow priorities that change at a
        /// few random points. Orderings count as sequentially consistent, and a dependency's own
        /// atomics run without a switch: models are for those.
        cmd shuttle {
            /// Runs the tests of this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// Runs the tests whose name contains this.
            optional -t, --test name: String
            /// Compiles this named mutant in, and requires a test to fail.
            optional --mutant name: String
            /// Schedules per test, 2000 by default.
            optional --iterations n: u64
            /// Draws the schedules from this seed, as a run before did.
            optional --seed n: u64
            /// Seconds that one test may take, 300 by default.
            optional --timeout seconds: u64
        }

        /// Runs the tests of the shipped crates under Miri, each with many seeds.
        ///
        /// Needs a nightly toolchain with the `miri` and `rust-src` components; says so and ends
        /// well where they are absent.
        cmd miri {
            /// Tests this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// How many seeds each test runs with, 16 by default.
            optional --seeds n: u32
        }

        /// Measures the subjects of each table in interleaved rounds and prints their ratios.
        cmd bench {
            /// Tables to measure, all by default; `--list` names them.
            repeated tables: String
            /// Measures only the rows that match this regular expression.
            optional -f, --filter regex: String
            /// Shorter measurements without Criterion's report, for a first look.
            optional --quick
            /// Longer measurements, and the peers that are slow to build.
            optional --full
            /// How many rounds each row takes.
            optional --rounds n: u32
            /// Measures these peers only, separated by commas; builds the heavy ones among them.
            optional --peers names: String
            /// Keeps the results under this name, for `--against`.
            optional --save name: String
            /// Compares with the results that were kept under this name on this host.
            optional --against name: String
            /// Compares also with results of another host or compiler.
            optional --force
            /// Fails if a row's whole range lies below its floor in `benches/floors.toml`.
            optional --check
            /// Writes the results to this file too.
            optional --json file: String
            /// Writes one page for a browser: host, tables, charts.
            optional --html file: String
            /// Puts the tables between their markers in README.md and benches/BENCHMARKS.md.
            optional --md
            /// Writes a chart of each table into this folder.
            optional --svg dir: String
            /// Prints tables, rows and subjects and ends.
            optional --list
        }

        /// Puts the web server of selvedge-executor's example under load, on our executor and on others.
        ///
        /// The load generator is the example's, in a process of its own. Prints requests per second,
        /// latencies, and each subject's time for a request over that of one of them, paired by rounds.
        /// What the subjects are stands at the top of benches/src/bin/web/main.rs.
        cmd web {
            /// Rounds, 5 by default; each starts every server once.
            optional --rounds n: usize
            /// Threads of each server that run tasks, 2 by default.
            optional --threads n: usize
            /// Connections that ask at once, 64 by default.
            optional --connections n: usize
            /// Requests of each round, 50000 by default.
            optional --requests n: usize
            /// Measures these subjects only, separated by commas; all by default.
            optional --subjects names: String
            /// The subject that the others are compared with, by default the first: `selvedge-mio`, if it is
            /// measured.
            optional --against name: String
        }

        /// Counts the instructions of our rows under callgrind and compares them with the committed counts.
        ///
        /// Fails where a row grew by more than 3 %; warns only if compiler or C library are others
        /// than those of the committed counts. Needs valgrind.
        cmd icount {
            /// Counts only the rows that match this regular expression.
            optional -f, --filter regex: String
            /// Counts the peers too, and prints them as multiples of ours.
            optional --peers
            /// Accepts the counts: writes `benches/icount.toml` anew.
            optional --bless
        }

        /// Runs the tests of the shipped crates under sanitizers, valgrind and Miri.
        ///
        /// Stages: address, memcheck, thread, miri. One whose tool is not installed is skipped.
        cmd sanitize {
            /// Runs the stages whose name contains one of these words, all by default.
            repeated stages: String
            /// Tests this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// Seconds that the tests of one executable may take under memcheck, 120 by default.
            optional --timeout seconds: u64
            /// Prints the names of the stages and ends.
            optional --list
        }

        /// Compares the public surface of the shipped crates with the committed `api.txt`.
        ///
        /// Prints what changed and fails; names of other crates need a line with a reason. Needs a
        /// nightly toolchain; says so and ends well where it is absent.
        cmd api {
            /// Looks at this package only; `sync` is short for `selvedge-sync`.
            optional -p, --package name: String
            /// Accepts what changed: writes the files anew.
            optional --bless
            /// The toolchain whose rustdoc writes the surface, `nightly` by default.
            optional --toolchain name: String
        }

        /// Packs the shipped crates and builds them from the packed files alone.
        ///
        /// Fails on files that no user needs, on those that are missing, and on warnings. What is
        /// not committed is packed too.
        cmd package {}

        /// Prints the commands, or the flags of one of them.
        cmd help {
            /// The command to tell about.
            optional command: String
        }
    }
}

impl Xtask {
    /// Parses the process's arguments; `None` if they asked for help, which is then printed.
    pub(crate) fn from_args() -> Result<Option<Self>> {
        let args: Vec<OsString> = std::env::args_os().skip(1).collect();
        let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let command = words.first().filter(|word| !word.starts_with('-')).cloned();
        if words.is_empty() {
            print!("{}", overview());
            return Ok(None);
        }
        if let Some(command) = &command {
            if section(command).is_none() {
                return Err(unknown_command(command));
            }
        }
        match Self::from_vec(split_values(args)) {
            Ok(Self { subcommand: XtaskCmd::Help(Help { command: None }) }) => {
                print!("{}", overview());
            }
            Ok(Self { subcommand: XtaskCmd::Help(Help { command: Some(command) }) }) => {
                print!("{}", section(&command).ok_or_else(|| unknown_command(&command))?);
            }
            Ok(flags) => return Ok(Some(flags)),
            Err(error) if error.is_help() => {
                print!("{}", command.and_then(|it| section(&it)).unwrap_or_else(overview));
            }
            Err(error) => return Err(usage(command.as_deref(), &error.to_string())),
        }
        Ok(None)
    }
}

/// The regular expression after `--filter`.
pub(crate) fn filter(text: &str) -> Result<Regex> {
    Regex::new(text).map_err(|error| Error::usage(format!("bad --filter `{text}`: {error}")))
}

/// A usage error in `command`'s flags: what is wrong and where help is.
fn usage(command: Option<&str>, what: &str) -> Error {
    let help = command.map_or_else(String::new, |command| format!("{command} "));
    Error::usage(format!("{what}; see `cargo xtask {help}--help`"))
}

fn unknown_command(command: &str) -> Error {
    Error::usage(format!("unknown command `{command}`; `cargo xtask help` lists the commands"))
}

/// Cuts `--flag=value` in two, up to a `--`; the parser knows `--flag value` only.
fn split_values(args: Vec<OsString>) -> Vec<OsString> {
    let mut parts = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    for arg in args.by_ref() {
        match arg.to_str().and_then(|it| it.split_once('=')) {
            Some((flag, value)) if flag.starts_with("--") => {
                parts.extend([flag.into(), value.into()]);
            }
            _ if arg == "--" => {
                parts.push(arg);
                break;
            }
            _ => parts.push(arg),
        }
    }
    parts.extend(args);
    parts
}

/// Names of the commands with the first line of their help.
fn overview() -> String {
    let mut text = String::from(
        "Tasks of the Selvedge workspace.\n\nUSAGE: cargo xtask <command> [flags]\n\nCOMMANDS:\n",
    );
    for (name, body) in sections() {
        let summary = body.lines().next().unwrap_or_default().trim();
        text += &format!("  {name:<8} {summary}\n");
    }
    text += "\nTells more of a command: cargo xtask <command> --help\n";
    text
}

/// The help of one command, cut from the parser's help of all of them.
fn section(command: &str) -> Option<String> {
    let (name, body) = sections().into_iter().find(|(name, _)| *name == command)?;
    Some(format!("cargo xtask {name}\n{}\n", body.trim_end()))
}

fn sections() -> Vec<(&'static str, &'static str)> {
    let commands = Xtask::HELP_.split("\nxtask ").skip(1);
    commands.filter_map(|part| part.split_once('\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn every_command_has_its_own_help() {
        let names: Vec<_> = sections().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "test", "check", "loom", "shuttle", "miri", "bench", "web", "icount", "sanitize",
                "api", "package", "help"
            ]
        );
        let bench = section("bench").unwrap();
        assert!(bench.contains("--filter") && !bench.contains("--mutants"), "{bench}");
        assert!(section("nonsense").is_none());
    }

    #[test]
    fn a_value_may_follow_an_equals_sign() {
        assert_eq!(
            split_values(args(&["bench", "--rounds=3", "--", "--a=b"])),
            args(&["bench", "--rounds", "3", "--", "--a=b"]),
        );
    }

    #[test]
    fn a_usage_error_says_where_help_is() {
        let error = Xtask::from_vec(args(&["bench", "--nope"])).unwrap_err();
        let message = usage(Some("bench"), &error.to_string()).to_string();
        assert_eq!(message, "unexpected flag: `--nope`; see `cargo xtask bench --help`");
    }
}
