//! Running into a collection.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::Collector;

/// In which order a collection holds what the futures gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they completed.
    Completion,
    /// As the source gave them.
    Input,
}

/// What [`collect`](super::ConcurrentStream::collect) and
/// [`collect_in_order`](super::ConcurrentStream::collect_in_order) can make.
///
/// A collection of your own brings its [`Collector`]:
///
/// ```
/// use core::ops::ControlFlow;
/// use selvedge_combinators::concurrent_stream::{Collector, Order};
/// use selvedge_combinators::prelude::*;
///
/// #[derive(Debug, PartialEq)]
/// struct Sum(u64);
///
/// impl FromConcurrentStream<u64> for Sum {
///     type Collector = Self;
///
///     fn collector(_at_least: usize, _order: Order) -> Self {
///         Self(0)
///     }
/// }
///
/// impl Collector<u64> for Sum {
///     type Output = Self;
///
///     fn put(&mut self, _number: usize, item: u64) -> ControlFlow<Self> {
///         self.0 += item;
///         ControlFlow::Continue(()) // `Break` ends it, and drops the futures that run
///     }
///
///     fn finish(&mut self) -> Self {
///         Self(self.0)
///     }
/// }
///
/// # futures_lite::future::block_on(async {
/// let sum: Sum = [1, 2, 3].into_co_stream().collect().await;
/// assert_eq!(sum, Sum(6));
/// # });
/// ```
pub trait FromConcurrentStream<T>: Sized {
    /// What takes the items one by one.
    type Collector: Collector<T, Output = Self>;

    /// A collector for at least so many items.
    fn collector(at_least: usize, order: Order) -> Self::Collector;
}

impl<T> FromConcurrentStream<T> for Vec<T> {
    type Collector = CollectVec<T>;

    fn collector(at_least: usize, order: Order) -> CollectVec<T> {
        CollectVec::new(at_least, order)
    }
}

impl<T, E> FromConcurrentStream<Result<T, E>> for Result<Vec<T>, E> {
    type Collector = TryCollectVec<T>;

    fn collector(_: usize, order: Order) -> TryCollectVec<T> {
        // The first error ends it, so nothing is promised.
        TryCollectVec(CollectVec::new(0, order))
    }
}

/// Collects a `C` by way of a `K`: the type of a `collect` names what is collected.
pub struct Collecting<C, K> {
    collector: K,
    collection: PhantomData<fn() -> C>,
}

impl<C, K> Collecting<C, K> {
    pub(super) fn new(collector: K) -> Self {
        Self { collector, collection: PhantomData }
    }
}

impl<T, C, K: Collector<T, Output = C>> Collector<T> for Collecting<C, K> {
    type Output = C;

    fn put(&mut self, number: usize, item: T) -> ControlFlow<C> {
        self.collector.put(number, item)
    }

    fn finish(&mut self) -> C {
        self.collector.finish()
    }
}

impl<C, K: fmt::Debug> fmt::Debug for Collecting<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Collecting").field(&self.collector).finish()
    }
}

/// Collects a `Vec`.
#[derive(Debug)]
pub struct CollectVec<T> {
    items: Items<T>,
}

#[derive(Debug)]
enum Items<T> {
    InCompletionOrder(Vec<T>),
    InInputOrder(Vec<Option<T>>),
}

impl<T> CollectVec<T> {
    fn new(at_least: usize, order: Order) -> Self {
        let items = match order {
            Order::Completion => Items::InCompletionOrder(with_room(at_least)),
            Order::Input => Items::InInputOrder(with_room(at_least)),
        };
        Self { items }
    }
}

/// The most that is reserved on the word of a source: it may claim to be endless.
const MOST_RESERVED: usize = 1024;

/// Room for what is promised, within reason.
fn with_room<T>(at_least: usize) -> Vec<T> {
    Vec::with_capacity(at_least.min(MOST_RESERVED))
}

impl<T> Collector<T> for CollectVec<T> {
    type Output = Vec<T>;

    fn put(&mut self, number: usize, item: T) -> ControlFlow<Vec<T>> {
        match &mut self.items {
            Items::InCompletionOrder(items) => items.push(item),
            Items::InInputOrder(items) => {
                if items.len() <= number {
                    items.resize_with(number + 1, || None);
                }
                items[number] = Some(item);
            }
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self) -> Vec<T> {
        match &mut self.items {
            Items::InCompletionOrder(items) => core::mem::take(items),
            Items::InInputOrder(items) => core::mem::take(items).into_iter().flatten().collect(),
        }
    }
}

/// Collects a `Vec` until the first error.
#[derive(Debug)]
pub struct TryCollectVec<T>(CollectVec<T>);

impl<T, E> Collector<Result<T, E>> for TryCollectVec<T> {
    type Output = Result<Vec<T>, E>;

    fn put(&mut self, number: usize, item: Result<T, E>) -> ControlFlow<Self::Output> {
        match item {
            Ok(item) => self.0.put(number, item).map_break(Ok),
            Err(error) => {
                // What was collected goes before the error is handed on.
                drop(self.0.finish());
                ControlFlow::Break(Err(error))
            }
        }
    }

    fn finish(&mut self) -> Self::Output {
        Ok(self.0.finish())
    }
}
