//! The drivers that have nothing to do, and the wakers of their callers.

use core::panic::AssertUnwindSafe;
use core::task::Waker;
use std::panic::catch_unwind;

use selvedge_sync::sync::Mutex;
use selvedge_task_core::payload;

use super::context;
use super::idle_word::{Ceased, IdleWord};

/// Names a driver in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleeperId(u64);

impl SleeperId {
    /// The driver that holds a slot.
    pub(super) fn of_slot(index: u32) -> Self {
        Self(index.into())
    }

    /// The `n`th driver that sleeps without a slot.
    pub(super) fn nameless(n: u64) -> Self {
        Self(n | 1 << 63)
    }
}

/// Who will poll a sleeping driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A thread parked in this crate, which does nothing else: it polls the driver when it is woken.
    Parked,
    /// A thread that does nothing else either, in a loop that the user has given us, which promises to poll
    /// the driver when it is woken. Its waker is foreign code.
    Lent,
    /// Anybody. It may be held up elsewhere, or have lost interest.
    Foreign,
}

impl Caller {
    /// Whether one that is woken is sure to poll its driver.
    fn answers(self) -> bool {
        match self {
            Self::Parked | Self::Lent => true,
            Self::Foreign => false,
        }
    }
}

struct Entry {
    id: SleeperId,
    caller: Caller,
    /// Where the driver was polled last.
    thread: usize,
    /// Taken where a caller that answers was woken to search; the driver then finds the entry so.
    waker: Option<Waker>,
}

/// A list behind a leaf lock: held for a few instructions, never while a waker is cloned, dropped
/// or woken, for those are foreign code.
///
/// In order of arrival. There are rarely more drivers than threads.
pub(super) struct Sleepers(Mutex<Vec<Entry>>);

/// What a driver learns when it leaves the list.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// It was woken to search, and counts as a searcher.
    SentSearching,
    /// It still slept, or was told together with everybody.
    Free,
}

impl Sleepers {
    /// Nobody sleeps.
    pub(super) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Adds a driver that is not in the list.
    pub(super) fn insert(&self, id: SleeperId, caller: Caller, waker: Waker) {
        let thread = context::this_thread();
        self.0.lock().push(Entry { id, caller, thread, waker: Some(waker) });
    }

    /// Takes a driver out, if it is still there.
    pub(super) fn leave(&self, id: SleeperId) -> Left {
        let Some(entry) = self.remove(id) else { return Left::Free };
        match entry.waker {
            None => Left::SentSearching,
            Some(waker) => {
                payload::drop_waker(waker);
                Left::Free
            }
        }
    }

    fn remove(&self, id: SleeperId) -> Option<Entry> {
        let mut list = self.0.lock();
        let position = list.iter().position(|entry| entry.id == id)?;
        Some(list.remove(position))
    }

    /// Wakes one driver whose caller answers, and counts it as a searcher: the one of this thread, which costs
    /// no journey, or the last to have come. Where there is none, wakes everybody: of other callers nobody
    /// knows which will answer.
    ///
    /// Does nothing if somebody searches already. A foreign waker may block this thread: those that are
    /// not told yet stay in the list for the next post. One whose waker panics is not relied on.
    pub(super) fn wake_some(&self, idle: &IdleWord) {
        let mut count = loop {
            let mut list = self.0.lock();
            if idle.somebody_searches() {
                return;
            }
            let Some(entry) = most_handy(&mut list) else {
                if cfg!(selvedge_mutant = "list_cleared_before_it_is_told") {
                    idle.clear_sleepers();
                }
                clear_if_told(&list, idle);
                break list.len();
            };
            let (id, waker) = (entry.id, entry.waker.take());
            idle.send_searching();
            clear_if_told(&list, idle);
            drop(list);
            if waker.is_none_or(is_told) || self.recall(id, idle) == Ceased::Done {
                return;
            }
        };
        if cfg!(selvedge_mutant = "one_foreign_caller_told") {
            count = count.min(1);
        }
        for _ in 0..count {
            let Some(waker) = self.pop_foreign(idle) else { return };
            payload::wake(waker);
        }
    }

    /// Takes out a driver that was sent searching and does not know, unless it has answered all the same.
    fn recall(&self, id: SleeperId, idle: &IdleWord) -> Ceased {
        {
            let mut list = self.0.lock();
            let sent = list.iter().position(|entry| entry.id == id && entry.waker.is_none());
            let Some(position) = sent else { return Ceased::Done };
            list.remove(position);
        }
        idle.cease_search()
    }

    /// Takes the foreign caller that has slept longest.
    fn pop_foreign(&self, idle: &IdleWord) -> Option<Waker> {
        let mut list = self.0.lock();
        let position = list.iter().position(|entry| entry.caller == Caller::Foreign)?;
        let waker = list.remove(position).waker;
        clear_if_told(&list, idle);
        waker
    }

    /// Wakes one driver, if it is in the list and was not woken.
    pub(super) fn wake_one(&self, id: SleeperId) {
        let waker = {
            let mut list = self.0.lock();
            let position = list.iter().position(|entry| entry.id == id && entry.waker.is_some());
            position.and_then(|position| list.remove(position).waker)
        };
        waker.into_iter().for_each(payload::wake);
    }

    /// Drops all wakers. A panic of one ends with its message.
    pub(super) fn drop_all(&self) {
        loop {
            let Some(entry) = self.0.lock().pop() else { return };
            entry.waker.into_iter().for_each(payload::drop_waker);
        }
    }

    /// How many drivers are in the list.
    pub(super) fn len(&self) -> usize {
        self.0.lock().len()
    }
}

/// Wakes a caller that answers, unless its waker panics, which ends with the panic's message.
fn is_told(waker: Waker) -> bool {
    catch_unwind(AssertUnwindSafe(|| waker.wake())).map_err(payload::discard).is_ok()
}

/// Who is woken first of those that answer.
///
/// A thread that lends itself to a reactor posts, between two polls of its driver, what the reactor has woken.
fn most_handy(list: &mut [Entry]) -> Option<&mut Entry> {
    let here = context::this_thread();
    let preferred =
        |entry: &Entry| entry.thread == here && !cfg!(selvedge_mutant = "own_thread_told_last");
    let there = |entry: &Entry| entry.caller.answers() && entry.waker.is_some();
    let position = list
        .iter()
        .rposition(|entry| preferred(entry) && there(entry))
        .or_else(|| list.iter().rposition(there))?;
    Some(&mut list[position])
}

/// Notes that nobody is left in the list who has not been told. Under the list's lock.
fn clear_if_told(list: &[Entry], idle: &IdleWord) {
    if list.iter().all(|entry| entry.waker.is_none()) {
        idle.clear_sleepers();
    }
}
