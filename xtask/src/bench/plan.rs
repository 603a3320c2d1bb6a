//! What is measured: rows, their subjects, and how long each takes.

use core::{fmt, time::Duration};

use regex_lite::Regex;

use crate::{
    error::{Error, Result},
    flags,
};

/// The subject that the others are compared with.
pub(crate) const OURS: &str = "selvedge";

/// A benchmark: `table/row/subject`, with `/size` where it has one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Id {
    pub(crate) table: String,
    pub(crate) row: String,
    pub(crate) subject: String,
    pub(crate) size: Option<u64>,
}

impl Id {
    /// Reads the id that Criterion prints.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let parts: Vec<_> = text.split('/').collect();
        let (table, row, subject, size) = match parts[..] {
            [table, row, subject] => (table, row, subject, None),
            [table, row, subject, size] => (table, row, subject, Some(size)),
            _ => return Err(malformed(text)),
        };
        let size = size.map(str::parse).transpose().map_err(|_| malformed(text))?;
        Ok(Self { table: table.into(), row: row.into(), subject: subject.into(), size })
    }
}

fn malformed(id: &str) -> Error {
    Error::failed(format!(
        "benchmark `{id}` is not named table/row/subject or table/row/subject/size"
    ))
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.table, self.row, self.subject)?;
        self.size.map_or(Ok(()), |size| write!(f, "/{size}"))
    }
}

/// One line of a table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) table: String,
    pub(crate) row: String,
    pub(crate) size: Option<u64>,
    /// Ours first, then the peers as the suite lists them.
    pub(crate) subjects: Vec<String>,
}

impl Row {
    /// The row's name with its size.
    pub(crate) fn label(&self) -> String {
        self.size.map_or_else(|| self.row.clone(), |size| format!("{} {size}", self.row))
    }

    /// The benchmark of one subject.
    pub(crate) fn id(&self, subject: &str) -> Id {
        let Self { table, row, size, .. } = self;
        Id { table: table.clone(), row: row.clone(), subject: subject.into(), size: *size }
    }

    fn holds(&self, id: &Id) -> bool {
        self.table == id.table && self.row == id.row && self.size == id.size
    }

    /// What a filter matches: `table/row` or `table/row/size`.
    fn path(&self) -> String {
        let size = self.size.map_or_else(String::new, |size| format!("/{size}"));
        format!("{}/{}{size}", self.table, self.row)
    }
}

/// The rows to measure.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) rows: Vec<Row>,
}

impl Plan {
    /// Groups `ids` into rows that match `filter`, with ours and the `peers` named, or all peers.
    pub(crate) fn new(ids: &[Id], filter: Option<&Regex>, peers: Option<&str>) -> Result<Self> {
        let peers = peers.map(|it| wanted_peers(ids, it)).transpose()?;
        let mut rows: Vec<Row> = Vec::new();
        for id in ids {
            let ours = id.subject == OURS;
            if !ours && peers.as_ref().is_some_and(|it| !it.contains(&id.subject.as_str())) {
                continue;
            }
            let at = rows.iter().position(|row| row.holds(id)).unwrap_or_else(|| {
                let Id { table, row, size, .. } = id.clone();
                rows.push(Row { table, row, size, subjects: Vec::new() });
                rows.len() - 1
            });
            let subjects = &mut rows[at].subjects;
            subjects.insert(if ours { 0 } else { subjects.len() }, id.subject.clone());
        }
        rows.retain(|row| filter.is_none_or(|it| it.is_match(&row.path())));
        if let Some(row) = rows.iter().find(|row| row.subjects[0] != OURS) {
            return Err(Error::failed(format!("`{}` has no subject `{OURS}`", row.path())));
        }
        if rows.is_empty() {
            return Err(Error::usage("no row matches the filter; `--list` prints the rows"));
        }
        Ok(Self { rows })
    }

    /// Processes per round: every subject once, and ours a second time as the control.
    pub(crate) fn lanes(&self) -> usize {
        self.rows.iter().map(|row| row.subjects.len() + 1).sum()
    }
}

/// The names in a list with commas.
pub(crate) fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|it| !it.is_empty())
}

fn wanted_peers<'a>(ids: &[Id], names: &'a str) -> Result<Vec<&'a str>> {
    let names: Vec<_> = self::names(names).collect();
    let mut known: Vec<_> = ids.iter().map(|it| it.subject.as_str()).collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|it| *it != OURS);
    match names.iter().find(|it| !known.contains(*it)) {
        None => Ok(names),
        Some(unknown) => {
            let known = known.join(", ");
            Err(Error::usage(format!("unknown peer `{unknown}`; there is {known}")))
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.path().len()).max().unwrap_or_default();
        self.rows
            .iter()
            .try_for_each(|row| writeln!(f, "{:<width$}  {}", row.path(), row.subjects.join(" ")))
    }
}

/// How long everything is measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effort {
    pub(crate) name: &'static str,
    pub(crate) rounds: u32,
    pub(crate) warm_up: Duration,
    pub(crate) measuring: Duration,
    pub(crate) samples: u32,
    /// Whether Criterion draws its report in the last round.
    pub(crate) plots: bool,
}

impl Effort {
    /// As many rounds as a range needs; each as long as the longest rows need for ten samples.
    const QUICK: Self = Self { plots: false, ..Self::new("quick", 3, 10, 30) };
    const DEFAULT: Self = Self::new("default", 5, 40, 100);
    const FULL: Self = Self::new("full", 7, 60, 160);

    const fn new(name: &'static str, rounds: u32, warm_up: u64, measuring: u64) -> Self {
        let (warm_up, measuring) =
            (Duration::from_millis(warm_up), Duration::from_millis(measuring));
        Self { name, rounds, warm_up, measuring, samples: 10, plots: true }
    }

    /// What the flags ask for.
    pub(crate) fn from_flags(flags: &flags::Bench) -> Result<Self> {
        let effort = match (flags.quick, flags.full) {
            (true, true) => return Err(Error::usage("--quick and --full exclude each other")),
            (true, false) => Self::QUICK,
            (false, false) => Self::DEFAULT,
            (false, true) => Self::FULL,
        };
        match flags.rounds {
            Some(0) => Err(Error::usage("--rounds takes a number from 1")),
            rounds => Ok(Self { rounds: rounds.unwrap_or(effort.rounds), ..effort }),
        }
    }

    /// How long `lanes` processes in each round take, plots of the last round included.
    ///
    /// A row whose iterations are long takes longer than it is asked to: the allowance is the mean.
    pub(crate) fn estimate(&self, lanes: usize) -> Duration {
        let lanes = u32::try_from(lanes).unwrap_or(u32::MAX);
        let allowance = Duration::from_millis(80);
        let plots = Duration::from_millis(if self.plots { 150 } else { 0 });
        (self.warm_up + self.measuring + allowance) * lanes * self.rounds + plots * lanes
    }
}

/// No flags, for tests.
#[cfg(test)]
pub(crate) fn flags() -> flags::Bench {
    flags::Bench {
        tables: Vec::new(),
        filter: None,
        quick: false,
        full: false,
        rounds: None,
        peers: None,
        json: None,
        list: false,
        save: None,
        against: None,
        force: false,
        check: false,
        html: None,
        md: false,
        svg: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<Id> {
        let ids = ["t/b/peer", "t/b/selvedge", "t/a/selvedge", "t/a/other", "t/a/selvedge/10"];
        ids.map(|it| Id::parse(it).unwrap()).to_vec()
    }

    fn rows(filter: Option<&str>, peers: Option<&str>) -> Result<String> {
        let filter = filter.map(flags::filter).transpose()?;
        Plan::new(&ids(), filter.as_ref(), peers).map(|plan| plan.to_string())
    }

    #[test]
    fn ids_are_grouped_into_rows_with_ours_first() {
        let all = "t/b     selvedge peer\nt/a     selvedge other\nt/a/10  selvedge\n";
        assert_eq!(rows(None, None).unwrap(), all);
        let plan = Plan::new(&ids(), None, None).unwrap();
        assert_eq!(plan.lanes(), 3 + 3 + 2);
        assert_eq!(plan.rows[2].label(), "a 10");
        assert_eq!(plan.rows[2].id("x").to_string(), "t/a/x/10");
    }

    #[test]
    fn a_filter_chooses_rows_and_peers_choose_subjects() {
        assert_eq!(rows(Some("/a$"), None).unwrap(), "t/a  selvedge other\n");
        assert_eq!(rows(Some("a$"), Some("peer")).unwrap(), "t/a  selvedge\n");
    }

    #[test]
    fn what_does_not_exist_is_named() {
        let error = |filter, peers| match rows(filter, peers) {
            Err(Error::Usage(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(error(Some("("), None).starts_with("bad --filter `(`: "));
        assert!(error(Some("nope"), None).starts_with("no row matches"));
        assert_eq!(error(None, Some("nope")), "unknown peer `nope`; there is other, peer");
        assert!(Id::parse("t/a").is_err() && Id::parse("t/a/b/many").is_err());
    }

    #[test]
    fn effort_follows_the_flags() {
        let flags = |quick, full, rounds| flags::Bench { quick, full, rounds, ..flags() };
        assert_eq!(Effort::from_flags(&flags(true, false, None)).unwrap(), Effort::QUICK);
        assert_eq!(Effort::from_flags(&flags(false, false, Some(2))).unwrap().rounds, 2);
        assert!(Effort::from_flags(&flags(true, true, None)).is_err());
        assert!(Effort::from_flags(&flags(false, false, Some(0))).is_err());
        assert_eq!(Effort::QUICK.estimate(10), Duration::from_millis(120 * 30));
        let plots = Effort { plots: true, ..Effort::QUICK };
        assert_eq!(plots.estimate(10), Duration::from_millis(120 * 30 + 1500));
    }
}
