//! The results for other tools. The shape is stable: fields may join, none changes or leaves.

use serde_json::{Value, json};

use super::{
    host::Host,
    plan::Effort,
    results::{RowResult, SubjectResult, TableResult},
};

/// Renders everything that was measured.
pub(crate) fn render(host: &Host, effort: &Effort, tables: &[TableResult]) -> String {
    let tables: Vec<_> = tables.iter().map(table).collect();
    format!("{:#}\n", json!({ "host": self::host(host, effort), "tables": tables }))
}

fn host(host: &Host, effort: &Effort) -> Value {
    json!({
        "processor": host.processor,
        "cores": host.cores,
        "load": host.load,
        "virtualised": host.virtualised,
        "governor": host.governor,
        "compiler": host.compiler,
        "revision": host.revision,
        "dirty": host.dirty,
        "effort": effort.name,
        "rounds": effort.rounds,
    })
}

fn table(table: &TableResult) -> Value {
    let rows: Vec<_> = table.rows.iter().map(row).collect();
    json!({ "table": table.table, "notes": table.notes, "rows": rows })
}

fn row(row: &RowResult) -> Value {
    let subjects: Vec<_> = row.subjects.iter().map(subject).collect();
    json!({ "row": row.row, "size": row.size, "subjects": subjects })
}

fn subject(it: &SubjectResult) -> Value {
    json!({
        "subject": it.subject,
        "version": it.version,
        "median_ns": it.median_ns,
        "ratio": it.ratio.median,
        "ratio_low": it.ratio.low,
        "ratio_high": it.ratio.high,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results;

    #[test]
    fn the_shape_is_the_promised_one() {
        let [table_] = &results::sample()[..] else { panic!("one table") };
        let table = table(table_);
        assert_eq!(table["table"], "t");
        assert_eq!(table["notes"], json!(["2 threads"]));
        assert_eq!(table["rows"][0]["size"], Value::Null);
        assert_eq!(table["rows"][1]["size"], 10);
        let ours = json!({
            "subject": "selvedge", "version": "0.1.0", "median_ns": 100.0,
            "ratio": 1.0, "ratio_low": 1.0, "ratio_high": 1.0,
        });
        assert_eq!(table["rows"][0]["subjects"][0], ours);
        let peer = json!({
            "subject": "peer", "version": "1.2.3", "median_ns": 900.0,
            "ratio": 9.0, "ratio_low": 8.9, "ratio_high": 9.1,
        });
        assert_eq!(table["rows"][0]["subjects"][1], peer);
    }
}
