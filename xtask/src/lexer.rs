//! Splits Rust sources into code, strings and comments, as far as the checks need it.

/// A source, line by line.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) lines: Vec<Line>,
}

/// A line of a source, in parallel views of its characters.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// Code alone; comments and the insides of strings are blank.
    pub(crate) code: String,
    /// Code and strings; comments are blank.
    pub(crate) with_strings: String,
    /// Comments alone.
    pub(crate) comment: String,
    /// Whether it belongs to an item under `#[cfg(test)]`.
    pub(crate) test: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Code,
    LineComment,
    /// Depth of nesting.
    BlockComment(usize),
    /// Number of `#` around a raw string.
    Raw(usize),
    Text,
}

impl Source {
    /// Splits `text`.
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut lines = vec![Line::default()];
        let (mut state, mut at) = (State::Code, 0);
        while at < chars.len() {
            let (next, taken) = step(state, &chars, at);
            for &c in &chars[at..(at + taken).min(chars.len())] {
                let shown = if next == State::Code { state } else { next };
                put(&mut lines, shown, c);
            }
            at += taken;
            state = next;
        }
        let mut source = Self { lines };
        source.mark_tests();
        source
    }

    /// Marks what `#[cfg(test)]` switches off: up to a `;`, or to the end of a block.
    fn mark_tests(&mut self) {
        let mut depth = None;
        for line in &mut self.lines {
            if depth.is_none() && line.code.contains("cfg(test)") {
                line.test = true;
                depth = Some(0_i32);
                if line.code.trim_end().ends_with(']') {
                    continue;
                }
            }
            let Some(open) = &mut depth else { continue };
            line.test = true;
            let mut ended = false;
            for c in line.code.chars() {
                match c {
                    '{' => *open += 1,
                    '}' => *open -= 1,
                    _ => {}
                }
                ended |= *open == 0 && matches!(c, '}' | ';');
            }
            if ended {
                depth = None;
            }
        }
    }
}

fn put(lines: &mut Vec<Line>, state: State, c: char) {
    if c == '\n' {
        lines.push(Line::default());
        return;
    }
    let Some(line) = lines.last_mut() else { return };
    let comment = matches!(state, State::LineComment | State::BlockComment(_));
    line.code.push(if state == State::Code { c } else { ' ' });
    line.with_strings.push(if comment { ' ' } else { c });
    line.comment.push(if comment { c } else { ' ' });
}

/// The state after the characters at `at`, and how many of them lead there.
fn step(state: State, chars: &[char], at: usize) -> (State, usize) {
    let rest = &chars[at..];
    let starts = |text: &str| text.chars().enumerate().all(|(i, c)| rest.get(i) == Some(&c));
    match state {
        State::LineComment if starts("\n") => (State::Code, 1),
        State::BlockComment(depth) if starts("/*") => (State::BlockComment(depth + 1), 2),
        State::BlockComment(1) if starts("*/") => (State::Code, 2),
        State::BlockComment(depth) if starts("*/") => (State::BlockComment(depth - 1), 2),
        State::Text if starts("\\") => (State::Text, 2),
        State::Text if starts("\"") => (State::Code, 1),
        State::Raw(hashes) if starts(&format!("\"{}", "#".repeat(hashes))) => {
            (State::Code, 1 + hashes)
        }
        State::Code if starts("//") => (State::LineComment, 2),
        State::Code if starts("/*") => (State::BlockComment(1), 2),
        State::Code if starts("\"") => (State::Text, 1),
        State::Code if starts("r\"") || starts("r#") => raw(chars, at),
        State::Code if starts("'") => (State::Code, character(rest)),
        _ => (state, 1),
    }
}

/// A raw string's start, or an identifier that ends in `r`, or a raw identifier.
fn raw(chars: &[char], at: usize) -> (State, usize) {
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    let prefixed = at > 0 && word(&chars[at - 1]) && !matches!(chars[at - 1], 'b' | 'c');
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    match chars.get(at + 1 + hashes) {
        Some('"') if !prefixed => (State::Raw(hashes), 2 + hashes),
        _ => (State::Code, 1),
    }
}

/// Length of a character literal, or of the tick of a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', _, tail @ ..] => {
            3 + tail.iter().position(|c| *c == '\'').map_or(0, |end| end + 1)
        }
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str, of: impl Fn(&Line) -> &String) -> Vec<String> {
        Source::new(text).lines.iter().map(|it| of(it).trim().to_owned()).collect()
    }

    #[test]
    fn comments_and_strings_are_told_from_code() {
        let text = "let a = \"un\\\"safe // no\"; // SAFETY: yes\n/* x /* y */ z */ b";
        let code = view(text, |it| &it.code);
        assert!(code[0].starts_with("let a = ") && !code[0].contains("safe"), "{code:?}");
        assert_eq!(code[1], "b");
        assert_eq!(view(text, |it| &it.comment), ["// SAFETY: yes", "/* x /* y */ z */"]);
        assert!(view(text, |it| &it.with_strings)[0].contains("un\\\"safe // no"));
    }

    #[test]
    fn raw_strings_characters_and_lifetimes_do_not_confuse() {
        let code =
            view("r#\"a \" // b\"#; c\n'\"' d // e\n&'a f \"g\"\n'\\'' h '\\u{7f}' i", |it| {
                &it.code
            });
        assert!(code[0].ends_with("; c"), "{code:?}");
        assert!(code[1].ends_with('d'), "{code:?}");
        assert!(code[2].starts_with("&'a f"), "{code:?}");
        assert!(code[3].ends_with('i'), "{code:?}");
    }

    #[test]
    fn items_under_cfg_test_are_marked() {
        let text = "a\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nc\n#[cfg(test)] use d;\ne\n\
                    #[cfg(test)]\nmod more;\nf";
        let marked: Vec<_> = Source::new(text).lines.iter().map(|it| it.test).collect();
        let (t, f) = (true, false);
        assert_eq!(marked, [f, t, t, t, t, f, t, f, t, t, f]);
    }
}
