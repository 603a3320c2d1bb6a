//! The rows that the program knows.

use std::path::Path;

use xshell::{Shell, cmd};

use crate::{
    bench::OURS,
    error::{Error, Result},
};

/// A row of one subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// `table/row/subject` or `table/row/subject/size`, as the program knows it.
    pub(super) id: String,
    pub(super) subject: String,
    /// Operations of a sample.
    pub(super) sample: u64,
}

impl Row {
    fn parse(line: &str) -> Result<Self> {
        let malformed = || Error::failed(format!("unexpected row `{line}`"));
        let (id, sample) = line.rsplit_once(' ').ok_or_else(malformed)?;
        let subject = id.split('/').nth(2).ok_or_else(malformed)?;
        let sample = sample.parse().map_err(|_| malformed())?;
        Ok(Self { id: id.to_owned(), subject: subject.to_owned(), sample })
    }

    /// The row without its subject: `table/row` or `table/row/size`.
    pub(super) fn path(&self) -> String {
        let parts = self.id.split('/').enumerate().filter(|(i, _)| *i != 2);
        parts.map(|(_, part)| part).collect::<Vec<_>>().join("/")
    }

    /// Whether it is a row of ours, whose counts are committed, not of a peer.
    pub(super) fn is_ours(&self) -> bool {
        self.subject == OURS
    }
}

/// Every row of every subject.
pub(super) fn list(sh: &Shell, program: &Path) -> Result<Vec<Row>> {
    cmd!(sh, "{program}").quiet().read()?.lines().map(Row::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_known_by_its_path_and_its_subject() {
        let row = Row::parse("wakers/one woken join/selvedge/100 2000").unwrap();
        assert_eq!((row.path().as_str(), row.sample), ("wakers/one woken join/100", 2000));
        assert!(row.is_ours());
        let row = Row::parse("local/spawn_one/tokio 7").unwrap();
        assert_eq!((row.path().as_str(), row.is_ours()), ("local/spawn_one", false));
        assert!(Row::parse("local/spawn_one").is_err() && Row::parse("local 3").is_err());
    }
}
