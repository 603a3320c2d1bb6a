//! Nothing goes around the façade: atomics, the cell and parking come from `selvedge-sync`.

use crate::{
    error::Result,
    stages::{Outcome, verdict},
};

use super::{File, Tree};

/// The crate that may name what the others must not.
const FACADE: &str = "crates/sync/";

/// Paths that only the façade names, and what to take instead.
const BANNED: [(&str, &str); 5] = [
    ("sync::atomic", "selvedge_sync::atomic"),
    ("cell::UnsafeCell", "selvedge_sync::cell::UnsafeCell"),
    ("thread::park", "selvedge_sync::thread::Parker"),
    ("thread::park_timeout", "selvedge_sync::thread::Parker"),
    ("thread::spawn", "selvedge_sync::thread::spawn"),
];

/// Checks the sources of the other shipped crates, their unit tests left out.
pub(super) fn check(tree: &Tree) -> Result<Outcome> {
    let others = tree.library().filter(|it| !it.path.starts_with(FACADE));
    verdict(&others.flat_map(findings).collect::<Vec<_>>())
}

fn findings(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    let mut declaration: Option<(usize, String)> = None;
    for (i, line) in file.source.lines.iter().enumerate().filter(|(_, line)| !line.test) {
        let code = line.code.trim();
        let starts = code.starts_with("use ") || code.contains(" use ");
        match &mut declaration {
            Some((_, text)) => *text += code,
            None if starts => declaration = Some((i, code.to_owned())),
            None => found.extend(inline(code).map(|instead| complaint(file, i, instead))),
        }
        if code.contains(';') {
            if let Some((start, text)) = declaration.take() {
                let banned = imported(&text).into_iter().filter_map(|path| banned(&path));
                found.extend(banned.map(|instead| complaint(file, start, instead)));
            }
        }
    }
    found
}

fn complaint(file: &File, i: usize, instead: &str) -> String {
    file.at(i, format_args!("loom cannot see this; take `{instead}`"))
}

/// What to take instead of a banned path that a line of code spells out.
fn inline(code: &str) -> Option<&'static str> {
    let from = |root: &str| code.match_indices(root).map(|(at, _)| &code[at..]).collect::<Vec<_>>();
    let paths = ["core::", "std::"].into_iter().flat_map(from);
    paths
        .filter_map(|rest| {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
            banned(&rest[..end.unwrap_or(rest.len())])
        })
        .next()
}

/// What to take instead of `path`, if only the façade may name it.
fn banned(path: &str) -> Option<&'static str> {
    let path = path.trim_start_matches("::");
    let path = path.strip_prefix("core::").or_else(|| path.strip_prefix("std::"))?;
    let within =
        |ban: &str| path.strip_prefix(ban).is_some_and(|it| it.is_empty() || it.starts_with("::"));
    BANNED.iter().find(|(ban, _)| within(ban)).map(|(_, instead)| *instead)
}

/// Every path that a `use` declaration imports.
fn imported(declaration: &str) -> Vec<String> {
    let tree = declaration.rsplit_once("use ").map_or("", |(_, tree)| tree);
    let tree: String = tree.chars().filter(|c| !c.is_whitespace()).collect();
    let mut paths = Vec::new();
    expand("", tree.trim_end_matches(';'), &mut paths);
    paths
}

/// Adds the paths of a `use` tree, each below `prefix`.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((head, group)) = tree.split_once('{') else {
        let path = format!("{prefix}{tree}");
        paths.push(path.trim_end_matches("::self").to_owned());
        return;
    };
    let prefix = format!("{prefix}{head}");
    for part in split(group.trim_end_matches(',').strip_suffix('}').unwrap_or(group)) {
        expand(&prefix, part, paths);
    }
}

/// Splits at the commas outside of braces.
fn split(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&group[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[start..]);
    parts.retain(|it| !it.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn use_trees_are_expanded() {
        let tree = "pub(crate) use core::{\n    cell::{Cell, UnsafeCell},\n    sync::atomic::{self, \
                    Ordering},\n    fmt,\n};";
        assert_eq!(
            imported(tree),
            [
                "core::cell::Cell",
                "core::cell::UnsafeCell",
                "core::sync::atomic",
                "core::sync::atomic::Ordering",
                "core::fmt",
            ]
        );
    }

    #[test]
    fn ways_around_the_facade_are_found() {
        for text in [
            "use core::sync::atomic::AtomicBool;\n",
            "use std::{\n    cell::UnsafeCell,\n    fmt,\n};\n",
            "use ::core::sync::atomic;\n",
            "fn a() { std::thread::park(); }\n",
            "static A: core::sync::atomic::AtomicUsize = b();\n",
        ] {
            assert_eq!(findings(&file("crates/a/src/lib.rs", text)).len(), 1, "{text}");
        }
    }

    #[test]
    fn the_facade_itself_and_unit_tests_are_free() {
        for text in [
            "use selvedge_sync::{atomic::AtomicBool, cell::UnsafeCell};\n",
            "use core::cell::Cell;\n",
            "use std::thread::{self, Thread};\n",
            "// core::sync::atomic\n",
            "#[cfg(test)]\nmod tests {\n    use core::sync::atomic::AtomicBool;\n}\n",
        ] {
            assert!(findings(&file("crates/a/src/lib.rs", text)).is_empty(), "{text}");
        }
    }
}
