//! The traits, without their names: `use selvedge_combinators::prelude::*;`

pub use crate::concurrent_stream::{ConcurrentStream, FromConcurrentStream, IntoConcurrentStream};
pub use crate::future::{FutureExt as _, Join as _, Race as _, RaceOk as _, TryJoin as _};
pub use crate::stream::{Chain as _, IntoStream as _, Merge as _, StreamExt as _, Zip as _};
