//! Sets of children: what the poll logic sees of arrays, vectors, slices and tuples.
//!
//! The combinators are written once, over [`FutureSet`], [`StreamSet`] and [`RowSet`]. A set knows
//! how to poll its child `i` and how to drop children in place; when to do so is not its affair.
//!
//! ```text
//! [C; N]            -> Children<Inline>  \
//! Vec<C>            -> Children<Heap>     |  one type of child: found by its address
//! Box<[C]>          -> Children<Boxed>    |
//! Pin<&mut [C]>     -> Children<Borrowed> /
//! (A, B, C)         -> Slots3<Slot, Slot, Slot>: found by a match on the index
//! ```

#![expect(missing_debug_implementations, reason = "combinators show what there is to see")]
#![expect(unnameable_types, reason = "types are named through their container")]

mod children;
mod containers;
mod empty;
mod futures;
mod ledger;
mod liveness;
mod memory;
mod rows;
mod slot;
mod streams;
mod tuples;
mod wakers;

pub(crate) use self::containers::{IntoFutures, IntoRows, IntoStreams};
pub(crate) use self::futures::{FutureSet, Mode, Polled};
pub(crate) use self::rows::{RowSet, RowStep};
pub(crate) use self::streams::{StreamSet, add_hints};
pub(crate) use self::wakers::Wakers;
