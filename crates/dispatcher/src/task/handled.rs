//! A closure with a handle to its output.

use core::mem;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use selvedge_sync::sync::Arc;

use super::completion::{Completion, Start};
use super::{Discard, Task};
use crate::error::TaskError;
use crate::fork::Stamp;
use crate::ledger::Ledger;
use crate::panics::Contained;

/// A closure with a handle to its output.
pub(crate) struct Handled<F, T> {
    closure: F,
    completion: Arc<Completion<T>>,
}

impl<F, T> Handled<F, T> {
    pub(crate) fn new(closure: F, completion: Arc<Completion<T>>) -> Self {
        Self { closure, completion }
    }

    pub(crate) fn into_closure(self) -> F {
        self.closure
    }
}

impl<F, T> Task for Handled<F, T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    fn run(self, ledger: &Ledger) {
        let Self { closure, completion } = self;
        if completion.start() == Start::Refused {
            ledger.panics.contain(|| drop(closure));
            return;
        }
        let here = Stamp::now();
        let result = catch_unwind(AssertUnwindSafe(closure));
        if here.is_foreign() {
            // It has forked, and this is the child: a handle that is not there may hold the lock.
            mem::forget((completion, result));
            return;
        }
        // Counted first: whoever learns of the end may look at the numbers.
        let result = match result {
            Ok(output) => {
                ledger.count_run(Contained::Returned);
                Ok(output)
            }
            Err(payload) => {
                ledger.panics.report(&*payload);
                ledger.count_run(Contained::Panicked);
                Err(TaskError::Panicked(payload.into()))
            }
        };
        let returned = result.is_ok();
        if let Some(unwanted) = completion.finish(result) {
            // A payload whose own drop panics belongs to a task that is counted already.
            if ledger.panics.contain(|| drop(unwanted)) == Contained::Panicked && returned {
                ledger.count_late_panic();
            }
        }
    }

    fn discard(self, why: Discard, ledger: &Ledger) {
        let Self { closure, completion } = self;
        let start = completion.start();
        // Dropped first: whoever learns of the end may rely on it.
        ledger.panics.contain(|| drop(closure));
        if start == Start::Refused {
            return;
        }
        ledger.count_discarded(why);
        let error = match why {
            Discard::Killed => TaskError::Killed,
            Discard::Unopened => TaskError::Discarded,
            Discard::Evicted => TaskError::Evicted,
        };
        drop(completion.finish(Err(error)));
    }
}
