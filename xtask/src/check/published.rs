//! What the registry and docs.rs are told of a shipped crate.

use std::fs;

use crate::workspace::Package;

/// Keywords and categories that the registry accepts of each.
const MOST: usize = 5;

/// The longest keyword that it accepts.
const LONGEST_KEYWORD: usize = 20;

/// Categories of the registry, by slug, that suit crates like ours. It ignores those it does not know.
const CATEGORIES: [&str; 10] = [
    "algorithms",
    "asynchronous",
    "caching",
    "concurrency",
    "data-structures",
    "embedded",
    "memory-management",
    "no-std",
    "os",
    "rust-patterns",
];

/// The page that crates.io shows.
const README: &str = "README.md";

/// Turns on what marks items with the feature that they need.
const RUSTDOC_ARGS: [&str; 2] = ["--cfg", "docsrs"];

/// The line of `lib.rs` that goes with it.
const DOC_CFG: &str = "#![cfg_attr(docsrs, feature(doc_cfg))]";

/// What is wrong with how a crate is described.
pub(super) fn check(package: &Package) -> Vec<String> {
    let library = package.dir().join("src/lib.rs");
    let mut found = description(&package.description);
    found.extend(keywords(&package.keywords));
    found.extend(categories(&package.categories));
    found.extend(pages(package));
    found.extend(docs_rs(package, &fs::read_to_string(library).unwrap_or_default()));
    found
}

fn description(description: &str) -> Vec<String> {
    let mut found = Vec::new();
    if description.is_empty() {
        found.push("there is no description".into());
    }
    if ["A ", "An ", "The "].iter().any(|it| description.starts_with(it)) {
        found.push("the description starts with an article".into());
    }
    if description.ends_with('.') {
        found.push("the description ends with a full stop".into());
    }
    found
}

fn keywords(keywords: &[String]) -> Vec<String> {
    let bad = keywords.iter().filter(|it| !is_keyword(it));
    let bad = bad.map(|it| format!("the registry refuses the keyword `{it}`"));
    number("keywords", keywords.len()).into_iter().chain(bad).collect()
}

fn is_keyword(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    let starts = word.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts && word.len() <= LONGEST_KEYWORD && word.chars().all(fits)
}

fn categories(categories: &[String]) -> Vec<String> {
    let unknown = categories.iter().filter(|it| !CATEGORIES.contains(&it.as_str()));
    let unknown =
        unknown.map(|it| format!("the category `{it}` is not among those in {}", file!()));
    number("categories", categories.len()).into_iter().chain(unknown).collect()
}

fn number(of: &str, number: usize) -> Option<String> {
    (!(1..=MOST).contains(&number)).then(|| format!("{number} {of}; there must be 1 to {MOST}"))
}

fn pages(package: &Package) -> Vec<String> {
    let mut found = Vec::new();
    let documentation = format!("https://docs.rs/{}", package.name);
    if package.documentation != documentation {
        found.push(format!("[package] needs `documentation = {documentation:?}`"));
    }
    if package.readme != README {
        found.push(format!("[package] needs `readme = {README:?}`"));
    }
    found
}

/// What is wrong with `[package.metadata.docs.rs]`, and with the first lines of the library.
fn docs_rs(package: &Package, library: &str) -> Vec<String> {
    let (docs_rs, mut found) = (&package.docs_rs, Vec::new());
    let mut need = |what: String| found.push(format!("[package.metadata.docs.rs] needs {what}"));
    let mut features: Vec<_> = package.user_features().collect();
    let mut named: Vec<_> = docs_rs.features.iter().map(String::as_str).collect();
    features.sort_unstable();
    named.sort_unstable();
    if docs_rs.all_features {
        need("no `all-features`, which turns the switches of the façade on".into());
    } else if named != features {
        need(format!("`features = {features:?}`"));
    }
    if docs_rs.rustdoc_args != RUSTDOC_ARGS {
        need(format!("`rustdoc-args = {RUSTDOC_ARGS:?}`"));
    }
    if docs_rs.targets.len() != 1 {
        need("one entry in `targets`: the documentation is the same everywhere".into());
    }
    if !library.lines().any(|line| line == DOC_CFG) {
        found.push(format!("src/lib.rs needs `{DOC_CFG}`"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::DocsRs;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|it| (*it).to_owned()).collect()
    }

    fn package() -> Package {
        Package {
            name: "selvedge-a".into(),
            documentation: "https://docs.rs/selvedge-a".into(),
            readme: README.into(),
            features: texts(&["default", "loom", "shuttle", "std", "tracing"]),
            docs_rs: DocsRs {
                features: texts(&["tracing", "std"]),
                rustdoc_args: texts(&RUSTDOC_ARGS),
                targets: texts(&["x86_64-unknown-linux-gnu"]),
                ..DocsRs::default()
            },
            ..Package::default()
        }
    }

    #[test]
    fn a_description_is_one_sentence_without_an_article() {
        assert_eq!(description("Wakers in one allocation"), [""; 0]);
        assert_eq!(description("A set of wakers.").len(), 2);
        assert_eq!(description("").len(), 1);
    }

    #[test]
    fn keywords_are_those_that_the_registry_accepts() {
        assert_eq!(keywords(&texts(&["async", "no_std", "lock-free"])), [""; 0]);
        assert_eq!(keywords(&[]), ["0 keywords; there must be 1 to 5"]);
        assert_eq!(keywords(&texts(&["a", "b", "c", "d", "e", "f"])).len(), 1);
        let refused = ["", "two words", "_a", "a.b", "longer-than-is-allowed"];
        assert_eq!(keywords(&texts(&refused)).len(), refused.len());
    }

    #[test]
    fn categories_are_slugs_of_the_registry() {
        assert_eq!(categories(&texts(&["asynchronous", "no-std"])), [""; 0]);
        assert_eq!(categories(&[]), ["0 categories; there must be 1 to 5"]);
        assert!(categories(&texts(&["async"]))[0].starts_with("the category `async` is not"));
    }

    #[test]
    fn a_crate_names_its_documentation_and_its_readme() {
        assert_eq!(pages(&package()), [""; 0]);
        assert_eq!(
            pages(&Package { name: "selvedge-b".into(), ..Package::default() }),
            [
                "[package] needs `documentation = \"https://docs.rs/selvedge-b\"`",
                "[package] needs `readme = \"README.md\"`",
            ]
        );
    }

    #[test]
    fn docs_rs_builds_every_feature_but_the_switches() {
        let library = format!("#![doc = \"..\"]\n{DOC_CFG}\n");
        assert_eq!(docs_rs(&package(), &library), [""; 0]);
        let mut one_less = package();
        one_less.docs_rs.features.pop();
        assert_eq!(
            docs_rs(&one_less, &library),
            ["[package.metadata.docs.rs] needs `features = [\"std\", \"tracing\"]`"]
        );
        let mut all = package();
        all.docs_rs.all_features = true;
        assert_eq!(docs_rs(&all, &library).len(), 1);
    }

    #[test]
    fn a_new_crate_is_told_all_that_docs_rs_needs() {
        let found = docs_rs(&Package { features: texts(&["default"]), ..Package::default() }, "");
        assert_eq!(
            found,
            [
                "[package.metadata.docs.rs] needs `rustdoc-args = [\"--cfg\", \"docsrs\"]`",
                "[package.metadata.docs.rs] needs one entry in `targets`: the documentation is the \
                 same everywhere",
                "src/lib.rs needs `#![cfg_attr(docsrs, feature(doc_cfg))]`",
            ]
        );
    }
}
