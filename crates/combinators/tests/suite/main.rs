//! What the combinators promise, one file per subject.

mod aliases;
mod concurrent;
mod containers;
mod empty;
mod fairness;
mod field_notes;
mod groups;
mod harness;
mod hints;
mod misuse;
mod model;
mod panics;
mod subject;
mod support;
mod threads;
