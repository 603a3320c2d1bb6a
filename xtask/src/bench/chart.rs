//! `--svg`: a chart of a table, bars of ratio with their range, for light and dark pages.

use core::fmt::Write as _;

use super::{
    results::{SubjectResult, TableResult},
    stats::Verdict,
    table::{number, times},
};

/// Measures of the drawing.
const WIDTH: f64 = 860.0;
const LABELS: f64 = 210.0;
const FIGURES: f64 = 150.0;
const BAR: f64 = 13.0;
const GAP: f64 = 3.0;
const ROW_GAP: f64 = 12.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 34.0;

/// Bars of the first peers, told apart by shade as well as by colour.
const COLOURS: [&str; 5] = ["#2f7ed8", "#e08a1e", "#3a9d5d", "#a05bc0", "#c0504d"];

/// What a chart looks like on either kind of page.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}
.small{font-size:11px;fill:#59636e}
.grid{stroke:#d1d9e0}
.one{stroke:#1f2328;stroke-width:1.5}
.range{stroke:#1f2328;stroke-width:1.5}
.behind{font-weight:600}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.small{fill:#9198a1}.grid{stroke:#3d444d}.one,.range{stroke:#e6edf3}}";

/// Draws a table as an SVG image. The axis is logarithmic, since a ratio of 2 and one of ½ are the same
/// step.
pub(crate) fn render(table: &TableResult) -> String {
    let peers = || table.subjects.iter().skip(1);
    let axis = Axis::over(table);
    let mut body = String::new();
    let mut y = TOP;
    for row in &table.rows {
        let top = y;
        for (at, (peer, _)) in peers().enumerate() {
            let Some(figures) = row.of(peer) else { continue };
            bar(&mut body, &axis, y, COLOURS[at % COLOURS.len()], figures, row.noise);
            y += BAR + GAP;
        }
        if y == top {
            continue;
        }
        let middle = f64::midpoint(top, y - GAP) + 4.0;
        let label = escape(&row.label);
        let _ = writeln!(
            body,
            r#"<text x="{:.1}" y="{middle:.1}" text-anchor="end">{label}</text>"#,
            LABELS - 10.0
        );
        y += ROW_GAP;
    }
    let height = y + BOTTOM;
    let title = escape(&table.table);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
         aria-label=\"{title}: time of peers over that of Selvedge\">\n<style>{STYLE}</style>\n\
         <text class=\"title\" x=\"10\" y=\"22\">{title}: a peer's time over ours</text>\n"
    );
    legend(&mut svg, peers().map(|(name, version)| format!("{name} {version}")));
    grid(&mut svg, &axis, y);
    svg + &body + "</svg>\n"
}

/// Names of the peers beside their colours.
fn legend(svg: &mut String, peers: impl Iterator<Item = String>) {
    let mut x = 10.0;
    for (at, peer) in peers.enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            r#"<rect x="{x:.1}" y="34" width="10" height="10" fill="{colour}"/><text class="small" x="{:.1}" y="43">{}</text>"#,
            x + 14.0,
            escape(&peer),
        );
        x += 34.0 + 6.4 * peer.chars().count() as f64;
    }
}

/// Vertical lines at powers of two, and the line where both are equal.
fn grid(svg: &mut String, axis: &Axis, bottom: f64) {
    for power in axis.powers() {
        let ratio = f64::powi(2.0, power);
        let x = axis.x(ratio);
        let class = if power == 0 { "one" } else { "grid" };
        let _ = writeln!(
            svg,
            r#"<line class="{class}" x1="{x:.1}" x2="{x:.1}" y1="{:.1}" y2="{bottom:.1}"/><text class="small" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            TOP - 6.0,
            bottom + 14.0,
            times(ratio),
        );
    }
    let _ = writeln!(
        svg,
        r#"<text class="small" x="10" y="{:.1}">right of 1: ours is faster; lines: the range over the rounds</text>"#,
        bottom + 30.0
    );
}

fn bar(
    svg: &mut String,
    axis: &Axis,
    y: f64,
    colour: &str,
    figures: &SubjectResult,
    noise: Option<f64>,
) {
    let SubjectResult { ratio, .. } = figures;
    let (one, end) = (axis.x(1.0), axis.x(ratio.median));
    let (left, width) = (one.min(end), (end - one).abs().max(1.0));
    let verdict = ratio.verdict(noise.unwrap_or_default());
    let (opacity, class) = match verdict {
        Verdict::Ahead => (1.0, "ahead"),
        Verdict::Same => (0.45, "same"),
        Verdict::Behind => (1.0, "behind"),
    };
    let middle = y + BAR / 2.0;
    let mark = if verdict == Verdict::Same { " ≈" } else { "" };
    let _ = writeln!(
        svg,
        r#"<rect x="{left:.1}" y="{y:.1}" width="{width:.1}" height="{BAR}" fill="{colour}" fill-opacity="{opacity}"/><line class="range" x1="{:.1}" x2="{:.1}" y1="{middle:.1}" y2="{middle:.1}"/><text class="{class}" x="{:.1}" y="{:.1}">{}{mark} <tspan class="small">[{}, {}]</tspan></text>"#,
        axis.x(ratio.low),
        axis.x(ratio.high),
        WIDTH - FIGURES + 8.0,
        y + BAR - 2.5,
        times(ratio.median),
        number(ratio.low),
        number(ratio.high),
    );
}

/// From ratios to places.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Wide enough for every range of the table, and for what is equal.
    fn over(table: &TableResult) -> Self {
        let ratios = table.rows.iter().flat_map(|row| &row.subjects).map(|it| it.ratio);
        let (mut low, mut high) = (0.5_f64, 2.0_f64);
        for ratio in ratios {
            low = low.min(ratio.low);
            high = high.max(ratio.high);
        }
        Self { low: low.log2().floor(), high: high.log2().ceil() }
    }

    fn x(&self, ratio: f64) -> f64 {
        let part = (ratio.log2() - self.low) / (self.high - self.low);
        LABELS + part.clamp(0.0, 1.0) * (WIDTH - LABELS - FIGURES)
    }

    /// Powers of two with a line, not more than nine of them.
    fn powers(&self) -> impl Iterator<Item = i32> + use<> {
        // Both are whole and small.
        let (low, high) = (self.low as i32, self.high as i32);
        let step = ((high - low) / 8 + 1).max(1);
        (low..=high).filter(move |power| power % step == 0)
    }
}

/// Text between tags.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results;

    #[test]
    fn a_chart_shows_every_ratio_with_its_range_on_light_and_dark_pages() {
        let svg = render(&results::sample()[0]);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        for part in ["9.00×", "[8.90, 9.10]", "0.50×", "peer 1.2.3", "prefers-color-scheme:dark"]
        {
            assert!(svg.contains(part), "{part} is missing in {svg}");
        }
        assert_eq!(svg.matches("class=\"range\"").count(), 3);
        assert_eq!(svg.matches("class=\"one\"").count(), 1);
    }

    #[test]
    fn equal_times_lie_on_the_line_and_steps_are_symmetric() {
        let axis = Axis { low: -2.0, high: 2.0 };
        let one = axis.x(1.0);
        assert!((axis.x(2.0) - one - (one - axis.x(0.5))).abs() < 1e-9);
        assert_eq!(
            Axis { low: -9.0, high: 9.0 }.powers().collect::<Vec<_>>(),
            [-9, -6, -3, 0, 3, 6, 9]
        );
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }
}
