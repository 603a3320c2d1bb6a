//! Streams: as they come, side by side, or one after the other.

mod chain;
mod into_stream;
mod merge;
mod zip;

pub use self::chain::{Chain, Chained};
pub use self::into_stream::IntoStream;
pub use self::merge::{Merge, Merged};
pub use self::zip::{Zip, Zipped};
