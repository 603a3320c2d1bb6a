//! What users of async-executor rely on: its published tests and doctests by subject.

#[path = "../../task-core/tests/shared/compat.rs"]
mod compat;
#[path = "support/subject.rs"]
mod subject;
