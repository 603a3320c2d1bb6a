//! `--html`: one page that needs nothing else.

use core::fmt::Write as _;

use super::{
    Shown,
    chart::{self, escape},
    results::{RowResult, TableResult},
    stats::Verdict,
    table::{LEGEND, percent, range, time, times},
};

const STYLE: &str = "\
:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--back:#fff;--band:#f6f8fa;\
--good:#1a7f37;--bad:#cf222e}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9198a1;--line:#3d444d;--back:#0d1117;\
--band:#151b23;--good:#3fb950;--bad:#f85149}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:75rem;padding:1.5rem 1rem 4rem;background:var(--back);color:var(--text);\
font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}
p.soft,.soft{color:var(--soft);font-size:.9rem}
pre{background:var(--band);border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow-x:auto;font-size:.85rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.88rem}
th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;border-top:1px solid var(--line)}
thead th{border-top:0;background:var(--band);position:sticky;top:0}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--back)}
thead th:first-child{background:var(--band)}
.ahead{color:var(--good);font-weight:600}.behind{color:var(--bad);font-weight:600}
svg{width:100%;height:auto;margin-top:1rem}
nav a{margin-right:1rem}";

/// Renders the page.
pub(crate) fn render(shown: &Shown<'_>) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Selvedge: measured</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n\
         <h1>Selvedge, measured</h1>\n<p class=\"soft\">Printed by <code>{}</code></p>\n<pre>{}</pre>\n<nav>",
        escape(shown.command),
        escape(shown.host.header(shown.tables).trim_end()),
    );
    for TableResult { table, .. } in shown.tables {
        let _ = write!(page, "<a href=\"#{0}\">{0}</a>", escape(table));
    }
    page += "</nav>\n";
    for table in shown.tables {
        section(&mut page, table, shown.effort.rounds);
    }
    let _ =
        writeln!(page, "<h2>How to read it</h2>\n<pre>{}</pre>\n</body>\n</html>", escape(LEGEND));
    page
}

fn section(page: &mut String, table: &TableResult, rounds: u32) {
    let name = escape(&table.table);
    let notes: String = table.notes.iter().map(|note| format!(" · {}", escape(note))).collect();
    let _ = writeln!(
        page,
        "<h2 id=\"{name}\">{name}</h2>\n<p class=\"soft\">{rounds} rounds{notes}</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>row</th>"
    );
    for (at, (subject, version)) in table.subjects.iter().enumerate() {
        let noise = if at == 0 { " ±noise" } else { "" };
        let _ = write!(page, "<th>{} {}{noise}</th>", escape(subject), escape(version));
    }
    *page += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        line(page, table, row);
    }
    *page += "</tbody></table></div>\n";
    *page += &chart::render(table);
}

fn line(page: &mut String, table: &TableResult, row: &RowResult) {
    let _ = write!(page, "<tr><td>{}</td>", escape(&row.label));
    let ours = row.subjects.first().map(|it| time(it.median_ns)).unwrap_or_default();
    let noise = row.noise.map(percent).unwrap_or_default();
    let _ = write!(page, "<td>{ours} <span class=\"soft\">{noise}</span></td>");
    for (peer, _) in table.subjects.iter().skip(1) {
        let Some(figures) = row.of(peer) else {
            *page += "<td class=\"soft\">–</td>";
            continue;
        };
        let (class, mark) = match figures.ratio.verdict(row.noise.unwrap_or_default()) {
            Verdict::Ahead => ("ahead", ""),
            Verdict::Same => ("same", " ≈"),
            Verdict::Behind => ("behind", ""),
        };
        let _ = write!(
            page,
            "<td><span class=\"{class}\">{}{mark}</span> <span class=\"soft\">{} {}</span></td>",
            times(figures.ratio.median),
            range(&figures.ratio),
            time(figures.median_ns),
        );
    }
    *page += "</tr>\n";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Shown, host, plan, results};

    #[test]
    fn the_page_holds_host_command_tables_and_charts_and_loads_nothing() {
        let tables = results::sample();
        let flags = plan::flags();
        let shown = Shown {
            host: &host::tests::host(),
            effort: &plan::Effort::from_flags(&flags).unwrap(),
            tables: &tables,
            command: "cargo xtask bench t",
        };
        let page = render(&shown);
        for part in ["Some CPU", "cargo xtask bench t", "id=\"t\"", "9.00×", "<svg ", "2 threads"]
        {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        let loads = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!loads.contains("http") && !loads.contains("<script") && !loads.contains("src="));
    }
}
