//! Files of the repository, without what is built or hidden in it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::error::Result;

/// What holds no sources: folders, and the file that stands for one in a second work tree.
const SKIPPED: [&str; 2] = ["target", ".git"];

/// Files below `folder` with this extension, in order; none if there is no such folder.
pub(crate) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = all(folder)?;
    found.retain(|it| it.extension().is_some_and(|it| it == extension));
    Ok(found)
}

/// Every file below `folder`, in order; none if there is no such folder.
pub(crate) fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        walk(folder, &mut found)?;
        found.sort();
    }
    Ok(found)
}

/// Whether a path with forward slashes is that of unit tests beside what they test.
pub(crate) fn is_unit_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let skipped = SKIPPED.contains(&&*name) || name.starts_with("target-");
        if skipped {
            continue;
        }
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}
