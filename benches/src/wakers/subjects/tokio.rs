//! tokio's `join!`.

use crate::wakers::{Joins, Subject};

/// tokio's `join!`. Its sets spawn their futures, so they are no peers here.
#[derive(Debug)]
pub struct Tokio;

impl Subject for Tokio {
    const NAME: &'static str = "tokio";
}

impl<A: Future, B: Future> Joins<(A, B)> for Tokio {
    type Outputs = (A::Output, B::Output);

    async fn join((a, b): (A, B)) -> Self::Outputs {
        ::tokio::join!(a, b)
    }
}
