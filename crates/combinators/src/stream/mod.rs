//! Streams: as they come ([`Merge`]), side by side ([`Zip`]), or one after the other ([`Chain`]).
//!
//! [`StreamGroup`] takes new streams while it runs.

mod chain;
mod ext;
mod into_stream;
mod merge;
pub mod stream_group;
mod wait_until;
mod zip;

pub use self::chain::{Chain, Chained};
pub use self::ext::StreamExt;
pub use self::into_stream::IntoStream;
pub use self::merge::{Merge, Merged};
pub use self::stream_group::StreamGroup;
pub use self::wait_until::WaitUntil;
pub use self::zip::{Zip, Zipped};
