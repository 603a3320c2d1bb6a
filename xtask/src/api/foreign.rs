//! Names of other crates in our surfaces: each binds us to its major version, and has its reason.

use std::collections::BTreeSet;

use super::surface::Surface;

/// Crates of the language.
const LANGUAGE: [&str; 3] = ["core", "alloc", "std"];

/// A crate of ours, what stands in its surface, and why it may.
type Allowed = (&'static str, &'static str, &'static str);

const ALLOWED: &[Allowed] = &[
    ("combinators", "futures_core::future::FusedFuture", "what `select!` asks of a future"),
    ("combinators", "futures_core::stream::FusedStream", "what `select!` asks of a stream"),
    ("combinators", "futures_core::stream::Stream", "the stream trait of the whole field"),
    ("combinators", PROJECTION, PROJECTED),
    ("task-core", "async_task::runnable::Runnable", "what the executors put into their queues"),
    ("task-core", "async_task::runnable::Schedule", "what the executors hand to async-task"),
    ("task-core", "async_task::task::Task", HANDLE),
    ("task-core", PROJECTION, PROJECTED),
    ("local-executor", "async_task::task::Task", HANDLE),
    ("local-executor", "futures_task::future_obj::FutureObj", SPAWNED),
    ("local-executor", "futures_task::future_obj::LocalFutureObj", SPAWNED),
    ("local-executor", "futures_task::spawn::LocalSpawn", SPAWNED),
    ("local-executor", "futures_task::spawn::Spawn", SPAWNED),
    ("local-executor", "futures_task::spawn::SpawnError", SPAWNED),
    ("local-executor", "selvedge_task_core::spawn_error::SpawnError", SHARED),
    ("executor", "async_task::task::Task", HANDLE),
    ("executor", "futures_task::future_obj::FutureObj", SPAWNED),
    ("executor", "futures_task::spawn::Spawn", SPAWNED),
    ("executor", "futures_task::spawn::SpawnError", SPAWNED),
    ("executor", "selvedge_task_core::spawn_error::SpawnError", SHARED),
];

const HANDLE: &str = "handles that work across the smol ecosystem";
const SPAWNED: &str = "what libraries spawn by; with the feature `futures-task` alone";
const SHARED: &str =
    "one error for both executors, re-exported by each; the crate is pinned to one release";
const PROJECTION: &str = "pin_project_lite::__private::PinnedFieldsOf";
const PROJECTED: &str = "written by the macro into the bound of `Unpin`; nobody can name it";

/// Foreign names in the surface of the crate `name` that have no line above, and lines above that
/// name nothing in it.
pub(super) fn findings(name: &str, surface: &Surface) -> Vec<String> {
    compared(name, surface, ALLOWED)
}

fn compared(name: &str, surface: &Surface, allowed: &[Allowed]) -> Vec<String> {
    let own = format!("selvedge_{}", name.replace('-', "_"));
    let found: BTreeSet<_> =
        surface.lines().flat_map(paths).filter(|it| is_foreign(it, &own)).collect();
    let allowed: Vec<_> = allowed.iter().filter(|it| it.0 == name).map(|it| it.1).collect();
    let list = "the list in xtask/src/api/foreign.rs";
    let new = found.iter().filter(|it| !allowed.contains(it));
    let stale = allowed.iter().filter(|it| !found.contains(**it));
    let new = new.map(|it| format!("foreign in the surface, and not on {list}: {it}"));
    new.chain(stale.map(|it| format!("on {list}, but not in the surface: {it}"))).collect()
}

/// Every path in a line.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.map(|it| it.trim_end_matches(':')).filter(|it| it.contains("::"))
}

/// Whether a path starts at a crate that is neither `own` nor one of the language.
fn is_foreign(path: &str, own: &str) -> bool {
    let root = path.split("::").next().unwrap_or_default();
    // `Self::Item` and `T::Output` start with a type, `<T as A>::B` leaves nothing before the colons.
    let is_crate = root.starts_with(|c: char| c.is_ascii_lowercase());
    is_crate && root != own && !LANGUAGE.contains(&root)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "pub fn selvedge_local_executor::A::b<T: 'a, F: core::future::Future>(&self) \
                        -> async_task::task::Task<<F as core::future::Future>::Output>\n";

    fn findings_in(name: &str, text: &str) -> Vec<String> {
        let allowed = [("local-executor", "async_task::task::Task", "handles")];
        compared(name, &Surface::printed(text), &allowed)
    }

    #[test]
    fn foreign_types_need_a_line_and_lines_need_a_type() {
        assert_eq!(findings_in("local-executor", TASK), [""; 0]);
        let found = findings_in("wakers", TASK);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with("foreign.rs: async_task::task::Task"), "{found:?}");
        assert!(found[1].ends_with("foreign.rs: selvedge_local_executor::A::b"), "{found:?}");
        let found = findings_in("local-executor", "pub mod selvedge_local_executor\n");
        assert!(found[0].starts_with("on the list"), "{found:?}");
    }

    #[test]
    fn paths_below_types_are_not_foreign() {
        let text = "pub fn selvedge_wakers::A::b(Self::Item, T::Output) -> <T as core::c::D>::E\n";
        assert_eq!(findings_in("wakers", text), [""; 0]);
    }

    #[test]
    fn every_reason_is_written() {
        assert!(
            ALLOWED.iter().all(|(of, path, why)| [of, path, why].iter().all(|it| !it.is_empty()))
        );
    }
}
