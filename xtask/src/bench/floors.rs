//! `--check`: the floor of each ratio, promised in `benches/floors.toml`.
//!
//! ```toml
//! [local.async-executor]
//! spawn_one = 6.0
//! "array::join 10" = 1.2
//! ```

use std::{fs, path::Path};

use toml::Table;

use super::results::TableResult;
use crate::error::{Error, Result};

/// The file, from the root of the workspace.
pub(crate) const FILE: &str = "benches/floors.toml";

/// A promise: against this peer, this row's ratio is not below that.
#[derive(Debug, PartialEq)]
pub(crate) struct Floor {
    table: String,
    peer: String,
    /// The row's name, with its size behind a space.
    row: String,
    ratio: f64,
}

/// Reads the promises.
pub(crate) fn load(root: &Path) -> Result<Vec<Floor>> {
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| Error::failed(format!("cannot read {FILE}: {error}")))?;
    parse(&text).map_err(|what| Error::failed(format!("{FILE}: {what}")))
}

fn parse(text: &str) -> Result<Vec<Floor>, String> {
    let tables: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut floors = Vec::new();
    for (table, peers) in &tables {
        let peers = peers.as_table().ok_or_else(|| format!("`{table}` is not a table"))?;
        for (peer, rows) in peers {
            let rows = rows.as_table().ok_or_else(|| format!("`{table}.{peer}` is not a table"))?;
            for (row, ratio) in rows {
                let number = ratio
                    .as_float()
                    .or_else(|| Some(i32::try_from(ratio.as_integer()?).ok()?.into()));
                let ratio =
                    number.ok_or_else(|| format!("`{table}.{peer}.{row}` is not a number"))?;
                let (table, peer, row) = (table.clone(), peer.clone(), row.clone());
                floors.push(Floor { table, peer, row, ratio });
            }
        }
    }
    Ok(floors)
}

/// What a check came to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Checked {
    /// Promises that were measured and hold.
    pub(crate) held: usize,
    /// One line for each that is broken: the whole range lies below the floor.
    pub(crate) broken: Vec<String>,
    /// Promises of tables that were measured, without a row or peer of that name.
    pub(crate) unknown: Vec<String>,
}

/// Compares what was measured with the promises; `whole` says whether all rows and peers were asked for.
pub(crate) fn check(floors: &[Floor], tables: &[TableResult], whole: bool) -> Checked {
    let mut checked = Checked::default();
    for floor in floors {
        let Floor { table, peer, row, ratio } = floor;
        let Some(measured) = tables.iter().find(|it| it.table == *table) else { continue };
        let figures = measured.rows.iter().find(|it| it.label == *row).and_then(|it| it.of(peer));
        match figures.map(|it| it.ratio) {
            None if whole => checked.unknown.push(format!("{table}: {row} against {peer}")),
            None => {}
            Some(found) if found.high < *ratio => checked.broken.push(format!(
                "{table}: {row} against {peer} is {:.2}× [{:.2}, {:.2}], all of it below {ratio:.2}×",
                found.median, found.low, found.high,
            )),
            Some(_) => checked.held += 1,
        }
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results;

    const FLOORS: &str = "[t.peer]\nwin = 8\n\"loss 10\" = 0.7\ngone = 1.0\n[u.peer]\nrow = 1.0\n";

    #[test]
    fn a_row_is_broken_if_its_whole_range_lies_below_its_floor() {
        let floors = parse(FLOORS).unwrap();
        let checked = check(&floors, &results::sample(), true);
        let broken = "t: loss 10 against peer is 0.50× [0.50, 0.60], all of it below 0.70×";
        assert_eq!((checked.held, &checked.broken[..]), (1, &[broken.to_owned()][..]));
        assert_eq!(checked.unknown, ["t: gone against peer"]);
        let near = parse("[t.peer]\n\"loss 10\" = 0.6\n").unwrap();
        assert_eq!(check(&near, &results::sample(), true).held, 1);
    }

    #[test]
    fn rows_that_were_not_asked_for_are_not_missed() {
        let checked = check(&parse(FLOORS).unwrap(), &results::sample(), false);
        assert!(checked.unknown.is_empty());
    }

    #[test]
    fn what_is_no_floor_is_named() {
        assert_eq!(parse("t = 1").unwrap_err(), "`t` is not a table");
        assert_eq!(parse("[t.p]\nrow = \"x\"").unwrap_err(), "`t.p.row` is not a number");
    }
}
