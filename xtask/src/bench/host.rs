//! Where it was measured: machine, compiler, revision, versions, and what may spoil the figures.

use std::{fs, path::Path};

use xshell::{Shell, cmd};

use super::results::TableResult;
use crate::{error::Result, parallel::cores, workspace::BENCHES};

/// Load per core above which other work shows in the figures.
const BUSY: f64 = 0.3;

/// The machine and the code that was measured on it.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    /// Load average before anything was built.
    pub(crate) load: Option<f64>,
    pub(crate) virtualised: bool,
    pub(crate) governor: Option<String>,
    pub(crate) compiler: String,
    /// The revision, with `None` outside a repository.
    pub(crate) revision: Option<String>,
    pub(crate) dirty: bool,
    pub(crate) versions: Versions,
}

impl Host {
    /// Asks the system, the compiler, git and the lockfile; `load` was read before the build.
    pub(crate) fn inspect(sh: &Shell, root: &Path, load: Option<f64>) -> Result<Self> {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let governor = fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        let git =
            |args: &[&str]| cmd!(sh, "git -C {root} {args...}").quiet().ignore_stderr().read();
        let compiler = cmd!(sh, "rustc --version").quiet().read()?;
        let lockfile = fs::read_to_string(root.join("Cargo.lock"))?;
        let models =
            || cmd!(sh, "sysctl -n machdep.cpu.brand_string").quiet().ignore_stderr().read();
        let processor = processor(&info).or_else(|| models().ok());
        Ok(Self {
            processor: processor.unwrap_or_else(|| "unknown processor".into()),
            cores: cores(),
            load,
            virtualised: has_flag(&info, "hypervisor"),
            governor: governor.ok().map(|it| it.trim().to_owned()),
            versions: Versions::new(&lockfile, &compiler),
            compiler,
            revision: git(&["rev-parse", "--short=12", "HEAD"]).ok(),
            dirty: git(&["status", "--porcelain"]).is_ok_and(|it| !it.is_empty()),
        })
    }

    /// What a reader needs to know before the figures.
    pub(crate) fn header(&self, tables: &[TableResult]) -> String {
        let load = self.load.map_or_else(String::new, |it| format!(" · load {it:.2} before"));
        let mut peers: Vec<String> = Vec::new();
        for (subject, version) in tables.iter().flat_map(|it| it.subjects.iter().skip(1)) {
            let peer = format!("{subject} {version}");
            if !peers.contains(&peer) {
                peers.push(peer);
            }
        }
        let mut text = format!(
            "processor  {} · {} cores{load}\ncompiler   {}\nrevision   {}\npeers      {}\n",
            self.processor,
            self.cores,
            self.compiler,
            self.revision(),
            peers.join(" · "),
        );
        for warning in self.warnings() {
            text += &format!("warning    {warning}\n");
        }
        text
    }

    pub(super) fn revision(&self) -> String {
        let revision = self.revision.as_deref().unwrap_or("none");
        format!("{revision}{}", if self.dirty { ", with uncommitted changes" } else { "" })
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(load) = self.load.filter(|it| it / self.cores as f64 > BUSY) {
            warnings.push(format!(
                "load was {load:.2} on {} cores before the start: close what else runs",
                self.cores,
            ));
        }
        if self.virtualised {
            warnings.push("this is a virtual machine: others may take its processor's time".into());
        }
        if let Some(governor) = self.governor.as_deref().filter(|it| *it != "performance") {
            warnings.push(format!("frequency governor is `{governor}`: set it to `performance`"));
        }
        if self.dirty {
            warnings
                .push("uncommitted changes: the revision does not name what was measured".into());
        }
        warnings
    }
}

/// The load average of the last minute.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

fn processor(info: &str) -> Option<String> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn has_flag(info: &str, flag: &str) -> bool {
    let line = info.lines().find(|line| line.starts_with("flags"));
    line.is_some_and(|line| line.split_whitespace().any(|it| it == flag))
}

/// The versions in the lockfile.
#[derive(Debug)]
pub(crate) struct Versions {
    packages: Vec<(String, String)>,
    /// What the benches package depends on: `name`, or `name version` where there are several.
    direct: Vec<String>,
    compiler: String,
}

impl Versions {
    fn new(lockfile: &str, compiler: &str) -> Self {
        let (mut packages, mut direct) = (Vec::new(), Vec::new());
        for package in lockfile.split("[[package]]").skip(1) {
            let field = |key: &str| {
                let line = package.lines().find_map(|it| it.strip_prefix(key)?.strip_prefix(" = "));
                line.map(|it| it.trim_matches('"').to_owned())
            };
            let (Some(name), Some(version)) = (field("name"), field("version")) else { continue };
            if name == BENCHES {
                let lines = package.lines().filter_map(|it| it.trim().strip_prefix('"'));
                direct = lines.map(|it| it.trim_end_matches([',', '"']).to_owned()).collect();
            }
            packages.push((name, version));
        }
        let compiler = compiler.split(' ').nth(1).unwrap_or(compiler).to_owned();
        Self { packages, direct, compiler }
    }

    /// The version of a subject in `table`.
    pub(crate) fn of(&self, table: &str, subject: &str) -> String {
        let package = match (subject, table) {
            // Of the standard library, which has the compiler's version.
            ("std-mpsc" | "mutex-vec", _) => return self.compiler.clone(),
            ("selvedge", "local") => "selvedge-local-executor".into(),
            ("selvedge", "wakers") => "selvedge-combinators".into(),
            ("selvedge" | "selvedge-global", table) => format!("selvedge-{table}"),
            ("async-executor-static", _) => "async-executor".into(),
            (peer, _) => peer.to_owned(),
        };
        let mut direct = self.direct.iter().filter_map(|it| it.split_once(' '));
        let named = direct.find(|(name, _)| *name == package).map(|(_, version)| version);
        let mut locked = self.packages.iter().filter(|(name, _)| *name == package);
        let version = named.or_else(|| locked.next().map(|(_, version)| version.as_str()));
        version.unwrap_or("unknown").to_owned()
    }

    /// Versions for the tests of what shows them.
    #[cfg(test)]
    pub(crate) fn sample() -> Self {
        let package = |name: &str, version: &str, rest: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{rest}\n")
        };
        let direct = "dependencies = [\n \"late 3.0.0\",\n \"peer\",\n]\n";
        let lockfile = package("late", "2.0.0", "")
            + &package("late", "3.0.0", "")
            + &package("peer", "1.2.3", "")
            + &package(BENCHES, "0.0.0", direct)
            + &package("selvedge-t", "0.1.0", "");
        Self::new(&lockfile, "rustc 1.90.0 (abc 2025-09-14)")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::results;

    pub(in crate::bench) fn host() -> Host {
        Host {
            processor: "Some CPU".into(),
            cores: 2,
            load: Some(1.0),
            virtualised: true,
            governor: Some("powersave".into()),
            compiler: "rustc 1.90.0".into(),
            revision: Some("0123456789ab".into()),
            dirty: true,
            versions: Versions::sample(),
        }
    }

    #[test]
    fn the_header_names_everything_and_warns() {
        let expected = "\
processor  Some CPU · 2 cores · load 1.00 before
compiler   rustc 1.90.0
revision   0123456789ab, with uncommitted changes
peers      peer 1.2.3 · late 3.0.0
warning    load was 1.00 on 2 cores before the start: close what else runs
warning    this is a virtual machine: others may take its processor's time
warning    frequency governor is `powersave`: set it to `performance`
warning    uncommitted changes: the revision does not name what was measured
";
        assert_eq!(host().header(&results::sample()), expected);
    }

    #[test]
    fn a_quiet_host_has_no_warnings() {
        let quiet = Host {
            load: Some(0.2),
            virtualised: false,
            governor: Some("performance".into()),
            dirty: false,
            ..host()
        };
        assert!(quiet.warnings().is_empty());
    }

    #[test]
    fn versions_come_from_the_lockfile() {
        let versions = Versions::sample();
        let of = |subject| versions.of("t", subject);
        assert_eq!(
            ["selvedge", "peer", "late", "nope"].map(of),
            ["0.1.0", "1.2.3", "3.0.0", "unknown"]
        );
        assert_eq!([of("std-mpsc"), of("mutex-vec")], ["1.90.0", "1.90.0"]);
        assert_eq!(of("selvedge-global"), "0.1.0");
    }

    #[test]
    fn the_processor_is_read() {
        let info = "vendor_id\t: X\nmodel name\t: Some CPU @ 2 GHz\nflags\t\t: fpu hypervisor\n";
        assert_eq!(processor(info).as_deref(), Some("Some CPU @ 2 GHz"));
        assert!(has_flag(info, "hypervisor") && !has_flag(info, "hyper"));
    }
}
