//! The spans of the feature `tracing`.

#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/tracing.rs"]
mod tracing;
