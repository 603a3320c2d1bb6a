//! From times to tables: what the printed table and the JSON both show.

use super::{
    build::Note,
    host::Versions,
    plan::{OURS, Plan, Row},
    run::RowTimes,
    stats::{Ratio, median},
};

/// A table, ready to be shown.
#[derive(Debug)]
pub(crate) struct TableResult {
    pub(crate) table: String,
    /// What the suite says of the table as a whole.
    pub(crate) notes: Vec<String>,
    /// Every subject of any row with its version, ours first.
    pub(crate) subjects: Vec<(String, String)>,
    pub(crate) rows: Vec<RowResult>,
}

/// A row with what was measured.
#[derive(Debug)]
pub(crate) struct RowResult {
    pub(crate) row: String,
    pub(crate) size: Option<u64>,
    pub(crate) label: String,
    /// How far ours strays from itself; `None` if no round was finished.
    pub(crate) noise: Option<f64>,
    /// Ours first.
    pub(crate) subjects: Vec<SubjectResult>,
}

/// A subject's figures in a row.
#[derive(Debug)]
pub(crate) struct SubjectResult {
    pub(crate) subject: String,
    pub(crate) version: String,
    pub(crate) median_ns: f64,
    /// This subject's time over ours.
    pub(crate) ratio: Ratio,
}

impl RowResult {
    fn new(row: &Row, times: &RowTimes, versions: &Versions) -> Self {
        let ours = times.subjects.first().map(Vec::as_slice).unwrap_or_default();
        let subject = |(name, times): (&String, &Vec<f64>)| {
            let ratio = if name == OURS { Ratio::ONE } else { Ratio::paired(times, ours)? };
            let version = versions.of(&row.table, name);
            Some(SubjectResult { subject: name.clone(), version, median_ns: median(times)?, ratio })
        };
        Self {
            row: row.row.clone(),
            size: row.size,
            label: row.label(),
            noise: Ratio::paired(&times.control, ours).map(|it| it.noise()),
            subjects: row.subjects.iter().zip(&times.subjects).filter_map(subject).collect(),
        }
    }

    /// The figures of `subject`, if it takes part in this row.
    pub(crate) fn of(&self, subject: &str) -> Option<&SubjectResult> {
        self.subjects.iter().find(|it| it.subject == subject)
    }
}

/// The tables in the order of the plan.
pub(crate) fn tables(
    plan: &Plan,
    times: &[RowTimes],
    versions: &Versions,
    notes: &[Note],
) -> Vec<TableResult> {
    let mut tables: Vec<TableResult> = Vec::new();
    for (row, times) in plan.rows.iter().zip(times) {
        if tables.last().is_none_or(|it| it.table != row.table) {
            let table = row.table.clone();
            let notes = notes.iter().filter(|it| it.table == table);
            let notes = notes.map(|it| it.text.clone()).collect();
            tables.push(TableResult { table, notes, subjects: Vec::new(), rows: Vec::new() });
        }
        let Some(table) = tables.last_mut() else { continue };
        let result = RowResult::new(row, times, versions);
        for SubjectResult { subject, version, .. } in &result.subjects {
            if !table.subjects.iter().any(|(name, _)| name == subject) {
                table.subjects.push((subject.clone(), version.clone()));
            }
        }
        table.rows.push(result);
    }
    tables
}

/// A small result for the tests of what shows it.
#[cfg(test)]
pub(crate) fn sample() -> Vec<TableResult> {
    use super::plan::Id;

    let ids =
        ["t/win/selvedge", "t/win/peer", "t/loss/selvedge/10", "t/loss/peer/10", "t/loss/late/10"];
    let plan = Plan::new(&ids.map(|it| Id::parse(it).unwrap()), None, None).unwrap();
    let win = RowTimes {
        subjects: vec![vec![100.0, 100.0, 100.0], vec![890.0, 900.0, 910.0]],
        control: vec![100.0, 98.0, 102.0],
    };
    let loss = RowTimes {
        subjects: vec![vec![2e6, 2e6, 2e6], vec![1e6, 1.2e6, 1e6], vec![1.8e6, 2.4e6, 2.1e6]],
        control: vec![2e6, 2.2e6, 2e6],
    };
    let note = Note { table: "t".into(), text: "2 threads".into() };
    tables(&plan, &[win, loss], &Versions::sample(), &[note])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_one_and_peers_are_paired_with_it() {
        let [table] = &sample()[..] else { panic!("one table") };
        let row = &table.rows[0];
        assert_eq!(row.subjects[0].ratio, Ratio::ONE);
        let peer = row.of("peer").unwrap();
        assert_eq!((peer.median_ns, peer.ratio.median, peer.ratio.high), (900.0, 9.0, 9.1));
        assert!((row.noise.unwrap() - 0.02).abs() < 1e-9);
        let names: Vec<_> = table.subjects.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["selvedge", "peer", "late"]);
    }
}
