//! Memory orderings that are more than relaxed, as a source spells them.

use crate::lexer::Line;

/// Orderings that need a note, and a model that fails without them.
pub(crate) const STRONG: [&str; 4] = ["Acquire", "Release", "AcqRel", "SeqCst"];

/// Whether a line names a strong ordering, other than to import or to re-export it.
pub(crate) fn is_strong(lines: &[Line], i: usize) -> bool {
    let strong = words(&lines[i].code).any(|word| STRONG.contains(&word));
    strong && !in_use(lines, i)
}

/// Whether a line belongs to a `use` declaration.
fn in_use(lines: &[Line], i: usize) -> bool {
    let start = (0..=i).rev().take_while(|at| *at == i || !lines[*at].code.contains(';'));
    start.map(|at| words(&lines[at].code)).any(|mut it| {
        let first = it.find(|word| *word != "pub" && *word != "crate" && !"()".contains(*word));
        first == Some("use")
    })
}

/// Identifiers, and every other character by itself.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = code;
    core::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (head, tail) = rest.split_at(end);
        rest = tail;
        Some(head)
    })
}
