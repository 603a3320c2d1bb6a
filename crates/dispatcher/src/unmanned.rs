//! For models: a dispatcher whose worker is played by a thread of the model.

use selvedge_sync::sync::Arc;

use crate::fork::Stamp;
use crate::overflow::Overflow;
use crate::panics::Panics;
use crate::shared::{Limits, Shared, Verbs, expect_player, play};
use crate::{Dispatcher, Guard};

/// A dispatcher whose worker is played by a thread of the model, so that it starts and stops where
/// the model wants.
#[derive(Clone, Debug)]
pub struct Unmanned(Arc<Shared>);

impl Unmanned {
    /// With these bounds before and after the opening of the gate.
    pub fn new(before: usize, after: Option<u64>, policy: Overflow) -> Self {
        let limits = Limits { before: before as u64, after, policy };
        let shared = Arc::new(Shared::new(limits, Panics::new(None), None, Stamp::now()));
        expect_player(&shared);
        Self(shared)
    }

    /// A guard.
    pub fn guard(&self) -> Guard {
        Guard::new(self.0.clone())
    }

    /// The dispatcher, whose drop closes.
    pub fn dispatcher(&self) -> Dispatcher {
        Dispatcher::new_with(self.0.clone())
    }

    /// What `GlobalDispatcher::reset` does. Nobody is expected to play the worker after it: an empty
    /// queue is closed without one.
    pub fn reset(&self) {
        let reset = Verbs::of(&self.0).reset();
        reset.expect("a reset on a thread that is not the worker does not fail");
    }

    /// Works until `end` tasks were passed, or the queue is closed and drained.
    pub fn work(&self, end: u64) {
        play(&self.0, end);
    }
}
