//! How long a searcher goes on, and how often it looks.

use core::hint::spin_loop;

use selvedge_sync::MODELLED;
use selvedge_sync::thread::yield_now;

/// How many pauses a searcher makes that sees nothing.
const MOST_PAUSES: u32 = if MODELLED { 1 } else { 24 };

/// How many it makes while it sees an item that moves: that is not worth its journey to another core,
/// unless it comes to stand still.
const MOST_PAUSES_WATCHING: u32 = if MODELLED { 1 } else { 256 };

/// How many pauses it makes between two looks at such an item, at most: each look takes the queue's
/// cache lines away from its owner.
const LONGEST: u32 = 16;

/// A pause in spins: a microsecond or less, as processors go.
const SPINS: u32 = 40;

/// What a searcher's last look has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    /// The only item of a driver that is being polled, and that has taken another one since the look before.
    MovingItem,
}

/// The pauses of a search.
pub(super) struct Patience {
    made: u32,
    last: u32,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self { made: 0, last: 1 }
    }

    /// How many pauses to make before the next look; `None` at the end of patience.
    pub(super) fn next(&mut self, seen: Seen) -> Option<u32> {
        let (most, longest) = match seen {
            Seen::Nothing => (MOST_PAUSES, 1),
            Seen::MovingItem => (MOST_PAUSES_WATCHING, LONGEST),
        };
        self.last = (self.last * 2).min(longest);
        self.made += self.last;
        (self.made <= most).then_some(self.last)
    }
}

/// Waits for about a microsecond.
pub(super) fn pause() {
    if MODELLED {
        yield_now();
    } else {
        (0..SPINS).for_each(|_| spin_loop());
    }
}
