//! The lines of a public surface, and how two of them differ.

use std::collections::HashSet;

/// Auto traits that the standard library keeps to itself: no user can ask for them, and each new
/// compiler may bring another.
const UNSTABLE: [&str; 2] = ["core::marker::Freeze", "core::marker::UnsafeUnpin"];

/// Starts the lines of a committed text that are not part of the surface.
const COMMENT: &str = "# ";

/// What a user of a crate can name, a line for each.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Surface(Vec<String>);

impl Surface {
    /// What the reader printed; a line that stands there twice is kept once.
    pub(super) fn printed(text: &str) -> Self {
        let mut seen = HashSet::new();
        let lines = text.lines().filter(|line| stable(line) && seen.insert(*line));
        Self(lines.map(str::to_owned).collect())
    }

    /// What was committed.
    pub(super) fn committed(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with(COMMENT) && !line.is_empty());
        Self(lines.map(str::to_owned).collect())
    }

    /// The text to commit.
    pub(super) fn text(&self, name: &str) -> String {
        let mut text = format!(
            "{COMMENT}Public surface of {name} with all features but `loom`.\n\
             {COMMENT}`cargo xtask api` compares, `cargo xtask api --bless` renews.\n\n"
        );
        self.0.iter().for_each(|line| text += &format!("{line}\n"));
        text
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Lines that go, with a minus, then those that come, with a plus. The order of lines means
    /// nothing to a user.
    pub(super) fn changes(&self, new: &Self) -> Vec<String> {
        let lines = |it: &Self| it.0.iter().cloned().collect::<HashSet<_>>();
        let (old_lines, new_lines) = (lines(self), lines(new));
        let gone = self.0.iter().filter(|it| !new_lines.contains(*it)).map(|it| format!("-{it}"));
        let come = new.0.iter().filter(|it| !old_lines.contains(*it)).map(|it| format!("+{it}"));
        gone.chain(come).collect()
    }
}

fn stable(line: &str) -> bool {
    !UNSTABLE.iter().any(|it| line.contains(&format!("{it} for ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "pub mod a\nimpl a::B\npub fn a::B::c(&self)\nimpl a::B\n\
                           impl core::marker::Send for a::B\nimpl core::marker::Freeze for a::B\n\
                           impl !core::marker::UnsafeUnpin for a::B\n";

    #[test]
    fn a_surface_is_committed_and_read_back() {
        let surface = Surface::printed(PRINTED);
        assert_eq!(surface.len(), 4);
        assert_eq!(Surface::committed(&surface.text("selvedge-a")), surface);
        assert!(surface.text("selvedge-a").starts_with("# Public surface of selvedge-a with"));
    }

    #[test]
    fn changes_are_told_line_by_line() {
        let old = Surface::printed(PRINTED);
        let new = Surface::printed(
            &PRINTED.replace("Send for", "Sync for").replace("&self", "&mut self"),
        );
        assert_eq!(
            old.changes(&new),
            [
                "-pub fn a::B::c(&self)",
                "-impl core::marker::Send for a::B",
                "+pub fn a::B::c(&mut self)",
                "+impl core::marker::Sync for a::B",
            ]
        );
        let mut turned = Surface::printed(PRINTED);
        turned.0.reverse();
        assert!(old.changes(&turned).is_empty());
    }
}
