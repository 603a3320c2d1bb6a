//! Links from a README to pages of docs.rs, which rustdoc does not check: the registry shows the README
//! too, where only whole addresses work.

use std::{fs, path::Path};

use crate::workspace::Package;

/// Where the documentation of our crates begins.
const START: &str = "https://docs.rs/selvedge-";

/// The release that links are to show.
const RELEASE: &str = "/latest/";

/// Links of a package's README for which there is no page among the built ones.
pub(super) fn broken(package: &Package, pages: &Path) -> Vec<String> {
    let readme = package.dir().join("README.md");
    let text = fs::read_to_string(&readme).unwrap_or_default();
    let broken = linked(&text).filter(|page| !pages.join(page).is_file());
    broken
        .map(|page| format!("{}: README.md links to {page}, which is not there", package.name))
        .collect()
}

/// The pages that a text links to, as paths below the folder of all documentation.
fn linked(text: &str) -> impl Iterator<Item = &str> {
    text.split(START).skip(1).filter_map(page)
}

/// The page of a link whose start is cut off.
fn page(link: &str) -> Option<&str> {
    let end = link.find(|c: char| c.is_whitespace() || ")#>\"".contains(c));
    Some(link[..end.unwrap_or(link.len())].split_once(RELEASE)?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_in_links() {
        let text = "[a](https://docs.rs/selvedge-a/latest/selvedge_a/index.html), [b]\n\n\
                    [b]: https://docs.rs/selvedge-b/latest/b/struct.B.html#method.c\n\
                    [crate](https://docs.rs/selvedge-c) <https://docs.rs/other/latest/other/>\n";
        let pages: Vec<_> = linked(text).collect();
        assert_eq!(pages, ["selvedge_a/index.html", "b/struct.B.html"]);
    }

    #[test]
    fn a_link_to_nowhere_is_told() {
        let package = Package {
            name: "selvedge-x".into(),
            manifest: Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/wakers/Cargo.toml"),
            ..Package::default()
        };
        let found = broken(&package, Path::new("nowhere"));
        assert!(
            found
                .iter()
                .all(|it| it.starts_with("selvedge-x: README.md links to selvedge_wakers/"))
        );
        assert!(!found.is_empty());
    }
}
