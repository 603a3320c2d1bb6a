//! `package`: packs every shipped crate as it would be published, and builds what was packed.
//!
//! A crate that compiles here may still be broken for whoever downloads it: by a file that was
//! left out, or a sibling that is newer here than on the registry. So the packed files are
//! unpacked into a workspace of their own, whose crates see nothing of this one.

mod build;
mod contents;

use std::{fs, path::PathBuf};

use xshell::{Shell, cmd};

use self::contents::Forbidden;
use crate::{
    error::Result,
    flags,
    stages::{Outcome, Stages, verdict},
    tree,
    workspace::{Package, Workspace},
};

/// The first release 1.x of cargo that packs crates together with siblings that no registry has.
const CARGO: u32 = 90;

/// Runs the command.
pub(crate) fn run(_: &flags::Package, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    if let Some(missing) = missing(sh)? {
        println!("skipped: {missing}");
        return Ok(());
    }
    let packages = workspace.shipped_in_order();
    let packed = Packed::new(&workspace);
    let mut stages = Stages::default();
    stages.run("pack", || packed.pack(sh, &packages));
    stages.run("contents", || packed.check(&workspace, &packages));
    stages.run("build", || build::libraries(sh, &packed, &packages));
    stages.run("examples", || build::examples(sh, &packed, &packages));
    stages.run("docs", || build::docs(sh, &packed, &packages));
    stages.finish()
}

/// What the command needs and this machine lacks.
fn missing(sh: &Shell) -> Result<Option<String>> {
    let version = cmd!(sh, "cargo --version").quiet().read()?;
    let old = minor(&version).is_none_or(|it| it < CARGO);
    if old {
        return Ok(Some(format!("{version} is too old to pack siblings; 1.{CARGO} does")));
    }
    let tar = cmd!(sh, "tar --version").quiet().ignore_stdout().ignore_stderr().run();
    Ok(tar.is_err().then(|| "tar is not installed, and unpacks what was packed".to_owned()))
}

/// The `95` of `cargo 1.95.0 (..)`.
fn minor(version: &str) -> Option<u32> {
    version.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}

/// The packed crates, unpacked into a workspace.
#[derive(Debug)]
struct Packed {
    /// Where cargo puts the archives.
    archives: PathBuf,
    /// The workspace over the unpacked folders.
    root: PathBuf,
    /// The target folder of both: what the crates depend on is compiled already.
    target_dir: PathBuf,
    lockfile: PathBuf,
}

impl Packed {
    fn new(workspace: &Workspace) -> Self {
        Self {
            archives: workspace.target_dir.join("package"),
            root: workspace.target_dir.join("packed"),
            target_dir: workspace.target_dir.clone(),
            lockfile: workspace.root.join("Cargo.lock"),
        }
    }

    /// The folder that a package was unpacked to.
    fn folder(&self, package: &Package) -> PathBuf {
        self.root.join(folder(package))
    }

    /// Packs and unpacks.
    fn pack(&self, sh: &Shell, packages: &[&Package]) -> Result<Outcome> {
        let (names, dir) = (packages.iter().flat_map(|it| ["-p", &it.name]), &self.target_dir);
        let cargo = cmd!(sh, "cargo package --quiet --no-verify --allow-dirty --target-dir {dir}");
        cargo.args(names).run()?;
        sh.remove_path(&self.root)?;
        sh.create_dir(&self.root)?;
        for package in packages {
            let archive = self.archives.join(format!("{}.crate", folder(package)));
            let root = &self.root;
            // Files are as old as they are unpacked: archives give all the same age, and cargo
            // would take what it built of an earlier archive for up to date.
            cmd!(sh, "tar -xzmf {archive} -C {root}").quiet().run()?;
        }
        sh.write_file(self.root.join("Cargo.toml"), manifest(packages))?;
        // The same releases of everything else; cargo drops the entries that nobody needs.
        sh.copy_file(&self.lockfile, self.root.join("Cargo.lock"))?;
        Ok(Outcome::Passed)
    }

    /// Looks at the files of each package.
    fn check(&self, workspace: &Workspace, packages: &[&Package]) -> Result<Outcome> {
        let forbidden = Forbidden::of_this_machine(workspace);
        let mut findings = Vec::new();
        for package in packages {
            let (folder, mut files, mut size) = (self.folder(package), Vec::new(), 0);
            for path in tree::all(&folder)? {
                let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy();
                let name = name.replace('\\', "/");
                let bytes = fs::read(&path)?;
                size += bytes.len();
                findings.extend(forbidden.findings(package, &name, &bytes));
                files.push(name);
            }
            findings.extend(contents::findings(package, &files));
            println!("{:<24} {:>3} files, {:>4} KiB", package.name, files.len(), size / 1024);
        }
        verdict(&findings)
    }
}

/// Name and version, as cargo names archives and folders.
fn folder(package: &Package) -> String {
    format!("{}-{}", package.name, package.version)
}

/// The manifest of a workspace over the unpacked folders, which stand in for the registry.
fn manifest(packages: &[&Package]) -> String {
    let members: Vec<_> = packages.iter().map(|it| format!("{:?}", folder(it))).collect();
    let patches =
        packages.iter().map(|it| format!("{} = {{ path = {:?} }}\n", it.name, folder(it)));
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[patch.crates-io]\n{}",
        members.join(", "),
        patches.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_of_cargo_is_read() {
        assert_eq!(minor("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), Some(95));
        assert_eq!(minor("cargo 1.97.0-nightly (4d1f98451 2026-05-15)"), Some(97));
        assert_eq!(minor("something else"), None);
    }

    #[test]
    fn unpacked_folders_stand_in_for_the_registry() {
        let package =
            Package { name: "selvedge-a".into(), version: "0.1.0".into(), ..Package::default() };
        assert_eq!(
            manifest(&[&package]),
            "[workspace]\nresolver = \"3\"\nmembers = [\"selvedge-a-0.1.0\"]\n\n\
             [patch.crates-io]\nselvedge-a = { path = \"selvedge-a-0.1.0\" }\n"
        );
    }
}
