//! How a driver comes by work that is not in its own queue.

use core::ptr;
use core::task::Waker;

use selvedge_sync::atomic::Ordering;

use super::driver::{Driver, Rest, Sleep};
use super::idle_word::Admitted;
use super::patience::{self, Patience};
use super::slot::{Notes, Slot};
use super::{Item, Publish};

/// How many items a thief takes at most.
const MOST_STOLEN: usize = 128;

/// How much of the injector a driver collects at a look, half of what it polls until the next one.
const INJECTED_PER_LOOK: usize = 16;

/// How many tasks are run one at a time, by `tick` or `try_tick`, between two looks around.
const TICKS_PER_LOOK: u32 = 32;

/// What a look at the injector and all other queues has come to.
#[must_use]
enum Swept<T> {
    Found(T),
    /// Nothing but the only item of a driver that is being polled.
    LeftAlone,
    Nothing,
}

/// What a search has come to.
enum Ended<T> {
    Found(Rest<T>),
    /// Nobody else is being polled any more, who could bring forth work.
    Alone,
    InVain,
}

/// What of another driver's queue is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manners {
    /// Not the only item of a driver that is being polled, unless it has not moved since the last look.
    Polite,
    /// Anything.
    Greedy,
}

impl<T: Item> Driver<'_, T> {
    /// Looks at what a driver with work of its own would never see: some of the injector, and the queue
    /// of one other driver that does not come to it.
    pub fn look_around(&mut self) {
        let injector = &self.scheduler.injector;
        if !injector.is_empty() {
            for _ in 0..INJECTED_PER_LOOK {
                let Some(item) = injector.pop() else { break };
                // SAFETY: this driver holds the lease. A `pop` follows before anything runs.
                unsafe { self.slot.queue.push(item, Publish::Quietly) };
            }
        }
        self.look_at_another();
    }

    /// Steals from the watched slot if nobody has taken anything from its queue between two looks.
    fn look_at_another(&mut self) {
        let slots = self.scheduler.slots.len();
        let (watched, looked) = self.notes(|notes| (notes.watched % slots, notes.looked));
        let other = self.scheduler.slots.get(watched);
        if !ptr::eq(other, self.slot) && other.queue.len() != 0 {
            if self.has_stood_still(watched, other) {
                if let Some(item) = self.steal(other) {
                    // SAFETY: this driver holds the lease. A `pop` follows before anything runs.
                    unsafe { self.slot.queue.push(item, Publish::Quietly) };
                }
            } else if !looked {
                return self.notes(|notes| notes.looked = true);
            }
        }
        self.notes(|notes| (notes.watched, notes.looked) = (watched + 1, false));
    }

    /// Whether nobody has taken anything from a queue since this driver last asked.
    fn has_stood_still(&self, index: usize, other: &Slot<T>) -> bool {
        let taken = other.queue.taken();
        self.notes(|notes| {
            if notes.taken.len() <= index {
                notes.taken.resize(index + 1, None);
            }
            notes.taken[index].replace(taken) == Some(taken)
        })
    }

    fn notes<R>(&self, access: impl FnOnce(&mut Notes) -> R) -> R {
        // SAFETY: this driver holds the lease.
        unsafe { self.slot.notes(access) }
    }

    /// Takes half of another driver's queue: one item to run, the others for the own queue.
    fn steal(&self, other: &Slot<T>) -> Option<T> {
        // SAFETY: this driver holds the lease of its own slot, and `other` is another one.
        let stolen = unsafe { other.queue.steal_into(&self.slot.queue, MOST_STOLEN) };
        if stolen.is_some() {
            self.slot.steals.count_alone();
        }
        stolen
    }

    /// Takes one item to run, and some more, from the injector.
    fn take_injected(&self) -> Option<T> {
        let injector = &self.scheduler.injector;
        let there = injector.len();
        if there == 0 {
            return None;
        }
        let item = injector.pop()?;
        for _ in 1..there.div_ceil(2).min(INJECTED_PER_LOOK) {
            let Some(item) = injector.pop() else { break };
            // SAFETY: this driver holds the lease. `found` follows before anything runs.
            unsafe { self.slot.queue.push(item, Publish::Quietly) };
        }
        Some(item)
    }

    /// Looks at the injector and at all other queues.
    fn sweep(&mut self, manners: Manners) -> Swept<T> {
        let swept = match self.take_injected() {
            Some(item) => Swept::Found(item),
            None => self.sweep_slots(manners),
        };
        if matches!(swept, Swept::Found(_)) {
            if self.searching {
                self.cease_search();
            } else if self.relied_on {
                self.hand_over();
            } else if self.slot.queue.len() != 0 {
                if !cfg!(selvedge_mutant = "swept_unfenced") {
                    self.scheduler.idle.fence();
                }
                self.share();
            }
        }
        swept
    }

    fn sweep_slots(&self, manners: Manners) -> Swept<T> {
        let slots = self.scheduler.slots.len();
        let own = self.slot.index() as usize;
        let mut swept = Swept::Nothing;
        for index in (own + 1..slots).chain(0..own) {
            let other = self.scheduler.slots.get(index);
            let there = other.queue.len();
            if there == 0 {
                continue;
            }
            let let_be = there == 1 && manners == Manners::Polite && other.is_polled_elsewhere();
            if let_be && !self.has_stood_still(index, other) {
                swept = Swept::LeftAlone;
            } else if let Some(item) = self.steal(other) {
                return Swept::Found(item);
            }
        }
        swept
    }

    /// Takes the next item to run, wherever it is. For drivers that run one at a time.
    pub fn next_item(&mut self) -> Option<T> {
        let ticks = self.notes(|notes| {
            notes.ticks = (notes.ticks + 1) % TICKS_PER_LOOK;
            notes.ticks
        });
        if ticks == 0 {
            self.look_around();
        }
        self.pop_own().or_else(|| self.sweep(Manners::Greedy).found())
    }

    /// Comes by an item from elsewhere, or goes to sleep.
    pub fn rest(&mut self, waker: &Waker) -> Rest<T> {
        let mut manners = Manners::Polite;
        loop {
            if let Swept::Found(item) = self.sweep(manners) {
                return Rest::Found(item);
            }
            if self.is_main_woken() {
                return Rest::MainWoken;
            }
            if let Some(found) = self.search() {
                return found;
            }
            if self.sleep(waker) == Sleep::Asleep {
                return Rest::Asleep;
            }
            // What kept us awake is not ours to leave, with manners or without.
            manners = Manners::Greedy;
        }
    }

    /// Looks around for some time, while other drivers are being polled and may bring forth work.
    ///
    /// As long as there is a searcher, nobody who has work to share pays for waking a sleeper.
    fn search(&mut self) -> Option<Rest<T>> {
        if !self.others_are_polled() {
            return None;
        }
        let Some(patience) = self.notes(|notes| notes.hope.patience()) else {
            // A driver that was sent for an item takes it, or another one would be sent in vain.
            let sent = self.searching;
            return sent.then(|| self.sweep(Manners::Greedy).found()).flatten().map(Rest::Found);
        };
        if !self.become_searcher() {
            return None;
        }
        match self.look_for_a_while(patience) {
            Ended::Found(rest) => {
                self.notes(|notes| notes.hope.rise());
                Some(rest)
            }
            Ended::InVain => {
                self.notes(|notes| notes.hope.sink());
                None
            }
            Ended::Alone => None,
        }
    }

    fn look_for_a_while(&mut self, mut patience: Patience) -> Ended<T> {
        let mut moves = false;
        while let Some(pauses) = patience.next(moves) {
            self.pause(pauses);
            if self.is_main_woken() {
                return Ended::Found(Rest::MainWoken);
            }
            moves = match self.sweep(Manners::Polite) {
                Swept::Found(item) => return Ended::Found(Rest::Found(item)),
                Swept::LeftAlone => true,
                Swept::Nothing => false,
            };
            if !self.others_are_polled() {
                return Ended::Alone;
            }
        }
        match self.sweep(Manners::Greedy) {
            Swept::Found(item) => Ended::Found(Rest::Found(item)),
            Swept::LeftAlone | Swept::Nothing => Ended::InVain,
        }
    }

    /// Waits between two looks, but not while there is something for everybody.
    fn pause(&self, pauses: u32) {
        for _ in 0..pauses {
            patience::pause();
            if self.is_main_woken() || !self.scheduler.injector.is_empty() {
                return;
            }
        }
    }

    fn become_searcher(&mut self) -> bool {
        if !self.searching {
            let drivers = self.scheduler.drivers.load(Ordering::Relaxed);
            self.searching =
                self.scheduler.idle.try_search((drivers / 2).max(1)) == Admitted::Search;
        }
        self.searching
    }

    fn others_are_polled(&self) -> bool {
        self.scheduler.slots.iter().any(Slot::is_polled_elsewhere)
    }
}

impl<T> Swept<T> {
    fn found(self) -> Option<T> {
        match self {
            Self::Found(item) => Some(item),
            Self::LeftAlone | Self::Nothing => None,
        }
    }
}
