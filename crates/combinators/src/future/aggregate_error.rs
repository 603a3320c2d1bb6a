//! The errors of a race that nobody won.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The error of each child of a [`race_ok`](super::RaceOk::race_ok), in the order of the futures.
///
/// It derefs to a slice of them. `L` is what holds them: an array for an array or a tuple of
/// futures, a `Vec` for a `Vec` or a pinned slice, a boxed slice for a boxed slice.
///
/// ```
/// use core::future::ready;
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let race = [ready(Err::<(), _>("down")), ready(Err("busy"))].race_ok();
/// let errors = race.await.unwrap_err();
/// assert_eq!(errors.len(), 2);
/// assert_eq!(errors.iter().position(|error| *error == "busy"), Some(1));
/// assert_eq!(errors.into_inner(), ["down", "busy"]);
/// # });
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AggregateError<L> {
    errors: L,
}

impl<L> AggregateError<L> {
    pub(crate) fn new(errors: L) -> Self {
        Self { errors }
    }

    /// All errors, as they are held.
    pub fn into_inner(self) -> L {
        self.errors
    }
}

impl<L: ErrorList> Deref for AggregateError<L> {
    type Target = [L::Error];

    fn deref(&self) -> &[L::Error] {
        self.errors.as_slice()
    }
}

impl<L: ErrorList> DerefMut for AggregateError<L> {
    fn deref_mut(&mut self) -> &mut [L::Error] {
        self.errors.as_mut_slice()
    }
}

impl<L: ErrorList<Error: fmt::Debug>> fmt::Debug for AggregateError<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AggregateError ")?;
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<L: ErrorList<Error: fmt::Display>> fmt::Display for AggregateError<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            0 => return f.write_str("there were no futures to race"),
            1 => f.write_str("the only future failed: ")?,
            n => write!(f, "all {n} futures failed: ")?,
        }
        for (index, error) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl<L: ErrorList<Error: fmt::Debug + fmt::Display>> Error for AggregateError<L> {}

impl<L: ErrorList + IntoIterator> IntoIterator for AggregateError<L> {
    type Item = L::Item;
    type IntoIter = L::IntoIter;

    fn into_iter(self) -> L::IntoIter {
        self.errors.into_iter()
    }
}

/// What holds the errors: an array, a `Vec`, or a boxed slice.
pub trait ErrorList {
    /// One error.
    type Error;
    /// All of them.
    fn as_slice(&self) -> &[Self::Error];
    /// All of them.
    fn as_mut_slice(&mut self) -> &mut [Self::Error];
}

/// What is kept of a set of failed futures.
#[expect(unnameable_types, reason = "users see the list only")]
pub trait ListErrors {
    /// What holds the errors.
    type List: ErrorList;
    /// Makes a list of it.
    fn into_list(self) -> Self::List;
}

impl<E, const N: usize> ErrorList for [E; N] {
    type Error = E;

    fn as_slice(&self) -> &[E] {
        self
    }

    fn as_mut_slice(&mut self) -> &mut [E] {
        self
    }
}

impl<E> ErrorList for Vec<E> {
    type Error = E;

    fn as_slice(&self) -> &[E] {
        self
    }

    fn as_mut_slice(&mut self) -> &mut [E] {
        self
    }
}

impl<E> ErrorList for Box<[E]> {
    type Error = E;

    fn as_slice(&self) -> &[E] {
        self
    }

    fn as_mut_slice(&mut self) -> &mut [E] {
        self
    }
}

impl<E, const N: usize> ListErrors for [E; N] {
    type List = Self;

    fn into_list(self) -> Self {
        self
    }
}

impl<E> ListErrors for Vec<E> {
    type List = Self;

    fn into_list(self) -> Self {
        self
    }
}

impl<E> ListErrors for Box<[E]> {
    type List = Self;

    fn into_list(self) -> Self {
        self
    }
}
