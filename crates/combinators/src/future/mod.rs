//! Futures: wait for all of them, for the first, or for whichever comes next.
//!
//! | | wait for all | wait for the first |
//! |---|---|---|
//! | go on after an error | [`Join`] | [`RaceOk`] |
//! | stop at an error | [`TryJoin`] | [`Race`] |
//!
//! [`FutureGroup`] takes new futures while it runs.

mod aggregate_error;
mod combine;
mod ext;
pub mod future_group;
mod join;
mod race;
mod race_ok;
mod try_join;
mod wait_until;

pub(crate) use self::aggregate_error::ListErrors;
pub use self::aggregate_error::{AggregateError, ErrorList};
pub use self::combine::Combine;
pub use self::ext::FutureExt;
pub use self::future_group::FutureGroup;
pub use self::join::{Join, Joining};
pub use self::race::{Race, Racing};
pub use self::race_ok::{RaceOk, RacingOk};
pub use self::try_join::{TryJoin, TryJoining};
pub use self::wait_until::WaitUntil;
