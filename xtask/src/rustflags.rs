//! What a command adds to the flags of the compiler and of rustdoc which the user has set.

use std::env;

use xshell::Cmd;

/// Adds `flags` to the compiler flags of `cargo`.
pub(crate) fn with_flags<'a>(cargo: Cmd<'a>, flags: &[&str]) -> Cmd<'a> {
    let var = |name| env::var(name).ok();
    let (name, value) = rustflags(flags, var("CARGO_ENCODED_RUSTFLAGS"), var("RUSTFLAGS"));
    cargo.env(name, value)
}

/// The variable to set and its value; the encoded one hides the plain one from cargo.
fn rustflags(
    flags: &[&str],
    encoded: Option<String>,
    plain: Option<String>,
) -> (&'static str, String) {
    let (name, separator, own) = match encoded {
        Some(own) => ("CARGO_ENCODED_RUSTFLAGS", "\u{1f}", own),
        None => ("RUSTFLAGS", " ", plain.unwrap_or_default()),
    };
    let flags = flags.join(separator);
    (name, if own.is_empty() { flags } else { format!("{own}{separator}{flags}") })
}

/// Makes warnings of rustdoc errors.
pub(crate) fn without_doc_warnings(cargo: Cmd<'_>) -> Cmd<'_> {
    let own = env::var("RUSTDOCFLAGS").unwrap_or_default();
    cargo.env("RUSTDOCFLAGS", format!("{own} -D warnings").trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_user_are_kept() {
        let some = |text: &str| Some(text.to_owned());
        let flags = ["--cfg", "a"];
        assert_eq!(rustflags(&flags, None, None), ("RUSTFLAGS", "--cfg a".to_owned()));
        assert_eq!(rustflags(&flags, None, some("-C x")), ("RUSTFLAGS", "-C x --cfg a".to_owned()));
        let encoded = ("CARGO_ENCODED_RUSTFLAGS", "-C\u{1f}x\u{1f}--cfg\u{1f}a".to_owned());
        assert_eq!(rustflags(&flags, some("-C\u{1f}x"), some("ignored")), encoded);
    }
}
