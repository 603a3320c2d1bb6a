//! `--save` and `--against`: results that are kept, and what has changed since.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{
    results::TableResult,
    stats::Ratio,
    table::{aligned, range, times},
};
use crate::error::{Error, Result};

/// Where results are kept, in the target folder.
pub(crate) fn path(target_dir: &Path, name: &str) -> Result<PathBuf> {
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || !name.chars().all(good) || name.starts_with('.') {
        return Err(Error::usage(format!(
            "`{name}` is no name for results: take letters, digits, `-`, `_`, `.`"
        )));
    }
    Ok(target_dir.join("xtask-bench").join("saved").join(format!("{name}.json")))
}

/// Keeps what `json` says.
pub(crate) fn save(path: &Path, json: &str) -> Result {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(path, json)?;
    Ok(())
}

/// Reads what was kept.
pub(crate) fn load(path: &Path, name: &str) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|_| {
        Error::usage(format!("nothing was kept as `{name}`; `--save {name}` keeps a run"))
    })?;
    Ok(serde_json::from_str(&text)?)
}

/// In what the hosts of two runs differ, if that spoils the comparison.
pub(crate) fn differences(then: &Value, now: &Value) -> Vec<String> {
    ["processor", "cores", "compiler"]
        .into_iter()
        .filter(|key| then[key] != now[key])
        .map(|key| format!("{key}: {} then, {} now", then[key], now[key]))
        .collect()
}

/// Every ratio then and now, and how many of them have ranges apart from each other.
pub(crate) fn compare(name: &str, then: &Value, tables: &[TableResult]) -> String {
    let mut cells = vec![["row", "peer", "then", "", "now", "", ""].map(str::to_owned)];
    let (mut moved, mut all) = (0, 0);
    for table in tables {
        for row in &table.rows {
            for figures in row.subjects.iter().skip(1) {
                let kept = find(then, &table.table, &row.row, row.size, &figures.subject);
                let Some(kept) = kept else { continue };
                let now = figures.ratio;
                let word = if now.low > kept.high {
                    "better"
                } else if now.high < kept.low {
                    "worse"
                } else {
                    ""
                };
                all += 1;
                moved += usize::from(!word.is_empty());
                cells.push([
                    format!("{} {}", table.table, row.label),
                    figures.subject.clone(),
                    times(kept.median),
                    range(&kept),
                    times(now.median),
                    range(&now),
                    word.to_owned(),
                ]);
            }
        }
    }
    let mut text = format!("against {name}\n");
    for line in aligned(&cells) {
        text = text + line.trim_end() + "\n";
    }
    text + &format!("{moved} of {all} ratios have ranges apart from those of `{name}`\n")
}

fn find(kept: &Value, table: &str, row: &str, size: Option<u64>, subject: &str) -> Option<Ratio> {
    let among = |values: &Value, is: &dyn Fn(&Value) -> bool| {
        values.as_array()?.iter().find(|it| is(it)).cloned()
    };
    let table = among(&kept["tables"], &|it| it["table"] == table)?;
    let size = size.map_or(Value::Null, Value::from);
    let row = among(&table["rows"], &|it| it["row"] == row && it["size"] == size)?;
    let it = among(&row["subjects"], &|it| it["subject"] == subject)?;
    let number = |key: &str| it[key].as_f64();
    Some(Ratio { median: number("ratio")?, low: number("ratio_low")?, high: number("ratio_high")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{host, json, plan, results};

    fn kept() -> Value {
        let effort = plan::Effort::from_flags(&plan::flags()).unwrap();
        serde_json::from_str(&json::render(&host::tests::host(), &effort, &results::sample()))
            .unwrap()
    }

    #[test]
    fn a_ratio_has_moved_if_the_ranges_are_apart() {
        let same = compare("base", &kept(), &results::sample());
        assert!(same.ends_with("0 of 3 ratios have ranges apart from those of `base`\n"), "{same}");
        let mut then = kept();
        then["tables"][0]["rows"][0]["subjects"][1]["ratio_high"] = 8.0.into();
        then["tables"][0]["rows"][1]["subjects"][1]["ratio_low"] = 0.9.into();
        let moved = compare("base", &then, &results::sample());
        assert!(moved.contains("better") && moved.contains("worse"), "{moved}");
        assert!(
            moved.ends_with("2 of 3 ratios have ranges apart from those of `base`\n"),
            "{moved}"
        );
    }

    #[test]
    fn another_host_is_named() {
        let (then, mut now) = (kept()["host"].clone(), kept()["host"].clone());
        assert!(differences(&then, &now).is_empty());
        now["cores"] = 64.into();
        assert_eq!(differences(&then, &now), ["cores: 2 then, 64 now"]);
    }

    #[test]
    fn names_stay_in_their_folder() {
        assert!(path(Path::new("t"), "../x").is_err() && path(Path::new("t"), "").is_err());
        assert!(path(Path::new("t"), "before-1.2").unwrap().ends_with("saved/before-1.2.json"));
    }
}
