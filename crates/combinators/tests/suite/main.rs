//! What the combinators promise, one file per subject.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod aliases;
mod chains;
mod concurrent;
mod containers;
mod empty;
mod fairness;
mod field_notes;
mod groups;
mod harness;
mod hints;
mod late;
mod misuse;
mod model;
mod panics;
mod parents;
mod stress;
mod subject;
mod support;
mod threads;
