//! Sanitizers that the compiler builds into the tests.

use std::{env, ffi::OsString};

use xshell::cmd;

use super::Tests;
use crate::{
    error::Result,
    nightly::{self, Component},
    stages::Outcome,
    workspace::selection,
};

/// Targets for which the compiler has both sanitizers.
const TARGETS: [&str; 4] = [
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "x86_64-unknown-linux-gnu",
];

/// What is built in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sanitizer {
    Address,
    Thread,
}

impl Sanitizer {
    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    /// The variable that sets the sanitizer's options, and those that these tests need.
    const fn options(self) -> (&'static str, &'static str) {
        match self {
            // Tests leak on purpose: forgotten tasks, executors made `'static`.
            Self::Address => ("ASAN_OPTIONS", "detect_leaks=0"),
            Self::Thread => ("TSAN_OPTIONS", "halt_on_error=1"),
        }
    }

    /// Whether it is of use only if the standard library is built with it: ThreadSanitizer does
    /// not understand the fences of a library that is not, and takes the drop of an `Arc` for a race.
    const fn needs_library(self) -> bool {
        matches!(self, Self::Thread)
    }

    const fn components(self) -> &'static [Component] {
        if self.needs_library() { &[Component::RustSrc] } else { &[] }
    }
}

/// Runs the tests with a sanitizer built in.
pub(super) fn test(tests: &Tests<'_>, sanitizer: Sanitizer) -> Result<Outcome> {
    let Tests { sh, workspace, packages, .. } = tests;
    if let Some(missing) = nightly::missing(sh, "nightly", sanitizer.components()) {
        return Ok(Outcome::Skipped(missing));
    }
    let host = host(&cmd!(sh, "rustc +nightly -vV").quiet().read()?);
    if !TARGETS.contains(&host.as_str()) {
        return Ok(Outcome::Skipped(format!("the compiler has no sanitizers for {host}")));
    }
    let (name, selection) = (sanitizer.name(), selection(packages));
    let library: &[_] = if sanitizer.needs_library() { &["-Zbuild-std"] } else { &[] };
    let target_dir = workspace.target_dir.join(format!("sanitize-{name}"));
    // With a target named, build scripts and macros go without the sanitizer.
    let cargo = cmd!(
        sh,
        "cargo +nightly test --no-fail-fast --lib --tests {library...} --target {host} --target-dir {target_dir}"
    );
    let (variable, options) = sanitizer.options();
    cargo
        .args(selection)
        .env("RUSTFLAGS", joined("RUSTFLAGS", " ", &format!("-Zsanitizer={name}")))
        .env(variable, joined(variable, ":", options))
        .run()?;
    Ok(Outcome::Passed)
}

/// `added`, and after it what the variable held already.
fn joined(variable: &str, separator: &str, added: &str) -> OsString {
    let mut value = OsString::from(added);
    if let Some(own) = env::var_os(variable) {
        value.push(separator);
        value.push(own);
    }
    value
}

/// The host of `rustc -vV`.
fn host(version: &str) -> String {
    version.lines().find_map(|it| it.strip_prefix("host: ")).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_read() {
        let version = "rustc 1.97.0-nightly\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\n";
        assert_eq!(host(version), "x86_64-unknown-linux-gnu");
        assert_eq!(host(""), "");
    }

    #[test]
    fn options_are_added() {
        assert_eq!(joined("SELVEDGE_THAT_NOBODY_SETS", ":", "a=1"), "a=1");
    }
}
