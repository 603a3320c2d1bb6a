//! A copy of the tree whose orderings are chosen when a model runs, so that the tree itself is never
//! touched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use xshell::Shell;

use crate::{
    error::Result,
    loom::{
        model::Model,
        setup::{Setup, list},
        weaken::{Weakening, of_package, sites::rewrite},
    },
    tree,
    workspace::{Package, Workspace},
};

/// Tells a model the number of the weakening that is on.
pub(crate) const VARIABLE: &str = "SELVEDGE_WEAKENED";

/// What a rewritten site asks; the façade answers, for every crate sees it.
const CHOSEN: &str = "::selvedge_sync::weakened()";

/// The crate that answers, and what its root gets for that in the copy.
const FACADE: &str = "selvedge-sync";
const ANSWER: &str = "
extern crate self as selvedge_sync;

#[doc(hidden)]
pub fn weakened() -> usize {
    static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let number = || std::env::var(\"SELVEDGE_WEAKENED\").ok()?.parse().ok();
    *NUMBER.get_or_init(|| number().unwrap_or(usize::MAX))
}
";

/// The models of the copy, and the numbers of its weakenings.
#[derive(Debug)]
pub(crate) struct Scratch {
    numbers: Vec<(String, Weakening)>,
    pub(crate) models: Vec<Model>,
}

impl Scratch {
    /// Brings the copy below the target folder up to date, and builds the models of `packages`.
    pub(crate) fn build(
        workspace: &Workspace,
        packages: &[&Package],
        setup: &Setup,
    ) -> Result<Self> {
        let folder = setup.target_dir.join("scratch");
        let mut numbers = Vec::new();
        for package in workspace.shipped() {
            let found = of_package(package)?.into_iter();
            numbers.extend(found.map(|it| (package.name.clone(), it)));
        }
        mirror(&workspace.root, &folder, |path, text| edit(workspace, &numbers, path, text))?;
        let sh = Shell::new()?;
        sh.change_dir(&folder);
        let copy = Workspace::load(&sh)?;
        let copies = copy.shipped().filter(|it| packages.iter().any(|of| of.name == it.name));
        let copies: Vec<_> = copies.collect();
        // cargo knows a member by its place in the workspace, so the copy's would pass for the tree's own.
        let cargo = setup.apart("weakened").cargo(&sh, &copies).quiet();
        let models = list(cargo.arg("--quiet"), &copies, "loom")?;
        Ok(Self { numbers, models })
    }

    /// The number that turns a weakening on.
    pub(crate) fn number(&self, package: &str, weakening: &Weakening) -> Option<usize> {
        self.numbers.iter().position(|(of, it)| of == package && it == weakening)
    }

    /// The models of `package`, canaries left out.
    pub(crate) fn models_of(&self, package: &str) -> impl Iterator<Item = &Model> {
        self.models.iter().filter(move |it| it.package == package && !it.is_canary())
    }
}

/// What the copy of a file holds.
fn edit(workspace: &Workspace, all: &[(String, Weakening)], path: &Path, text: String) -> String {
    let owner = workspace.shipped().find(|it| path.starts_with(workspace.relative(it.dir())));
    let Some(package) = owner else { return text };
    let file = path.strip_prefix(workspace.relative(package.dir())).unwrap_or(path);
    let file = file.to_string_lossy().replace('\\', "/");
    let here =
        all.iter().enumerate().filter(|(_, (of, it))| *of == package.name && it.file == file);
    let here: Vec<_> = here.map(|(number, (_, it))| (number, it)).collect();
    let mut text = rewrite(&text, CHOSEN, &here);
    if package.name == FACADE && file == "src/lib.rs" {
        text += ANSWER;
    }
    text
}

/// Makes the files below `to` those below `from`, with `edit` applied to text; files that are equal
/// are left alone, so that cargo builds them once.
fn mirror(from: &Path, to: &Path, edit: impl Fn(&Path, String) -> String) -> Result {
    let relative = |root: &Path, files: Vec<PathBuf>| -> Vec<PathBuf> {
        files.iter().filter_map(|it| it.strip_prefix(root).ok()).map(Path::to_owned).collect()
    };
    let wanted = relative(from, tree::all(from)?);
    for stale in relative(to, tree::all(to)?).iter().filter(|it| !wanted.contains(it)) {
        fs::remove_file(to.join(stale))?;
    }
    for file in &wanted {
        let bytes = match String::from_utf8(fs::read(from.join(file))?) {
            Ok(text) => edit(file, text).into_bytes(),
            Err(error) => error.into_bytes(),
        };
        let copy = to.join(file);
        if fs::read(&copy).is_ok_and(|it| it == bytes) {
            continue;
        }
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(copy, bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_reads_the_variable_that_the_models_are_given() {
        assert!(ANSWER.contains(VARIABLE));
    }

    #[test]
    fn a_mirror_holds_the_edited_files_and_keeps_the_age_of_equal_ones() {
        let root = std::env::temp_dir().join(format!("selvedge-mirror-{}", std::process::id()));
        let (from, to) = (root.join("from"), root.join("to"));
        for folder in ["from/a", "to"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(from.join("a/b.rs"), "b").unwrap();
        fs::write(from.join("c.rs"), "c").unwrap();
        fs::write(to.join("stale.rs"), "d").unwrap();
        let edit = |_: &Path, text: String| text.replace('b', "edited");
        mirror(&from, &to, edit).unwrap();
        let age = || fs::metadata(to.join("c.rs")).unwrap().modified().unwrap();
        let first = age();
        fs::write(to.join("a/b.rs"), "changed").unwrap();
        mirror(&from, &to, edit).unwrap();
        assert_eq!(fs::read_to_string(to.join("a/b.rs")).unwrap(), "edited");
        assert!(!to.join("stale.rs").exists());
        assert_eq!(age(), first);
        fs::remove_dir_all(root).unwrap();
    }
}
