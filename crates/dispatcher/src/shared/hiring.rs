//! How the worker of a static is spawned.

/// How the worker of a static is spawned: what is said of its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hiring {
    pub(crate) name: &'static str,
    /// `None`: as large as the platform makes it.
    pub(crate) stack_size: Option<usize>,
}
