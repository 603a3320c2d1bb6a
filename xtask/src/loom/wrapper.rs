//! Compiles one mutant in: xtask stands in for the compiler of the workspace's own crates.
//!
//! Were the mutant's cfg among the ordinary compiler flags, cargo would build every dependency
//! anew for each mutant. As the workspace's compiler wrapper it reaches our crates alone. Cargo
//! tells wrappers apart by their path, so each mutant gets a copy of xtask under its own name.

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use xshell::Cmd;

use crate::{error::Result, loom::mutants::CFG};

/// Names the mutant to the wrapper.
const VARIABLE: &str = "SELVEDGE_MUTANT";

/// Makes `cargo` compile the mutant `name` in, through a wrapper kept in `dir`.
pub(crate) fn apply<'a>(cargo: Cmd<'a>, name: &str, dir: &Path) -> Result<Cmd<'a>> {
    let wrapper = install(name, dir)?;
    Ok(cargo.env("RUSTC_WORKSPACE_WRAPPER", wrapper).env(VARIABLE, name))
}

/// Acts as the compiler if cargo has called us as one.
pub(crate) fn intercept() -> Option<ExitCode> {
    let mutant = env::var(VARIABLE).ok()?;
    let mut args = env::args_os().skip(1);
    let compiler = args.next()?;
    let args: Vec<_> = args.collect();
    let mut command = Command::new(compiler);
    command.args(&args).args(cfg(&args, &mutant));
    match command.status() {
        Ok(status) => Some(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        Err(error) => {
            eprintln!("error: cannot start the compiler: {error}");
            Some(ExitCode::FAILURE)
        }
    }
}

/// What a compilation gets, and cargo's questions about the compiler do not: the cfg, and silence
/// about what the mutant leaves unused.
fn cfg(args: &[OsString], mutant: &str) -> Vec<String> {
    let at = args.iter().position(|arg| arg == "--crate-name");
    match at.and_then(|at| args.get(at + 1)) {
        Some(name) if name != "___" => {
            let cfg = format!("{CFG}=\"{mutant}\"");
            ["--cfg", &cfg, "--cap-lints", "allow"].map(str::to_owned).into()
        }
        _ => Vec::new(),
    }
}

/// Puts this executable into `dir` under the name of the mutant.
fn install(name: &str, dir: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let (own, wrapper) = (env::current_exe()?, dir.join(name));
    let _ = fs::remove_file(&wrapper);
    if fs::hard_link(&own, &wrapper).is_err() {
        fs::copy(&own, &wrapper)?;
    }
    Ok(wrapper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_compilation_gets_the_cfg() {
        let args = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let compile = args(&["--crate-name", "selvedge_a", "src/lib.rs"]);
        assert_eq!(cfg(&compile, "m")[..2], ["--cfg", "selvedge_mutant=\"m\""]);
        assert!(cfg(&args(&["-vV"]), "m").is_empty());
        assert!(cfg(&args(&["-", "--crate-name", "___"]), "m").is_empty());
    }
}
