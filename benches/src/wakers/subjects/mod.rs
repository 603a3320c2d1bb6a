//! The adapters of table `wakers`, one file per subject.

mod futures;
mod futures_buffered;
mod futures_concurrency;
mod selvedge;
mod tokio;

pub use self::{
    futures::Futures, futures_buffered::FuturesBuffered, futures_concurrency::FuturesConcurrency,
    selvedge::Selvedge, tokio::Tokio,
};
