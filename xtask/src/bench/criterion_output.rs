//! The files that Criterion leaves: where they are and what they say.
//!
//! A folder's name says little: Criterion replaces characters in it and cuts it at 64. The id
//! stands in `benchmark.json`.

use std::{
    cell::RefCell,
    collections::{BTreeMap, btree_map::Entry},
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::plan::Id;
use crate::error::{Error, Result};

/// The folder of the newest measurement of a benchmark.
const NEW: &str = "new";

/// Criterion's output folder.
#[derive(Debug)]
pub(crate) struct CriterionOutput {
    home: PathBuf,
    /// Folders of newest measurements that were found, each with the id it had then. A walk reads
    /// only those that are not here.
    found: RefCell<BTreeMap<PathBuf, String>>,
}

impl CriterionOutput {
    /// The output below `home`, which need not exist yet.
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, found: RefCell::default() }
    }

    /// The folder to hand to Criterion.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The first page of the HTML report.
    pub(crate) fn report(&self) -> PathBuf {
        self.home.join("report").join("index.html")
    }

    /// Removes the newest measurement of `id`, so that only a later one can be read.
    pub(crate) fn forget(&self, id: &Id) -> Result {
        if self.found.borrow().is_empty() {
            self.walk()?;
        }
        self.folder(id)?.map_or(Ok(()), |dir| Ok(fs::remove_dir_all(dir)?))
    }

    /// Median nanoseconds per iteration of the newest measurement of `id`.
    pub(crate) fn median(&self, id: &Id) -> Result<f64> {
        let dir = self.find(id)?.ok_or_else(|| {
            Error::failed(format!("Criterion left no measurement of `{id}`; it may be too short"))
        })?;
        let median = median(&fs::read_to_string(dir.join("estimates.json"))?)?;
        median
            .ok_or_else(|| Error::failed(format!("Criterion's estimates of `{id}` lack a median")))
    }

    /// The folder of the newest measurement of `id`, wherever Criterion put it.
    fn find(&self, id: &Id) -> Result<Option<PathBuf>> {
        for all in [false, true] {
            if let Some(dir) = self.folder(id)? {
                return Ok(Some(dir));
            }
            if all {
                self.found.borrow_mut().clear();
            }
            self.walk()?;
        }
        self.folder(id)
    }

    /// The folder that `id` had and still has.
    fn folder(&self, id: &Id) -> Result<Option<PathBuf>> {
        let full_id = id.to_string();
        let found = self.found.borrow();
        let dir = found.iter().find(|(_, it)| **it == full_id).map(|(dir, _)| dir.clone());
        match dir {
            Some(dir) if benchmark_id(&dir)?.as_ref() == Some(&full_id) => Ok(Some(dir)),
            _ => Ok(None),
        }
    }

    /// Reads the ids of the measurements that were not found before.
    fn walk(&self) -> Result {
        let mut found = self.found.borrow_mut();
        let mut folders = vec![self.home.clone()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                if !entry.file_type()?.is_dir() {
                    continue;
                }
                let path = entry.path();
                if entry.file_name() != NEW {
                    folders.push(path);
                } else if let Entry::Vacant(place) = found.entry(path) {
                    if let Some(id) = benchmark_id(place.key())? {
                        place.insert(id);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The id that the measurement in `dir` belongs to; `None` for one that was broken off.
fn benchmark_id(dir: &Path) -> Result<Option<String>> {
    match fs::read_to_string(dir.join("benchmark.json")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        text => Ok(full_id(&serde_json::from_str(&text?)?)),
    }
}

/// An id as Criterion prints it, put together from its parts.
fn full_id(benchmark: &Value) -> Option<String> {
    let group = benchmark["group_id"].as_str()?;
    let parts = [&benchmark["function_id"], &benchmark["value_str"]];
    Some(
        parts
            .iter()
            .filter_map(|it| it.as_str())
            .fold(group.to_owned(), |id, part| id + "/" + part),
    )
}

fn median(estimates: &str) -> Result<Option<f64>> {
    let estimates: Value = serde_json::from_str(estimates)?;
    Ok(estimates["median"]["point_estimate"].as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_found_by_its_id_and_forgotten() {
        let home = std::env::temp_dir().join(format!("xtask-criterion-{}", std::process::id()));
        let output = CriterionOutput::new(home.clone());
        let id = Id::parse("t/one woken join/selvedge/10").unwrap();
        output.forget(&id).unwrap();
        assert!(output.median(&id).is_err());
        for (dir, size, median) in [("a", "100", 7.5), ("cut_short", "10", 2.5)] {
            let dir = home.join("t").join(dir).join("new");
            fs::create_dir_all(&dir).unwrap();
            let benchmark = format!(
                r#"{{"group_id":"t","function_id":"one woken join/selvedge",
                    "value_str":"{size}","throughput":{{"Elements":1}}}}"#,
            );
            fs::write(dir.join("benchmark.json"), benchmark).unwrap();
            let estimates = format!(r#"{{"median":{{"point_estimate":{median}}}}}"#);
            fs::write(dir.join("estimates.json"), estimates).unwrap();
        }
        assert_eq!(output.median(&id).unwrap(), 2.5);
        output.forget(&id).unwrap();
        assert!(output.median(&id).is_err());
        let other_folder = home.join("t").join("a").join("new");
        fs::rename(&other_folder, home.join("t").join("cut_short").join("new")).unwrap();
        let other = Id::parse("t/one woken join/selvedge/100").unwrap();
        assert_eq!(output.median(&other).unwrap(), 7.5);
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn an_id_without_a_size_is_read() {
        let json = r#"{"group_id":"local","function_id":"spawn_one/tokio","value_str":null}"#;
        let id = full_id(&serde_json::from_str(json).unwrap());
        assert_eq!(id.as_deref(), Some("local/spawn_one/tokio"));
    }
}
