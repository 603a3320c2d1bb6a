//! The atomic operation that an ordering is handed to, and what is weaker there.

/// What an ordering is an argument of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operation {
    Load,
    Store,
    /// A read-modify-write, where it succeeds.
    Update,
    /// The load that a failed compare-and-exchange is.
    Failure,
    Fence,
    /// Bound to a name or chosen by a condition.
    Elsewhere,
}

impl Operation {
    /// The operation that the ordering at character `at` of `code` belongs to.
    pub(super) fn at(code: &[char], at: usize) -> Self {
        let Some((open, argument)) = enclosing_call(&code[..at]) else { return Self::Elsewhere };
        let path = path_before(&code[..open]);
        let text: String = code[path..open].iter().filter(|c| !c.is_whitespace()).collect();
        match (text.rsplit("::").next().unwrap_or_default(), argument) {
            ("load", _) => Self::Load,
            ("store", _) => Self::Store,
            ("fence", _) => Self::Fence,
            ("compare_exchange" | "compare_exchange_weak", 3) | ("fetch_update", 1) => {
                Self::Failure
            }
            ("compare_exchange" | "compare_exchange_weak" | "fetch_update" | "swap", _) => {
                Self::Update
            }
            (name, _) if name.starts_with("fetch_") => Self::Update,
            _ => Self::Elsewhere,
        }
    }

    /// The orderings to put in the place of `strong`.
    ///
    /// Loom counts a sequentially consistent access as `AcqRel`, so that step is skipped there; its
    /// fences are real. There is no relaxed fence: a named mutant has to leave one out.
    pub(super) fn weaker(self, strong: &str) -> &'static [&'static str] {
        match (self, strong) {
            (Self::Fence, "SeqCst") => &["AcqRel"],
            (Self::Fence, "Acquire" | "Release") => &[],
            (Self::Update, "SeqCst") | (_, "AcqRel") => &["Acquire", "Release"],
            _ => &["Relaxed"],
        }
    }
}

/// The parenthesis of the call that is still open at the end of `code`, and how many commas follow.
fn enclosing_call(code: &[char]) -> Option<(usize, usize)> {
    let (mut depth, mut commas) = (0_usize, 0);
    for (i, c) in code.iter().enumerate().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => return Some((i, commas)),
            '[' | '{' | ';' if depth == 0 => return None,
            '(' | '[' | '{' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// Where the path at the end of `code` begins.
pub(super) fn path_before(code: &[char]) -> usize {
    let part = |c: &char| c.is_alphanumeric() || "_:".contains(*c);
    code.iter().rposition(|c| !part(c)).map_or(0, |i| i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(code: &str, ordering: &str) -> Operation {
        let at = code.find(ordering).unwrap();
        Operation::at(&code.chars().collect::<Vec<_>>(), at)
    }

    #[test]
    fn the_operation_is_found_around_the_ordering() {
        let of = |code| operation(code, "X");
        assert_eq!(of("a.load(X)"), Operation::Load);
        assert_eq!(of("a[f(1, 2)].store(g(b, c), Ordering::X)"), Operation::Store);
        assert_eq!(of("a.fetch_or(1,\n    X)"), Operation::Update);
        assert_eq!(of("a.compare_exchange(b, c, X, Y)"), Operation::Update);
        assert_eq!(of("a.compare_exchange_weak(b, c, Y, Ordering::X)"), Operation::Failure);
        assert_eq!(of("a.fetch_update(X, Y, |it| Some(it))"), Operation::Update);
        assert_eq!(of("a.fetch_update(Y, X, |it| Some(it))"), Operation::Failure);
        assert_eq!(of("b();\natomic::fence(X)"), Operation::Fence);
        assert_eq!(of("let order = if b { X } else { c };"), Operation::Elsewhere);
        assert_eq!(of("f(a, X)"), Operation::Elsewhere);
    }

    #[test]
    fn a_step_drops_one_half() {
        let halves = ["Acquire", "Release"];
        assert_eq!(Operation::Update.weaker("AcqRel"), halves);
        assert_eq!(Operation::Update.weaker("SeqCst"), halves);
        assert_eq!(Operation::Update.weaker("Release"), ["Relaxed"]);
        assert_eq!(Operation::Load.weaker("SeqCst"), ["Relaxed"]);
        assert_eq!(Operation::Fence.weaker("SeqCst"), ["AcqRel"]);
        assert_eq!(Operation::Fence.weaker("AcqRel"), halves);
        assert_eq!(Operation::Fence.weaker("Acquire"), [""; 0]);
    }
}
