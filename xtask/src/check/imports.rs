//! Which crate may depend on what: edges among ours, others by name and with a reason, peers in
//! the benchmarks alone.

use crate::{
    error::Result,
    stages::{Outcome, verdict},
    workspace::{Dependency, Package, Workspace},
};

/// Each shipped crate, and those of ours that it may see.
const EDGES: &[(&str, &[&str])] = &[
    ("sync", &[]),
    ("wakers", &["sync"]),
    ("combinators", &["wakers"]),
    ("task-core", &["sync"]),
    ("local-executor", &["sync", "task-core"]),
    ("executor", &["sync", "task-core"]),
    ("dispatcher", &["sync"]),
];

/// Normal dependencies of shipped crates on crates of others, each with its reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("sync", "loom", "the model checker; optional, and under the private cfg only"),
    ("sync", "shuttle", "random schedules; optional, and under the private cfg only"),
    ("combinators", "futures-core", "the `Stream`, `FusedFuture` and `FusedStream` traits"),
    ("combinators", "pin-project-lite", "safe projection of pinned futures"),
    ("task-core", "async-task", "the task type, shared with the smol ecosystem"),
    ("task-core", "concurrent-queue", "the inbox that threads which drive nothing push into"),
    ("task-core", "pin-project-lite", "safe projection of pinned futures"),
    ("task-core", "tracing", "spans around tasks; optional"),
    ("dispatcher", "tracing", "spans around closures; optional"),
    ("dispatcher", "libc", "the fork handler; optional, and on Unix only"),
    ("local-executor", "async-task", "the task type, shared with the smol ecosystem"),
    ("local-executor", "futures-task", "the traits by which libraries spawn; optional"),
    ("local-executor", "pin-project-lite", "safe projection of pinned futures"),
    ("local-executor", "slab", "the wakers of tasks that wait, with stable keys and no hashing"),
    ("executor", "async-task", "the task type, shared with the smol ecosystem"),
    ("executor", "futures-task", "the traits by which libraries spawn; optional"),
    ("executor", "pin-project-lite", "safe projection of pinned futures"),
];

/// Allowed in the façade if optional and in the table of this target only.
const HIDDEN: [(&str, &str); 2] =
    [("loom", "cfg(selvedge_loom)"), ("shuttle", "cfg(selvedge_shuttle)")];

/// The crate whose switches the tests of every other may use.
const FACADE: &str = "sync";

/// What the benchmarks compare us with.
const PEERS: &[&str] = &[
    "async-executor",
    "crossbeam-channel",
    "futures",
    "futures-buffered",
    "futures-concurrency",
    "glean-core",
    "tokio",
];

/// The member that may name peers, and any of ours.
const BENCHES: &str = "benches";

/// Prints the edges there are and compares them with the rules.
pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    for package in workspace.shipped() {
        println!("{}", describe(package));
    }
    verdict(&workspace.packages.iter().flat_map(findings).collect::<Vec<_>>())
}

/// One line of the list: a crate, those of ours it sees, and the others.
fn describe(package: &Package) -> String {
    let normal = || package.dependencies.iter().filter(|it| it.kind == "normal");
    let ours: Vec<_> = normal().filter_map(Dependency::ours).collect();
    let others: Vec<_> = normal().filter(|it| it.ours().is_none()).map(|it| &*it.name).collect();
    let or_none = |names: Vec<&str>| match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.join(", "),
    };
    let name = package.short_name();
    format!("{name:<14} -> {}; of others: {}", or_none(ours), or_none(others))
}

fn findings(package: &Package) -> Vec<String> {
    let finding = |dependency: &Dependency| {
        let why = refusal(package, dependency)?;
        Some(format!("{} must not depend on {}: {why}", package.name, dependency.name))
    };
    package.dependencies.iter().filter_map(finding).collect()
}

/// Why a dependency is against the rules, if it is.
fn refusal(package: &Package, dependency: &Dependency) -> Option<String> {
    let from = package.short_name();
    if PEERS.contains(&&*dependency.name) && from != BENCHES {
        return Some("only the benchmarks name a peer".into());
    }
    if package.shipped && dependency.kind == "dev" && dependency.ours() == Some(FACADE) {
        return None;
    }
    if let Some(to) = dependency.ours() {
        return refused_edge(package, to);
    }
    if !package.shipped || dependency.kind != "normal" {
        return None;
    }
    let (name, target) = (dependency.name.as_str(), dependency.target.as_str());
    if !ALLOWED.iter().any(|(of, to, _)| (*of, *to) == (from, name)) {
        return Some("it is not on the list in xtask/src/check/imports.rs".into());
    }
    let (_, table) = HIDDEN.iter().find(|(of, _)| *of == name)?;
    let hidden = dependency.optional && target == *table;
    (!hidden).then(|| format!("it must be optional and in the table of `{table}`"))
}

/// Why `package` may not see our crate `to`, if so.
fn refused_edge(package: &Package, to: &str) -> Option<String> {
    if !package.shipped {
        let benches = package.short_name() == BENCHES && to != BENCHES;
        return (!benches).then(|| "only the benchmarks see our crates".into());
    }
    match EDGES.iter().find(|(from, _)| *from == package.short_name()) {
        None => Some("the crate has no line in xtask/src/check/imports.rs".into()),
        Some((_, allowed)) if allowed.contains(&to) => None,
        Some((_, [])) => Some("it may see none of our crates".into()),
        Some((_, allowed)) => Some(format!("of ours it may see {} only", allowed.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, shipped: bool) -> Package {
        Package { name: name.into(), shipped, ..Package::default() }
    }

    fn dependency(name: &str, kind: &str) -> Dependency {
        Dependency { name: name.into(), kind: kind.into(), ..Dependency::default() }
    }

    fn refused(from: &str, shipped: bool, to: &str, kind: &str) -> bool {
        refusal(&package(from, shipped), &dependency(to, kind)).is_some()
    }

    #[test]
    fn imports_among_ours_run_one_way() {
        assert!(!refused("selvedge-wakers", true, "selvedge-sync", "normal"));
        assert!(!refused("selvedge-combinators", true, "selvedge-wakers", "normal"));
        assert!(refused("selvedge-combinators", true, "selvedge-sync", "normal"));
        assert!(refused("selvedge-sync", true, "selvedge-wakers", "normal"));
        assert!(refused("selvedge-executor", true, "selvedge-local-executor", "dev"));
        assert!(refused("selvedge-new", true, "selvedge-sync", "normal"));
        assert!(!refused("selvedge-benches", false, "selvedge-executor", "normal"));
        assert!(refused("xtask", false, "selvedge-sync", "normal"));
        assert!(refused("selvedge-wakers", true, "selvedge-benches", "dev"));
    }

    #[test]
    fn dependencies_on_others_are_listed() {
        assert!(!refused("selvedge-local-executor", true, "slab", "normal"));
        assert!(refused("selvedge-local-executor", true, "parking_lot", "normal"));
        assert!(!refused("selvedge-local-executor", true, "futures-lite", "dev"));
        assert!(refused("selvedge-sync", true, "loom", "normal"));
        for (name, table) in HIDDEN {
            let hidden =
                Dependency { optional: true, target: table.into(), ..dependency(name, "normal") };
            assert_eq!(refusal(&package("selvedge-sync", true), &hidden), None);
        }
    }

    #[test]
    fn tests_of_every_crate_may_use_the_switches_of_the_facade() {
        assert!(!refused("selvedge-combinators", true, "selvedge-sync", "dev"));
        assert!(refused("selvedge-combinators", true, "selvedge-sync", "normal"));
        assert!(refused("xtask", false, "selvedge-sync", "dev"));
    }

    #[test]
    fn peers_are_named_by_the_benchmarks_alone() {
        assert!(refused("selvedge-local-executor", true, "tokio", "dev"));
        assert!(refused("xtask", false, "futures", "normal"));
        assert!(!refused("selvedge-benches", false, "tokio", "normal"));
    }

    #[test]
    fn every_reason_is_written() {
        assert!(ALLOWED.iter().all(|(of, to, why)| [of, to, why].iter().all(|it| !it.is_empty())));
    }
}
