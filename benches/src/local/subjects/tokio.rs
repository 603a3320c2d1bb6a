//! tokio's `LocalSet`, without a runtime around it.

use ::tokio::task::LocalSet;

use crate::{fixtures::Joined, local::LocalSubject};

/// tokio's `LocalSet`.
#[derive(Debug)]
pub struct Tokio;

impl LocalSubject for Tokio {
    const NAME: &'static str = "tokio";

    type Executor = LocalSet;
    type Handle<T: 'static> = Joined<T>;

    fn new() -> Self::Executor {
        LocalSet::new()
    }

    fn spawn<T: 'static>(
        ex: &Self::Executor,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        Joined::from(ex.spawn_local(future))
    }

    fn run<T>(ex: &Self::Executor, main: impl Future<Output = T>) -> impl Future<Output = T> {
        ex.run_until(main)
    }
}
