//! Comment tags of the shipped crates: `SAFETY:` per unsafe operation, `ORDERING:` per ordering
//! that is more than relaxed.

use crate::{
    error::Result,
    lexer::Line,
    orderings::{is_strong, words},
    stages::{Outcome, verdict},
};

use super::{File, Tree};

const SAFETY: &str = "SAFETY:";
const ORDERING: &str = "ORDERING:";

/// Lines of code between a safety note and what it is about.
const SAFETY_REACH: usize = 3;

/// Lines of code between an ordering note and what it is about.
const ORDERING_REACH: usize = 8;

/// Checks the sources of the shipped crates, their unit tests left out.
pub(super) fn check(tree: &Tree) -> Result<Outcome> {
    let sites = |of: fn(&File) -> Vec<usize>| tree.library().map(|it| of(it).len()).sum::<usize>();
    println!("{} unsafe sites, {} strong orderings", sites(unsafe_sites), sites(strong_sites));
    let findings = tree.library().flat_map(|it| safety(it).into_iter().chain(ordering(it)));
    verdict(&findings.collect::<Vec<_>>())
}

fn safety(file: &File) -> Vec<String> {
    let what = "unsafe code without a `// SAFETY:` comment above";
    without(file, unsafe_sites(file), SAFETY, SAFETY_REACH, what)
}

fn ordering(file: &File) -> Vec<String> {
    let what = "an ordering without an `// ORDERING:` comment above";
    without(file, strong_sites(file), ORDERING, ORDERING_REACH, what)
}

/// Findings at the sites that have no note.
fn without(file: &File, sites: Vec<usize>, tag: &str, reach: usize, what: &str) -> Vec<String> {
    let bare = |i: &usize| !noted(&file.source.lines, *i, tag, reach);
    sites.into_iter().filter(bare).map(|i| file.at(i, what)).collect()
}

fn unsafe_sites(file: &File) -> Vec<usize> {
    let lines = &file.source.lines;
    code_lines(lines).filter(|i| is_unsafe(&lines[*i].code)).collect()
}

fn strong_sites(file: &File) -> Vec<usize> {
    let lines = &file.source.lines;
    code_lines(lines).filter(|i| is_strong(lines, *i)).collect()
}

/// Lines outside unit tests.
fn code_lines(lines: &[Line]) -> impl Iterator<Item = usize> {
    (0..lines.len()).filter(|i| !lines[*i].test)
}

/// Whether a line opens an unsafe block or implementation.
fn is_unsafe(code: &str) -> bool {
    let words: Vec<_> = words(code).collect();
    let opens = |at: usize| matches!(words.get(at + 1), None | Some(&"{" | &"impl"));
    (0..words.len()).any(|at| words[at] == "unsafe" && opens(at))
}

/// Whether a comment with `tag` stands in line `i` or above it, with fewer than `reach` lines of
/// code in between, and inside the same function.
fn noted(lines: &[Line], i: usize, tag: &str, reach: usize) -> bool {
    if lines[i].comment.contains(tag) {
        return true;
    }
    let mut passed = usize::from(starts_function(&lines[i].code)) * reach;
    for line in lines[..i].iter().rev() {
        if line.comment.contains(tag) {
            return true;
        }
        let code = line.code.trim();
        if code.is_empty() || code.starts_with("#[") {
            continue;
        }
        passed += 1;
        if passed >= reach || starts_function(code) || code == "}" {
            return false;
        }
    }
    false
}

fn starts_function(code: &str) -> bool {
    words(code).any(|word| word == "fn")
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn findings(check: fn(&File) -> Vec<String>, text: &str) -> Vec<String> {
        check(&file("a.rs", text))
    }

    #[test]
    fn unsafe_code_needs_a_safety_note() {
        assert_eq!(findings(safety, "fn a() {\n    unsafe { b() }\n}\n").len(), 1);
        assert_eq!(findings(safety, "unsafe impl Send for A {}\n").len(), 1);
        assert_eq!(findings(safety, "unsafe fn a() { unsafe { b() } }\n").len(), 1);
        for noted in [
            "// SAFETY: b is sound,\n// and c too.\nunsafe { b() }\n",
            "// SAFETY: yes.\n#[x]\nunsafe impl Send for A {}\n",
            "// SAFETY: yes.\nlet a =\n    unsafe { b() };\n",
            "unsafe { b() } // SAFETY: yes.\n",
        ] {
            assert!(findings(safety, noted).is_empty(), "{noted}");
        }
    }

    #[test]
    fn a_safety_note_is_near_and_not_for_another() {
        let far = "// SAFETY: yes.\na();\nb();\nc();\nunsafe { d() }\n";
        assert_eq!(findings(safety, far).len(), 1);
        let other = "fn a() {\n// SAFETY: yes.\nb()\n}\nfn c() { unsafe { d() } }\n";
        assert_eq!(findings(safety, other).len(), 1);
    }

    #[test]
    fn what_is_no_unsafe_operation_needs_no_note() {
        for text in [
            "unsafe fn a() {}\n",
            "unsafe extern \"C\" {}\n",
            "/// unsafe { a() }\nfn b() {}\n",
            "let a = \"unsafe { }\";\n",
            "#[cfg(test)]\nmod tests {\n    fn a() { unsafe { b() } }\n}\n",
        ] {
            assert!(findings(safety, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_strong_ordering_needs_an_ordering_note() {
        assert_eq!(findings(ordering, "a.load(Ordering::Acquire);\n").len(), 1);
        assert_eq!(findings(ordering, "fn a() {\n    b.swap(1, AcqRel);\n}\n").len(), 1);
        let chain = "// ORDERING: pairs with `wake`.\nlet a = b\n    .compare_exchange(\n    x,\n    \
                     y,\n    AcqRel,\n    Acquire,\n    );\n";
        assert!(findings(ordering, chain).is_empty());
    }

    #[test]
    fn relaxed_imports_documents_and_tests_need_no_ordering_note() {
        for text in [
            "a.load(Ordering::Relaxed);\n",
            "use core::sync::atomic::Ordering::{self, Acquire};\n",
            "pub(crate) use a::{\n    Ordering::{\n        Acquire,\n        Release,\n    },\n};\n",
            "/// `Ordering::Acquire`\nfn a() {}\n",
            "#[cfg(test)]\nmod tests {\n    fn a() { b.load(SeqCst); }\n}\n",
        ] {
            assert!(findings(ordering, text).is_empty(), "{text}");
        }
    }
}
