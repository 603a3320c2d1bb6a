//! How models are built and run: compiler flags, profile, environment, limits.

use core::time::Duration;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::UNIX_EPOCH,
};

use serde_json::{Value, json};
use xshell::{Cmd, Shell, cmd};

use crate::{
    error::{Error, Result},
    flags,
    loom::{
        model::{Ended, Model, names},
        run::Explored,
    },
    process::{build, capture},
    rustflags::with_flags,
    workspace::{Package, Workspace, selection_with},
};

/// Turns the façade and the dependencies that know loom over to it.
pub(crate) const CFGS: [&str; 4] = ["--cfg", "selvedge_loom", "--cfg", "loom"];

const PREEMPTIONS: &str = "LOOM_MAX_PREEMPTIONS";
const BRANCHES: &str = "LOOM_MAX_BRANCHES";

/// What all models of a run have in common.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) target_dir: PathBuf,
    /// Variables of loom that are not left to its own defaults.
    pub(crate) env: Vec<(&'static str, String)>,
    /// Time for one model.
    pub(crate) limit: Duration,
}

impl Setup {
    /// Takes limits from the flags, then from the environment, then from the defaults.
    pub(crate) fn new(workspace: &Workspace, flags: &flags::Loom) -> Self {
        let or = |name, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
        let preemptions = flags.preemptions.map_or_else(|| or(PREEMPTIONS, "2"), |n| n.to_string());
        Self {
            target_dir: target_dir(workspace),
            env: vec![(PREEMPTIONS, preemptions), (BRANCHES, or(BRANCHES, "10000"))],
            limit: Duration::from_secs(flags.timeout.unwrap_or(300)),
        }
    }

    /// The same, with what is built in a folder of its own.
    pub(crate) fn apart(&self, folder: &str) -> Self {
        Self { target_dir: self.target_dir.join(folder), env: self.env.clone(), limit: self.limit }
    }

    /// The cargo command that builds the models of `packages`.
    pub(crate) fn cargo<'a>(&self, sh: &'a Shell, packages: &[&Package]) -> Cmd<'a> {
        let (selection, dir) = (selection_with(packages, "loom"), &self.target_dir);
        let cargo = cmd!(sh, "cargo test --no-run --profile loom --test loom {selection...}");
        with_flags(cargo.arg("--target-dir").arg(dir), &CFGS)
    }

    /// Builds the test executables of `packages` and lists their models.
    pub(crate) fn models(
        &self,
        sh: &Shell,
        packages: &[&Package],
        filter: Option<&str>,
    ) -> Result<Vec<Model>> {
        let models = list(self.cargo(sh, packages), packages, "loom")?;
        let wanted = |model: &Model| filter.is_none_or(|filter| model.name.contains(filter));
        let models: Vec<_> = models.into_iter().filter(wanted).collect();
        match (models.is_empty(), filter) {
            (true, Some(filter)) => {
                Err(Error::usage(format!("no model has `{filter}` in its name")))
            }
            (true, None) => Err(Error::failed("there are no models")),
            (false, _) => Ok(models),
        }
    }

    /// The process that explores one model.
    pub(crate) fn command(&self, model: &Model) -> Command {
        let mut command = Command::new(&model.executable);
        command.args([&model.name, "--exact", "--nocapture", "--test-threads=1"]);
        command.current_dir(&model.dir).envs(self.env.iter().map(|(name, value)| (name, value)));
        command.env("LOOM_LOG", "loom::model=info").env("RUST_BACKTRACE", "0");
        command
    }

    /// Writes down how models ended, so that a hunt for mutants need not explore them again.
    pub(crate) fn remember(&self, explored: &[Explored<'_>]) -> Result {
        let mut known = self.read_known();
        for it in explored {
            let passed = matches!(it.ended, Ended::Passed(_) | Ended::Found);
            let entry = json!({"stamp": self.stamp(it.model), "seconds": it.elapsed.as_secs_f64()});
            let key = key(it.model);
            if passed {
                known.insert(key, entry)
            } else {
                known.remove(&key)
            };
        }
        fs::write(self.known_file(), json!(known).to_string())?;
        Ok(())
    }

    /// How long a model took when this very executable last passed it.
    pub(crate) fn recall(&self, model: &Model) -> Option<Duration> {
        let known = self.read_known().remove(&key(model))?;
        let fresh = known["stamp"] == json!(self.stamp(model));
        fresh.then(|| known["seconds"].as_f64().map(Duration::from_secs_f64)).flatten()
    }

    fn known_file(&self) -> PathBuf {
        self.target_dir.join("models.json")
    }

    fn read_known(&self) -> BTreeMap<String, Value> {
        let text = fs::read_to_string(self.known_file()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Changes when the executable is built anew or loom's limits change.
    fn stamp(&self, model: &Model) -> String {
        let modified = fs::metadata(&model.executable).and_then(|it| it.modified()).ok();
        let age = modified.and_then(|it| it.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        format!("{} {} {:?}", model.executable.display(), age.as_nanos(), self.env)
    }
}

fn key(model: &Model) -> String {
    format!("{} {}", model.package, model.name)
}

/// Where everything that is compiled for loom goes, so that ordinary builds stay fresh.
pub(crate) fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target_dir.join("loom")
}

/// Builds with `cargo` and lists the tests in what it made of the test target `target`.
pub(crate) fn list(cargo: Cmd<'_>, packages: &[&Package], target: &str) -> Result<Vec<Model>> {
    let mut models = Vec::new();
    let executables: Vec<_> = build(cargo)?.into_iter().filter(|it| it.target == target).collect();
    for package in packages {
        let dir = package.dir();
        let Some(executable) = executables.iter().find(|it| it.dir == dir) else {
            return Err(Error::failed(format!("cargo built no such tests of {}", package.name)));
        };
        for name in tests_of(&executable.path)? {
            models.push(Model {
                package: package.name.clone(),
                name,
                executable: executable.path.clone(),
                dir: dir.to_owned(),
            });
        }
    }
    Ok(models)
}

fn tests_of(executable: &Path) -> Result<Vec<String>> {
    let mut command = Command::new(executable);
    command.args(["--list", "--format", "terse"]);
    Ok(names(&capture(command, None)?.output))
}
