//! What users of async-executor's local executor rely on: its published tests and doctests by subject.

#[path = "support/cells.rs"]
mod cells;
#[path = "../../task-core/tests/shared/compat.rs"]
mod compat;
#[path = "support/subject.rs"]
mod subject;
