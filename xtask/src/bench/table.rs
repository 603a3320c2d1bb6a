//! The printed table: ours first, one column per peer, losses as plain as wins.

use super::{
    results::{SubjectResult, TableResult},
    stats::{Ratio, Verdict, geomean, median},
};

/// How to read a table.
pub(crate) const LEGEND: &str = "\
N× is a peer's time over ours within a round, median of the rounds: above 1 ours is faster.
[low, high] is the range over the rounds, ≈ a range that meets 1 ± noise of its row.
Noise is how far ours, measured a second time in each round, strayed from itself.";

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const PLAIN: &str = "\u{1b}[0m";

/// Renders one table.
pub(crate) fn render(table: &TableResult, rounds: u32, colour: bool) -> String {
    let mut columns = vec![labels(table), ours(table)];
    columns.extend(table.subjects.iter().skip(1).map(|peer| self::peer(table, peer, colour)));
    let plural = if rounds == 1 { "" } else { "s" };
    let notes: String = table.notes.iter().map(|note| format!(" · {note}")).collect();
    let mut text = format!("{}{notes} · {rounds} round{plural}{}\n", table.table, noise(table));
    for at in 0..columns[0].len() {
        let cells: Vec<_> = columns.iter().map(|column| column[at].as_str()).collect();
        text += cells.join("    ").trim_end();
        text.push('\n');
    }
    text
}

/// Names of the rows.
fn labels(table: &TableResult) -> Vec<String> {
    let rows = table.rows.iter().map(|row| row.label.clone());
    column("row", rows.chain(["geomean".into()]).collect())
}

/// Times of ours, each with its noise.
fn ours(table: &TableResult) -> Vec<String> {
    let head = table.subjects.first().map(|(name, version)| format!("{name} {version} ±noise"));
    let cells = table.rows.iter().map(|row| {
        let time = row.subjects.first().map(|it| time(it.median_ns)).unwrap_or_default();
        [time, row.noise.map(percent).unwrap_or_default()]
    });
    let mut lines = aligned(&cells.collect::<Vec<_>>());
    lines.push("read the rows first".into());
    column(&head.unwrap_or_default(), lines)
}

/// Ratio, mark, range and time of a peer.
fn peer(table: &TableResult, (peer, version): &(String, String), colour: bool) -> Vec<String> {
    let figures: Vec<_> = table.rows.iter().map(|row| (row.of(peer), row.noise)).collect();
    let mut verdicts = Vec::new();
    let mut cells = Vec::new();
    for (figures, noise) in &figures {
        let verdict = figures.map(|it| it.ratio.verdict(noise.unwrap_or_default()));
        verdicts.push(verdict);
        cells.push(match figures {
            Some(figures) => compared(figures, verdict == Some(Verdict::Same)),
            None => ["–".into(), String::new(), String::new(), String::new()],
        });
    }
    let ratios: Vec<_> =
        figures.iter().filter_map(|(figures, _)| Some(figures.as_ref()?.ratio.median)).collect();
    let mean = geomean(&ratios).map(times).unwrap_or_default();
    cells.push([mean, String::new(), String::new(), String::new()]);

    let mut lines = column(&format!("{peer} {version}"), aligned(&cells));
    if colour {
        for ((line, verdict), cells) in lines[1..].iter_mut().zip(verdicts).zip(&cells) {
            *line = coloured(line, &cells[0], verdict);
        }
    }
    lines
}

fn compared(figures: &SubjectResult, same: bool) -> [String; 4] {
    let SubjectResult { ratio, median_ns, .. } = figures;
    let mark = if same { "≈" } else { "" };
    [times(ratio.median), mark.into(), range(ratio), time(*median_ns)]
}

/// The range of a ratio over the rounds.
pub(super) fn range(ratio: &Ratio) -> String {
    format!("[{}, {}]", number(ratio.low), number(ratio.high))
}

/// Colours the ratio in a line by who is ahead.
fn coloured(line: &str, ratio: &str, verdict: Option<Verdict>) -> String {
    let colour = match verdict {
        Some(Verdict::Ahead) => GREEN,
        Some(Verdict::Behind) => RED,
        Some(Verdict::Same) | None => return line.to_owned(),
    };
    line.replacen(ratio, &format!("{colour}{ratio}{PLAIN}"), 1)
}

/// Cells side by side, each at the right end of its column.
pub(super) fn aligned<const N: usize>(lines: &[[String; N]]) -> Vec<String> {
    let width = |at: usize| lines.iter().map(|cells| width(&cells[at])).max().unwrap_or_default();
    let widths: Vec<_> = (0..N).map(width).collect();
    let line = |cells: &[String; N]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(line).collect()
}

/// A column below its head, all lines of one width.
fn column(head: &str, lines: Vec<String>) -> Vec<String> {
    let width = lines.iter().map(|it| width(it)).chain([width(head)]).max().unwrap_or_default();
    let padded = |line: &str| format!("{line:<width$}");
    [padded(head)].into_iter().chain(lines.iter().map(|it| padded(it))).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The noise of the middle row and of the worst.
fn noise(table: &TableResult) -> String {
    let noises: Vec<_> = table.rows.iter().filter_map(|row| row.noise).collect();
    let worst = table.rows.iter().filter(|row| row.noise.is_some());
    let worst =
        worst.max_by(|a, b| a.noise.unwrap_or_default().total_cmp(&b.noise.unwrap_or_default()));
    match (median(&noises), worst) {
        (Some(middle), Some(worst)) => format!(
            " · A/A noise {}, at worst {} ({})",
            percent(middle),
            percent(worst.noise.unwrap_or_default()),
            worst.label,
        ),
        _ => String::new(),
    }
}

pub(super) fn percent(part: f64) -> String {
    format!("±{:.0} %", part * 100.0)
}

pub(super) fn times(ratio: f64) -> String {
    format!("{}×", number(ratio))
}

/// Three digits.
pub(super) fn number(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A time with its unit.
pub(super) fn time(ns: f64) -> String {
    match ns {
        ..999.5 => format!("{} ns", number(ns)),
        ..999_500.0 => format!("{} µs", number(ns / 1e3)),
        ..999_500_000.0 => format!("{} ms", number(ns / 1e6)),
        _ => format!("{} s", number(ns / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results;

    #[test]
    fn wins_and_losses_stand_side_by_side() {
        let text = render(&results::sample()[0], 3, false);
        let expected = "\
t · 2 threads · 3 rounds · A/A noise ±6 %, at worst ±10 % (loss 10)
row        selvedge 0.1.0 ±noise    peer 1.2.3                     late 3.0.0
win         100 ns  ±2 %            9.00×  [8.90, 9.10]  900 ns        –
loss 10    2.00 ms ±10 %            0.50×  [0.50, 0.60] 1.00 ms    1.05× ≈ [0.90, 1.20] 2.10 ms
geomean    read the rows first      2.12×                          1.05×
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn colour_marks_who_is_ahead() {
        let text = render(&results::sample()[0], 3, true);
        assert!(text.contains("\u{1b}[32m9.00×\u{1b}[0m"), "{text}");
        assert!(text.contains("\u{1b}[31m0.50×\u{1b}[0m"), "{text}");
        assert!(text.contains(" 1.05× ≈"), "{text}");
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([0.951, 9.999, 12.34, 345.6].map(number), ["0.95", "10.0", "12.3", "346"]);
        let times = [101.2, 999.6, 31_900.0, 2.5e9].map(time);
        assert_eq!(times, ["101 ns", "1.00 µs", "31.9 µs", "2.50 s"]);
    }
}
