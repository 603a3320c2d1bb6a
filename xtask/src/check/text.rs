//! Lengths, headers, white space, and words that mark unfinished work.

use crate::{
    error::Result,
    stages::{Outcome, verdict},
};

use super::{File, Tree};

/// Lines of a Rust file above which there is a warning.
const LONG: usize = 400;

/// Lines of a Rust file above which the check fails.
const TOO_LONG: usize = 600;

/// What must not stay in code, in two parts so that this file does not hold it.
const UNFINISHED: [(&str, &str); 4] =
    [("todo", "!"), ("unimplemented", "!"), ("dbg", "!"), ("#[ignore", "")];

/// What must not stay in comments or texts: notes to oneself, and the borders of a conflict.
const MARKS: [(&str, &str); 4] = [("FIX", "ME"), ("XX", "X"), ("<<<<", "<<< "), (">>>>", ">>> ")];

/// Texts by their extension; all of them are looked at for white space.
const TEXTS: [&str; 8] = ["rs", "md", "toml", "yml", "txt", "json", "svg", "sh"];

/// Checks every file, and prints warnings.
pub(super) fn check(tree: &Tree) -> Result<Outcome> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|it| is_text(&it.path)) {
        findings.extend(white_space(file));
        findings.extend(marks(file));
    }
    for file in tree.rust() {
        findings.extend(too_long(file));
        findings.extend(unfinished(file));
        findings.extend(header(file));
        if let lines @ LONG.. = file.text.lines().count() {
            println!("warning: {}: {lines} lines; {LONG} are enough", file.path);
        }
    }
    verdict(&findings)
}

fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_none_or(|(_, extension)| TEXTS.contains(&extension))
}

fn too_long(file: &File) -> Option<String> {
    let lines = file.text.lines().count();
    (lines > TOO_LONG).then(|| format!("{}: {lines} lines; the limit is {TOO_LONG}", file.path))
}

/// The first comment of a module says what it is; a crate may include its README instead.
fn header(file: &File) -> Option<String> {
    let mut lines = file.text.lines().map(str::trim).filter(|it| !it.is_empty());
    let headed = lines
        .find(|it| !it.starts_with("#![cfg"))
        .is_some_and(|it| it.starts_with("//!") || it.starts_with("#![doc = include_str!"));
    (!headed).then(|| file.at(0, "the file does not start with a `//!` header"))
}

fn white_space(file: &File) -> Vec<String> {
    // Two spaces at the end of a Markdown line are a line break, and are still not wanted.
    let trailing = |(i, line): (usize, &str)| {
        line.ends_with([' ', '\t', '\r']).then(|| file.at(i, "trailing white space"))
    };
    let mut found: Vec<_> = file.text.lines().enumerate().filter_map(trailing).collect();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        found.push(format!("{}: no new line at the end", file.path));
    }
    found
}

fn unfinished(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for (i, line) in file.source.lines.iter().enumerate() {
        for (word, end) in UNFINISHED {
            let word = format!("{word}{end}");
            if line.code.match_indices(&word).any(|(at, _)| starts_word(&line.code, at)) {
                found.push(file.at(i, format_args!("`{word}` is unfinished work")));
            }
        }
    }
    found
}

fn starts_word(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn marks(file: &File) -> Vec<String> {
    let marks = MARKS.map(|(start, end)| format!("{start}{end}"));
    let marked = |(i, line): (usize, &str)| {
        let mark = marks.iter().find(|mark| line.contains(mark.as_str()))?;
        Some(file.at(i, format_args!("`{mark}` is unfinished work")))
    };
    file.text.lines().enumerate().filter_map(marked).collect()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn a_file_has_a_limit() {
        assert!(too_long(&file("a.rs", &"x\n".repeat(TOO_LONG))).is_none());
        assert!(too_long(&file("a.rs", &"x\n".repeat(TOO_LONG + 1))).is_some());
    }

    #[test]
    fn a_module_starts_with_a_header() {
        let headed = |text| header(&file("a.rs", text)).is_none();
        assert!(headed("//! What.\n") && headed("#![cfg(x)]\n//! What.\n"));
        assert!(headed("#![doc = include_str!(\"../README.md\")]\n"));
        assert!(!headed("use a;\n") && !headed("// what\n") && !headed(""));
    }

    #[test]
    fn white_space_at_ends_is_found() {
        assert_eq!(white_space(&file("a.md", "a\nb \n")), ["a.md:2: trailing white space"]);
        assert_eq!(white_space(&file("a.md", "a")), ["a.md: no new line at the end"]);
        assert!(white_space(&file("a.md", "")).is_empty());
    }

    #[test]
    fn unfinished_work_is_found_in_code() {
        let text = ["a(", "to", "do!())"].concat();
        assert_eq!(unfinished(&file("a.rs", &text)).len(), 1);
        let text = ["// to", "do!\nmy_to", "do!(); \"to", "do!\""].concat();
        assert!(unfinished(&file("a.rs", &text)).is_empty());
        for text in [["// FIX", "ME\n"], ["<<<<", "<<< HEAD\n"]] {
            assert_eq!(marks(&file("a.md", &text.concat())).len(), 1);
        }
    }

    #[test]
    fn texts_are_known_by_their_names() {
        assert!(is_text("a/b.rs") && is_text(".ci/run") && is_text("LICENSE-MIT"));
        assert!(!is_text("a/b.png"));
    }
}
