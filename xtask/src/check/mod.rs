//! `check`: all that needs no test run, stage by stage.

mod cargo;
mod imports;
mod links;
mod manifests;
mod published;
mod tags;
mod targets;
mod text;
mod uses;

use std::{fs, path::PathBuf};

use xshell::Shell;

use crate::{
    error::Result,
    flags, lexer,
    stages::{self, Outcome, Stages},
    tree,
    workspace::Workspace,
};

type Stage = fn(&Shell, &Tree) -> Result<Outcome>;

/// The stages, quick ones first.
const STAGES: &[(&str, Stage)] = &[
    ("format", |sh, _| cargo::format(sh)),
    ("imports", |_, tree| imports::check(&tree.workspace)),
    ("manifests", |_, tree| manifests::check(&tree.workspace)),
    ("text", |_, tree| text::check(tree)),
    ("tags", |_, tree| tags::check(tree)),
    ("facade", |_, tree| uses::check(tree)),
    ("clippy", |sh, tree| cargo::clippy(sh, &tree.workspace)),
    ("clippy of models", |sh, tree| cargo::clippy_of_models(sh, &tree.workspace)),
    ("clippy of schedules", |sh, tree| cargo::clippy_of_schedules(sh, &tree.workspace)),
    ("wasm", |sh, tree| targets::wasm(sh, &tree.workspace)),
    ("no-std", |sh, tree| targets::without_std(sh, &tree.workspace)),
    ("docs", |sh, tree| cargo::docs(sh, &tree.workspace)),
    ("docs.rs", |sh, tree| cargo::docs_rs(sh, &tree.workspace)),
];

/// What the stages look at.
#[derive(Debug)]
struct Tree {
    workspace: Workspace,
    files: Vec<File>,
}

/// A text file of the repository.
#[derive(Debug)]
struct File {
    /// From the root, with forward slashes.
    path: String,
    text: String,
    source: lexer::Source,
}

/// Runs the command.
pub(crate) fn run(flags: &flags::Check, sh: &Shell) -> Result {
    let chosen = stages::choose(STAGES, &flags.stages, "check")?;
    if flags.list {
        chosen.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    }
    let tree = Tree::load(Workspace::load(sh)?)?;
    let mut stages = Stages::default();
    for (name, stage) in chosen {
        stages.run(name, || stage(sh, &tree));
    }
    stages.finish()
}

impl Tree {
    fn load(workspace: Workspace) -> Result<Self> {
        let mut files = Vec::new();
        for path in tree::all(&workspace.root)? {
            let relative: PathBuf = workspace.relative(&path).components().collect();
            let relative = relative.to_string_lossy().replace('\\', "/");
            // What is not text, the checks have nothing to say about.
            let Ok(text) = String::from_utf8(fs::read(&path)?) else { continue };
            files.push(File::new(relative, text));
        }
        Ok(Self { workspace, files })
    }

    /// Rust sources, tests and benchmarks of the whole repository.
    fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|it| it.path.ends_with(".rs"))
    }

    /// Rust sources of the shipped crates, without their tests folders.
    fn library(&self) -> impl Iterator<Item = &File> {
        self.rust().filter(|it| it.is_library())
    }
}

impl File {
    fn new(path: String, text: String) -> Self {
        let code = if path.ends_with(".rs") { text.as_str() } else { "" };
        let source = lexer::Source::new(code);
        Self { path, text, source }
    }

    fn is_library(&self) -> bool {
        let mut parts = self.path.split('/');
        let crates = parts.next() == Some("crates") && parts.nth(1) == Some("src");
        crates && !tree::is_unit_test(&self.path)
    }

    /// A finding in line `index`, counted from nothing.
    fn at(&self, index: usize, what: impl core::fmt::Display) -> String {
        format!("{}:{}: {what}", self.path, index + 1)
    }
}

/// A file for unit tests.
#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File::new(path.to_owned(), text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_told_from_its_tests() {
        let library = |path| file(path, "").is_library();
        assert!(library("crates/a/src/lib.rs") && library("crates/a/src/b/c.rs"));
        assert!(!library("crates/a/tests/loom.rs") && !library("crates/a/src/b/tests.rs"));
        assert!(!library("xtask/src/main.rs") && !library("crates/a/src/tests/b.rs"));
    }
}
