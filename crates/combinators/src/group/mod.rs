//! Children that come and go: the core of both groups.

mod children;
mod chunks;
mod key;

pub(crate) use self::children::{GroupChildren, Turn};
pub use self::key::Key;
