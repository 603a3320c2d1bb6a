//! What a nightly toolchain offers, and how to get what it lacks.

use std::path::Path;

use xshell::{Cmd, Shell, cmd};

/// A part of a toolchain that is installed by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Component {
    Miri,
    RustSrc,
}

impl Component {
    /// Its name for rustup.
    const fn name(self) -> &'static str {
        match self {
            Self::Miri => "miri",
            Self::RustSrc => "rust-src",
        }
    }

    fn is_installed(self, sh: &Shell, toolchain: &str) -> bool {
        match self {
            Self::Miri => succeeds(cmd!(sh, "cargo +{toolchain} miri --version")),
            Self::RustSrc => {
                let sysroot = cmd!(sh, "rustc +{toolchain} --print sysroot").quiet().read();
                let library = |it: String| Path::new(&it).join("lib/rustlib/src/rust/library");
                sysroot.is_ok_and(|it| library(it).is_dir())
            }
        }
    }
}

/// The first thing of `toolchain` that is not installed, and how to install it.
pub(crate) fn missing(sh: &Shell, toolchain: &str, components: &[Component]) -> Option<String> {
    if !succeeds(cmd!(sh, "cargo +{toolchain} --version")) {
        let names: Vec<_> = components.iter().map(|it| it.name()).collect();
        return Some(without_toolchain(toolchain, &names.join(",")));
    }
    let missing = components.iter().find(|it| !it.is_installed(sh, toolchain))?;
    Some(without_component(toolchain, missing.name()))
}

fn succeeds(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

fn without_toolchain(toolchain: &str, components: &str) -> String {
    let with =
        if components.is_empty() { String::new() } else { format!(" --component {components}") };
    format!("{toolchain} is not installed; try `rustup toolchain install {toolchain}{with}`")
}

fn without_component(toolchain: &str, name: &str) -> String {
    format!("{name} is not installed; try `rustup component add {name} --toolchain {toolchain}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_advice() {
        assert_eq!(
            without_toolchain("nightly", ""),
            "nightly is not installed; try `rustup toolchain install nightly`"
        );
        assert!(
            without_toolchain("nightly", "miri,rust-src").ends_with("--component miri,rust-src`")
        );
        assert_eq!(
            without_component("nightly", "miri"),
            "miri is not installed; try `rustup component add miri --toolchain nightly`"
        );
    }
}
