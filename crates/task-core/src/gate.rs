//! Admission of work from other threads.

use std::fmt;

use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// Nothing is admitted any more.
const CLOSED: usize = 0b1;
/// One admission.
const ONE: usize = 0b10;

/// Counts everything that other threads have ever added, until it is closed for good.
///
/// Relaxed throughout: read-modify-writes of one word agree on an order by themselves, the count
/// carries no data, and what was admitted reaches the executor through a queue.
pub struct Gate(AtomicUsize);

/// The answer of the gate.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The drop of the executor waits for one more item, which has to be scheduled.
    Admitted,
    /// Too late.
    Closed,
}

impl Gate {
    /// Open, with nothing admitted.
    #[expect(clippy::new_without_default, reason = "a gate is made in one place")]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Counts one more item, unless closed.
    pub fn admit(&self) -> Admission {
        let mut word = self.0.load(Ordering::Relaxed);
        loop {
            if word & CLOSED != 0 {
                return Admission::Closed;
            }
            let more = word.wrapping_add(ONE);
            match self.0.compare_exchange_weak(word, more, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Admission::Admitted,
                Err(newer) => word = newer,
            }
        }
    }

    /// Admits nobody from now on.
    pub fn close(&self) {
        self.0.fetch_or(CLOSED, Ordering::Relaxed);
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed) & CLOSED != 0
    }

    /// How many items were admitted so far, modulo the range of the count.
    pub fn admitted(&self) -> usize {
        self.0.load(Ordering::Relaxed) >> CLOSED.count_ones()
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate")
            .field("closed", &self.is_closed())
            .field("admitted", &self.admitted())
            .finish()
    }
}
