//! `cargo xtask`: every task of the workspace, one file or folder per command.
//!
//! Commands return [`error::Error`]: a usage error ends with exit code 2, any other failure with 1.

mod api;
mod bench;
mod check;
mod error;
mod flags;
mod icount;
mod lexer;
mod loom;
mod miri;
mod nightly;
mod orderings;
mod package;
mod parallel;
mod process;
mod random;
mod rustflags;
mod sanitize;
mod shuttle;
mod stages;
mod test;
mod tree;
mod web;
mod workspace;

use std::process::ExitCode;

use xshell::Shell;

use crate::{
    error::Result,
    flags::{Xtask, XtaskCmd},
};

fn main() -> ExitCode {
    if let Some(exit) = loom::wrapper::intercept() {
        return exit;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

fn run() -> Result {
    let Some(flags) = Xtask::from_args()? else { return Ok(()) };
    let sh = Shell::new()?;
    match flags.subcommand {
        XtaskCmd::Api(flags) => api::run(&flags, &sh),
        XtaskCmd::Bench(flags) => bench::run(&flags, &sh),
        XtaskCmd::Check(flags) => check::run(&flags, &sh),
        XtaskCmd::Icount(flags) => icount::run(&flags, &sh),
        XtaskCmd::Loom(flags) => loom::run(&flags, &sh),
        XtaskCmd::Miri(flags) => miri::run(&flags, &sh),
        XtaskCmd::Shuttle(flags) => shuttle::run(&flags, &sh),
        XtaskCmd::Package(flags) => package::run(&flags, &sh),
        XtaskCmd::Sanitize(flags) => sanitize::run(&flags, &sh),
        XtaskCmd::Test(flags) => test::run(&flags, &sh),
        XtaskCmd::Web(flags) => web::run(&flags, &sh),
        // Printed while the arguments were parsed.
        XtaskCmd::Help(_) => Ok(()),
    }
}
