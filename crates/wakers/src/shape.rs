//! The size of an array.

/// How many slots there are, and how many pages behind the root. Where the array knows both at
/// compile time the code for further pages goes away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) len: usize,
    pub(crate) pages: usize,
}
