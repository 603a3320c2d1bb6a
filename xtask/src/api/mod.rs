//! `api`: the public surface of each shipped crate as a committed text.
//!
//! Whatever a user can name stands in `api.txt` beside the manifest, auto traits included, so that
//! a change of it is seen in review. Types of other crates that stand there bind our major
//! versions to theirs; each has its line and its reason in `foreign.rs`.

mod foreign;
mod rustdoc;
mod surface;

use std::fs;

use xshell::Shell;

use self::{rustdoc::Reader, surface::Surface};
use crate::{
    error::{Error, Result},
    flags,
    stages::{Outcome, Stages},
    workspace::{Package, Workspace},
};

/// The committed text, beside the manifest.
const FILE: &str = "api.txt";

/// Runs the command.
pub(crate) fn run(flags: &flags::Api, sh: &Shell) -> Result {
    let workspace = Workspace::load(sh)?;
    let packages = workspace.select(flags.package.as_deref())?;
    if let Some(without) = packages.iter().find(|it| !it.shipped) {
        return Err(Error::usage(format!(
            "{} is not published, so it has no surface",
            without.name
        )));
    }
    let toolchain = flags.toolchain.as_deref().unwrap_or("nightly");
    let reader = match Reader::new(sh, &workspace, toolchain)? {
        Ok(reader) => reader,
        Err(missing) => {
            println!("skipped: {missing}");
            return Ok(());
        }
    };
    let mut stages = Stages::default();
    for package in packages {
        stages.run(&package.name, || check(&reader, package, flags.bless));
    }
    stages.finish()
}

/// Compares a crate's surface with the committed text, or renews the text.
fn check(reader: &Reader<'_>, package: &Package, bless: bool) -> Result<Outcome> {
    let surface = match reader.read(package)? {
        Ok(surface) => surface,
        Err(other_format) => return Ok(Outcome::Skipped(other_format)),
    };
    let file = package.dir().join(FILE);
    let committed = fs::read_to_string(&file).ok().map(|it| Surface::committed(&it));
    if bless {
        fs::write(&file, surface.text(&package.name))?;
    }
    let changes = committed.as_ref().unwrap_or(&Surface::default()).changes(&surface);
    let mut complaints = foreign::findings(package.short_name(), &surface);
    if committed.is_none() && !bless {
        complaints.push(format!("there is no {FILE} of {} yet", package.name));
    } else {
        changes.iter().for_each(|it| println!("{it}"));
    }
    if !bless && !changes.is_empty() {
        let name = package.short_name();
        let accept = format!("`cargo xtask api -p {name} --bless` accepts what changed");
        complaints.push(format!("{} changed; {accept}", changes.len()));
    }
    println!("{} lines", surface.len());
    match complaints.is_empty() {
        true => Ok(Outcome::Passed),
        false => Err(Error::failed(complaints.join("\n"))),
    }
}
