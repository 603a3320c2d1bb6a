//! Where the strong orderings of a crate stand, and the sources that choose among them when they run.

use std::{collections::BTreeMap, fs};

use crate::{
    error::Result,
    lexer::Source,
    loom::weaken::operation::{Operation, path_before},
    orderings::{STRONG, is_strong},
    tree,
    workspace::Package,
};

/// One step down at one site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weakening {
    /// From the folder of the package, with forward slashes.
    pub(crate) file: String,
    /// Counted from one.
    pub(crate) line: usize,
    function: String,
    /// How many sites of this ordering the functions of this name have had, this one included.
    nth: usize,
    strong: &'static str,
    weak: &'static str,
    /// Where the ordering stands with its path, in characters of the file.
    start: usize,
    end: usize,
}

impl Weakening {
    /// `src/a.rs::wake 1 AcqRel->Release`: what the site's list calls it.
    pub(crate) fn name(&self) -> String {
        let Self { file, function, nth, strong, weak, .. } = self;
        format!("{file}::{function} {nth} {strong}->{weak}")
    }
}

/// The text of a file in which each site asks `chosen`, an expression, which weakening is on; they
/// are those of the file, each with its number.
pub(super) fn rewrite(text: &str, chosen: &str, weakenings: &[(usize, &Weakening)]) -> String {
    let chars: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| chars[from..to].iter().collect::<String>();
    let mut rewritten = String::new();
    let mut at = 0;
    for site in weakenings.chunk_by(|(_, a), (_, b)| a.start == b.start) {
        let Some((_, Weakening { start, end, .. })) = site.first() else { continue };
        let arm = |(number, it): &(usize, &Weakening)| {
            format!("{number} => ::core::sync::atomic::Ordering::{}, ", it.weak)
        };
        let arms: String = site.iter().map(arm).collect();
        let kept = part(*start, *end);
        rewritten += &part(at, *start);
        rewritten += &format!("match {chosen} {{ {arms}_ => {kept} }}");
        at = *end;
    }
    rewritten + &part(at, chars.len())
}

/// Every weakening in the sources of a crate, unit tests left out.
pub(crate) fn of_package(package: &Package) -> Result<Vec<Weakening>> {
    let mut found = Vec::new();
    for path in tree::files(&package.dir().join("src"), "rs")? {
        let file = path.strip_prefix(package.dir()).unwrap_or(&path).to_string_lossy();
        let file = file.replace('\\', "/");
        if !tree::is_unit_test(&file) {
            found.extend(of_text(&file, &fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}

/// Every weakening in the text of `file`.
pub(crate) fn of_text(file: &str, text: &str) -> Vec<Weakening> {
    let source = Source::new(text);
    let lines: Vec<_> = source.lines.iter().map(|it| it.code.as_str()).collect();
    let code: Vec<char> = lines.join("\n").chars().collect();
    let functions = functions(&code);
    let mut counts = BTreeMap::new();
    let mut found = Vec::new();
    let mut at = 0;
    for (i, line) in lines.iter().enumerate() {
        let end = at + line.chars().count();
        if is_strong(&source.lines, i) && !source.lines[i].test {
            for (start, strong) in strong_words(&code, at, end) {
                let function = functions.iter().rev().find(|(from, _)| *from <= start);
                let function = function.map_or("", |(_, name)| name.as_str());
                let nth = counts.entry((function, strong)).or_insert(0);
                *nth += 1;
                let operation = Operation::at(&code, start);
                for weak in operation.weaker(strong) {
                    found.push(Weakening {
                        file: file.to_owned(),
                        line: i + 1,
                        function: function.to_owned(),
                        nth: *nth,
                        strong,
                        weak,
                        start: path_before(&code[..start]),
                        end: start + strong.len(),
                    });
                }
            }
        }
        at = end + 1;
    }
    found
}

/// The strong orderings between two characters, and where each begins.
fn strong_words(code: &[char], from: usize, to: usize) -> Vec<(usize, &'static str)> {
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut found = Vec::new();
    let mut at = from;
    while at < to {
        let len = code[at..to].iter().take_while(|c| word(c)).count();
        let text: String = code[at..at + len].iter().collect();
        found.extend(STRONG.into_iter().find(|it| *it == text).map(|strong| (at, strong)));
        at += len.max(1);
    }
    found
}

/// Where the body of each function begins, and where that of the one around it goes on, in order.
fn functions(code: &[char]) -> Vec<(usize, String)> {
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut marks = Vec::new();
    let mut open: Vec<(usize, String)> = Vec::new();
    let (mut depth, mut parentheses, mut declared, mut at) = (0, 0_usize, None, 0);
    while at < code.len() {
        let len = code[at..].iter().take_while(|c| word(c)).count();
        match code[at] {
            _ if code[at..at + len] == ['f', 'n'] => {
                let rest = &code[at + len..];
                let space = rest.iter().take_while(|c| c.is_whitespace()).count();
                let name: String = rest[space..].iter().take_while(|c| word(c)).collect();
                if !name.is_empty() {
                    declared = Some(name);
                }
            }
            '(' | '[' => parentheses += 1,
            ')' | ']' => parentheses = parentheses.saturating_sub(1),
            ';' if parentheses == 0 => declared = None,
            '{' => {
                if let Some(name) = declared.take() {
                    marks.push((at, name.clone()));
                    open.push((depth, name));
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if open.last().is_some_and(|(it, _)| *it == depth) {
                    open.pop();
                    let around = open.last().map_or(String::new(), |(_, name)| name.clone());
                    marks.push((at, around));
                }
            }
            _ => {}
        }
        at += len.max(1);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "use core::sync::atomic::Ordering::{self, Acquire};\n\
        impl A {\n    fn wake(&self) -> [u8; 2] {\n        // Release\n        \
        if self.0.swap(1, Ordering::AcqRel) == 0 { self.1.store(2, Ordering::Release) }\n    \
        }\n\n    fn load(&self) {\n        let näme = \"Acquire\";\n        self.0.load(Acquire);\n        \
        self.0.load(Acquire);\n        fence(Ordering::Acquire);\n    }\n}\n\
        #[cfg(test)]\nmod tests {\n    fn a() { b.load(Acquire) }\n}\n";

    #[test]
    fn sites_are_named_by_file_function_and_turn() {
        let names: Vec<_> = of_text("src/a.rs", TEXT).iter().map(Weakening::name).collect();
        assert_eq!(
            names,
            [
                "src/a.rs::wake 1 AcqRel->Acquire",
                "src/a.rs::wake 1 AcqRel->Release",
                "src/a.rs::wake 1 Release->Relaxed",
                "src/a.rs::load 1 Acquire->Relaxed",
                "src/a.rs::load 2 Acquire->Relaxed",
            ]
        );
    }

    #[test]
    fn each_site_asks_and_nothing_else_changes() {
        let all = of_text("src/a.rs", TEXT);
        let numbered: Vec<_> = all.iter().enumerate().map(|(i, it)| (i + 7, it)).collect();
        let text = rewrite(TEXT, "on()", &numbered);
        let changed: Vec<_> = TEXT.lines().zip(text.lines()).filter(|(a, b)| a != b).collect();
        let lines: Vec<_> = changed.iter().map(|(_, line)| line.trim()).collect();
        let weak = "::core::sync::atomic::Ordering";
        let choice = |first: usize| {
            format!(
                "self.0.swap(1, match on() {{ {first} => {weak}::Acquire, {} => {weak}::Release, _ \
                 => Ordering::AcqRel }}) == 0",
                first + 1
            )
        };
        assert!(lines[0].starts_with(&format!("if {} {{", choice(7))), "{}", lines[0]);
        let load =
            |n| format!("self.0.load(match on() {{ {n} => {weak}::Relaxed, _ => Acquire }});");
        assert_eq!(lines[1..], [load(10), load(11)]);
    }

    #[test]
    fn a_function_goes_on_behind_one_inside_it() {
        let code = "fn a() { fn b(f: fn(u8)) { x } y } z";
        let marks = functions(&code.chars().collect::<Vec<_>>());
        let at = |c: char| {
            let at = code.find(c).unwrap();
            marks.iter().rev().find(|(from, _)| *from <= at).unwrap().1.as_str()
        };
        assert_eq!((at('x'), at('y'), at('z')), ("b", "a", ""));
    }
}
