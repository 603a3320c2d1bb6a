//! The traits, without their names: `use selvedge_combinators::prelude::*;`
//!
//! A trait whose name you write, as in `<(A, B) as Join>::Future`, is imported from [`future`](crate::future) or
//! [`stream`](crate::stream); those of [`concurrent_stream`](crate::concurrent_stream) come with their names.

pub use crate::concurrent_stream::{ConcurrentStream, FromConcurrentStream, IntoConcurrentStream};
pub use crate::future::{FutureExt as _, Join as _, Race as _, RaceOk as _, TryJoin as _};
pub use crate::stream::{Chain as _, IntoStream as _, Merge as _, StreamExt as _, Zip as _};
