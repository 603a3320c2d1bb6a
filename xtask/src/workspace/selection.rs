//! Packages and features for the command line of cargo.

use super::{Package, SWITCHES};

/// `-p NAME` for each package, and `--features` with all of their features but the façade's switches.
pub(crate) fn selection(packages: &[&Package]) -> Vec<String> {
    let names = packages.iter().flat_map(|it| ["-p".to_owned(), it.name.clone()]);
    names.chain(features(packages)).collect()
}

/// `--features` with all features of the packages but the façade's switches; nothing if they have none.
pub(crate) fn features(packages: &[&Package]) -> Vec<String> {
    let of = |it: &Package| -> Vec<String> {
        let features = it.features.iter().filter(|feature| !SWITCHES.contains(&feature.as_str()));
        features.map(|feature| format!("{}/{feature}", it.name)).collect()
    };
    let features: Vec<_> = packages.iter().flat_map(|it| of(it)).collect();
    match features.is_empty() {
        true => Vec::new(),
        false => vec!["--features".to_owned(), features.join(",")],
    }
}

/// `-p NAME` for each package, and `--features` with the one of this name in each of them.
pub(crate) fn selection_with(packages: &[&Package], feature: &str) -> Vec<String> {
    let names = packages.iter().flat_map(|it| ["-p".to_owned(), it.name.clone()]);
    let features: Vec<_> = packages.iter().map(|it| format!("{}/{feature}", it.name)).collect();
    names.chain(["--features".to_owned(), features.join(",")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, features: &[&str]) -> Package {
        let features = features.iter().map(|it| (*it).to_owned()).collect();
        Package { name: name.into(), features, ..Package::default() }
    }

    #[test]
    fn a_selection_leaves_out_the_switches_of_the_facade() {
        let (a, b) = (package("a", &["default", "loom", "std"]), package("b", &["shuttle"]));
        assert_eq!(selection(&[&a, &b]), ["-p", "a", "-p", "b", "--features", "a/default,a/std"]);
        assert_eq!(selection(&[&b]), ["-p", "b"]);
    }

    #[test]
    fn a_selection_may_name_one_feature() {
        let (a, b) = (package("a", &["loom", "std"]), package("b", &["loom"]));
        let args = ["-p", "a", "-p", "b", "--features", "a/loom,b/loom"];
        assert_eq!(selection_with(&[&a, &b], "loom"), args);
    }
}
