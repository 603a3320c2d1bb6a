//! What the tests are about that both executors share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub(crate) use selvedge_executor::{Executor, StaticExecutor, Task};

pub(crate) use crate::cells::{Cell, RefCell};

/// For what several tasks hold, which change threads here.
pub(crate) type Shared<T> = std::sync::Arc<T>;
