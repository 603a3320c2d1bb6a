//! Table `wakers`: combinators and groups, which wait for many children at once.
//!
//! A trait per operation, since not every subject has every one of them. A container that a subject
//! does not know leaves a blank in the table.

pub mod countdown;
pub mod rows;
pub mod signals;
pub mod subjects;
pub mod workloads;

#[cfg(test)]
mod tests;

use futures_lite::Stream;

/// What is measured.
pub trait Subject {
    /// The subject's name in the table.
    const NAME: &'static str;
}

/// Waits for all futures of a `C`.
pub trait Joins<C>: Subject {
    /// All outputs.
    type Outputs;

    /// Waits for all.
    fn join(futures: C) -> impl Future<Output = Self::Outputs>;
}

/// Waits for the first future of a `C`, and drops the others.
pub trait Races<C>: Subject {
    /// The output of the winner.
    type Output;

    /// Waits for the first.
    fn race(futures: C) -> impl Future<Output = Self::Output>;
}

/// Gives the items of all streams of a `C` as they come.
pub trait Merges<C>: Subject {
    /// What the streams give.
    type Item;

    /// Merges all.
    fn merge(streams: C) -> impl Stream<Item = Self::Item>;
}

/// Keeps a set of futures that changes while it is polled.
pub trait Groups<F: Future>: Subject {
    /// The set, a stream of outputs.
    type Group: Stream<Item = F::Output> + Default + Unpin;

    /// Names a future of the set; `()` where the subject cannot.
    type Key;

    /// Adds a future.
    fn insert(group: &mut Self::Group, future: F) -> Self::Key;
}

/// A set out of which a future can be taken by name.
pub trait KeyedGroups<F: Future>: Groups<F> {
    /// Drops a future; whether it was there.
    fn remove(group: &mut Self::Group, key: Self::Key) -> bool;
}
