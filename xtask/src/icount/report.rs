//! The table of counts, and what they say about our changes.

use super::{baseline::Baseline, measure::Count};
use crate::error::{Error, Result};

/// A line for each row: our count, its change, and each peer's count as a multiple of ours.
pub(super) fn table(counts: &[Count], committed: &Baseline) -> String {
    let mut paths: Vec<_> = counts.iter().map(|it| it.row.path()).collect();
    let mut known = std::collections::HashSet::new();
    paths.retain(|it| known.insert(it.clone()));
    let width = paths.iter().map(String::len).max().unwrap_or_default();
    let mut text = format!("{:<width$}  {:>12}  {:>8}  peers\n", "row", "instructions", "change");
    for path in &paths {
        let of_row = || counts.iter().filter(|it| it.row.path() == *path);
        let ours = of_row().find(|it| it.row.is_ours()).map(|it| it.instructions);
        let peers = of_row().filter(|it| !it.row.is_ours()).map(|it| {
            let ratio = it.instructions / ours.unwrap_or(f64::NAN);
            format!("{} {ratio:.2}x", it.row.subject)
        });
        let (peers, shown) = (peers.collect::<Vec<_>>().join("  "), shown(ours));
        let change = change(committed.of(path), ours);
        let line = format!("{path:<width$}  {shown:>12}  {change:>8}  {peers}");
        text += line.trim_end();
        text += "\n";
    }
    text
}

fn shown(count: Option<f64>) -> String {
    count.map_or_else(|| "-".to_owned(), |it| format!("{it:.1}"))
}

fn change(then: Option<f64>, now: Option<f64>) -> String {
    match (then, now) {
        (Some(then), Some(now)) if then == now => "=".to_owned(),
        (Some(then), Some(now)) => format!("{:+.1} %", (now / then - 1.0) * 100.0),
        (None, Some(_)) => "new".to_owned(),
        (_, None) => String::new(),
    }
}

/// What is wrong with the counts, and what is only worth a word.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Verdict {
    failures: Vec<String>,
    warnings: Vec<String>,
}

/// Compares what was counted with what was committed.
pub(super) fn verdict(committed: &Baseline, counted: &Baseline, limit: f64) -> Verdict {
    let mut verdict = Verdict::default();
    let other_tools = committed.other_tools(counted);
    for (path, now) in counted.rows() {
        let Some(then) = committed.of(path) else {
            verdict.failures.push(format!("{path} has no count yet"));
            continue;
        };
        let told = format!("{path}: {then:.1} then, {now:.1} now");
        if now > then * (1.0 + limit) {
            // Another compiler, another count: nobody's change is to blame.
            let blame =
                if other_tools.is_empty() { &mut verdict.failures } else { &mut verdict.warnings };
            blame.push(told);
        } else if now < then * (1.0 - limit) {
            verdict.warnings.push(format!("{told}; `--bless` keeps what was gained"));
        }
    }
    verdict.warnings.extend(other_tools);
    verdict
}

impl Verdict {
    /// Adds the committed rows that are not among `paths`, the rows there are.
    pub(super) fn gone(&mut self, committed: &Baseline, paths: &[String]) {
        let gone = committed.rows().filter(|(path, _)| !paths.iter().any(|it| it == path));
        self.failures.extend(gone.map(|(path, _)| format!("{path} has a count, and is no row")));
    }

    /// Prints warnings; an error if there are failures.
    pub(super) fn finish(self) -> Result {
        self.warnings.iter().for_each(|it| println!("warning: {it}"));
        match self.failures.is_empty() {
            true => Ok(()),
            false => {
                let failures = self.failures.join("\n");
                Err(Error::failed(format!(
                    "the counts are not those committed:\n{failures}\n`cargo xtask icount --bless` accepts the counts"
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{baseline::tests::baseline, row::Row},
        *,
    };

    fn count(id: &str, subject: &str, instructions: f64) -> Count {
        Count { row: Row { id: id.into(), subject: subject.into(), sample: 1 }, instructions }
    }

    #[test]
    fn peers_are_multiples_of_ours() {
        let counts = [
            count("t/a/selvedge", "selvedge", 103.0),
            count("t/b/selvedge/10", "selvedge", 50.0),
            count("t/a/peer", "peer", 206.0),
        ];
        assert_eq!(
            table(&counts, &baseline("1", &[("t/a", 100.0)])),
            "row     instructions    change  peers\n\
             t/a            103.0    +3.0 %  peer 2.00x\n\
             t/b/10          50.0       new\n"
        );
    }

    #[test]
    fn growth_fails_unless_the_compiler_changed() {
        let committed = baseline("1", &[("t/a", 100.0), ("t/b", 100.0), ("t/c", 100.0)]);
        let counts = [("t/a", 103.1), ("t/b", 102.9), ("t/c", 90.0)];
        let failing = verdict(&committed, &baseline("1", &counts), 0.03);
        assert_eq!(failing.failures, ["t/a: 100.0 then, 103.1 now"]);
        assert_eq!(
            failing.warnings,
            ["t/c: 100.0 then, 90.0 now; `--bless` keeps what was gained"]
        );
        let warning = verdict(&committed, &baseline("2", &counts), 0.03);
        assert_eq!((warning.failures.len(), warning.warnings.len()), (0, 3));
    }

    #[test]
    fn rows_and_counts_belong_together() {
        let mut verdict =
            verdict(&baseline("1", &[("t/a", 1.0)]), &baseline("1", &[("t/b", 1.0)]), 0.03);
        verdict.gone(&baseline("1", &[("t/a", 1.0)]), &["t/b".to_owned()]);
        assert_eq!(verdict.failures, ["t/b has no count yet", "t/a has a count, and is no row"]);
        assert!(verdict.finish().is_err());
    }
}
