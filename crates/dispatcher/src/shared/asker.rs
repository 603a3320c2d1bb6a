//! A closing verb, which wants to know how its generation ended.

use selvedge_sync::sync::MutexGuard;

use super::Shared;
use super::control::{Control, Ending};
use crate::report::Report;

/// A closing verb, which wants to know how its generation ended, however many have come since.
#[derive(Debug)]
pub(super) struct Asker<'s> {
    shared: &'s Shared,
    pub(super) generation: u64,
}

impl<'s> Asker<'s> {
    /// Asks for the generation of now.
    pub(super) fn new(shared: &'s Shared, control: &mut MutexGuard<'_, Control>) -> Self {
        control.ask();
        Self { shared, generation: control.generation }
    }

    /// How the generation ended, or stands.
    pub(super) fn ending(&self) -> Ending {
        let now = self.shared.stats();
        // If `now` is not of this generation any more, the ending was kept.
        self.shared.control().ending(self.generation, now)
    }

    pub(super) fn report(&self, timed_out: bool) -> Report {
        let now = self.shared.stats();
        let control = self.shared.control();
        let stats = control.ending(self.generation, now).stats;
        let over = control.is_over(self.generation);
        let running = !over && self.shared.progress.reached().running;
        Report { run: stats.run, dropped: stats.dropped, left: stats.queued, running, timed_out }
    }
}

impl Drop for Asker<'_> {
    fn drop(&mut self) {
        // In a forked child the lock may be held by a thread that is not there.
        if !self.shared.is_foreign() {
            self.shared.control().unask(self.generation);
        }
    }
}
