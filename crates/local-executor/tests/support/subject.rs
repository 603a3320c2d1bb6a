//! What the tests are about that both executors share.
#![allow(dead_code, unused_imports, reason = "no test uses all of it")]

pub(crate) use std::cell::{Cell, RefCell};

pub(crate) use selvedge_local_executor::{
    LocalExecutor as Executor, StaticLocalExecutor as StaticExecutor, Task,
};

/// For what several tasks hold, which stay on their thread here.
pub(crate) type Shared<T> = std::rc::Rc<T>;
