//! A closure that nobody waits for.

use super::{Discard, Task};
use crate::ledger::Ledger;

/// A closure that nobody waits for.
#[repr(transparent)]
pub(crate) struct Plain<F>(pub(crate) F);

impl<F: FnOnce() + Send + 'static> Task for Plain<F> {
    #[inline]
    fn run(self, ledger: &Ledger) {
        let contained = ledger.panics.contain(self.0);
        ledger.count_run(contained);
    }

    fn discard(self, why: Discard, ledger: &Ledger) {
        ledger.panics.contain(|| drop(self.0));
        ledger.count_discarded(why);
    }
}
