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

/// How many searches are left out, at least and at most, before one is made to see whether times have changed.
const FEWEST_LEFT_OUT: u32 = 16;
const MOST_LEFT_OUT: u32 = 256;

/// What a driver has learnt about searching: how long it pays to wait for something.
///
/// Where work comes in within microseconds, a searcher saves the system calls that put it to sleep and wake it.
/// Where it comes later (tasks that spend their time in the kernel, a machine that is busy with other
/// processes), a searcher burns time that somebody could use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hope {
    /// Pauses that the next search may make.
    pauses: u32,
    /// Searches that will be left out, while there is no hope.
    left_out: u32,
    /// How many of them the next time.
    interval: u32,
    /// Sleepers that had been summoned when the driver went to sleep.
    summons: usize,
}

impl Hope {
    /// The patience for a search; `None` if it is left out.
    pub(super) fn patience(&mut self) -> Option<Patience> {
        if self.pauses == 0 && self.left_out > 0 {
            self.left_out -= 1;
            return None;
        }
        let most = if self.pauses == 0 { MOST_PAUSES } else { self.pauses };
        Some(Patience { made: 0, last: 1, most })
    }

    /// A search has come by something.
    pub(super) fn rise(&mut self) {
        *self = match self.pauses {
            0 => Self::default(),
            pauses => Self { pauses: (pauses * 2).min(MOST_PAUSES), ..*self },
        };
    }

    /// The driver goes to sleep, when so many sleepers had been summoned.
    pub(super) fn sleep(&mut self, summons: usize) {
        self.summons = summons;
    }

    /// The driver wakes up. If a sleeper was summoned meanwhile, to go on searching would have paid.
    pub(super) fn wake_up(&mut self, summons: usize) {
        if summons != self.summons {
            *self = Self::default();
        }
    }

    /// A search was in vain.
    pub(super) fn sink(&mut self) {
        if self.pauses == 0 {
            self.interval = (self.interval * 2).min(MOST_LEFT_OUT);
        }
        self.left_out = self.interval;
        self.pauses /= if MODELLED { 1 } else { 2 };
    }
}

impl Default for Hope {
    fn default() -> Self {
        Self { pauses: MOST_PAUSES, left_out: 0, interval: FEWEST_LEFT_OUT, summons: 0 }
    }
}

/// The pauses of a search.
pub(super) struct Patience {
    made: u32,
    last: u32,
    most: u32,
}

impl Patience {
    /// How many pauses to make before the next look; `None` at the end of patience.
    ///
    /// `moves`: the last look has shown nothing but the only item of a driver that is being polled, and that
    /// has taken another one since the look before.
    pub(super) fn next(&mut self, moves: bool) -> Option<u32> {
        let (most, longest) = if moves { (MOST_PAUSES_WATCHING, LONGEST) } else { (self.most, 1) };
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

#[cfg(all(test, not(feature = "loom"), not(feature = "shuttle")))]
mod tests {
    use super::*;

    /// Searches in vain until the next one would be left out.
    fn hopeless() -> Hope {
        let mut hope = Hope::default();
        while hope.patience().is_some() {
            hope.sink();
        }
        hope
    }

    /// How many searches are left out before one is made.
    fn left_out(hope: &mut Hope) -> u32 {
        (0..).find(|_| hope.patience().is_some()).expect("hope never dies")
    }

    #[test]
    fn searches_in_vain_are_made_less_and_less_often_but_for_ever() {
        let mut hope = hopeless();
        // The one that `hopeless` has seen left out counts.
        let mut seen = vec![left_out(&mut hope) + 1];
        for _ in 0..5 {
            hope.sink();
            seen.push(left_out(&mut hope));
        }
        assert_eq!(seen, [16, 32, 64, 128, 256, 256]);
    }

    #[test]
    fn a_search_that_finds_something_at_last_brings_full_hope_back() {
        let mut hope = hopeless();
        left_out(&mut hope);
        hope.rise();
        assert_eq!(hope.pauses, MOST_PAUSES);
        assert_eq!(left_out(&mut hope), 0);
    }

    #[test]
    fn only_a_summons_during_the_sleep_brings_full_hope_back() {
        let mut hope = hopeless();
        hope.sleep(7);
        hope.wake_up(7);
        assert_eq!(hope.pauses, 0);
        hope.wake_up(8);
        assert_eq!(hope.pauses, MOST_PAUSES);
    }
}
