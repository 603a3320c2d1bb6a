//! What the owner thread may do, and what only it may touch.

use core::marker::PhantomData;
use core::mem;
use core::num::NonZeroU32;
use core::ptr::{self, NonNull};
use core::task::Waker;
use std::collections::VecDeque;
use std::fmt;

use slab::Slab;

use super::Scheduler;
use super::main_slot::{MainSlot, SlotLease};
use super::run_queue::RunQueue;
use super::signal::{Announced, Collected};
use super::sleepers::SleeperId;

/// How many used main slots are looked at before a new one is made.
const SLOTS_TRIED: usize = 4;

/// The part of a scheduler that is plain memory of the owner thread.
pub(super) struct Owned<T> {
    queue: RunQueue<T>,
    /// Wakers of items that wait: for each live future that has returned `Pending`.
    dormant: Slab<Waker>,
    /// Items added here minus items finished, modulo the range; the gate counts those from outside.
    balance: usize,
    last_sleeper: SleeperId,
    #[cfg(feature = "stats")]
    pub(super) tally: super::tally::Tally,
    /// Drivers that are in the middle of a poll, one further up the stack than the other.
    pub(super) drivers_polled: u32,
    /// Polls that are left to them, if the outermost one does not block.
    pub(super) polls_left: Option<u32>,
    /// Main slots beyond the first, from boxes.
    more_slots: Vec<NonNull<MainSlot<T>>>,
    /// Those of them that no driver holds; stale wakers may.
    used_slots: VecDeque<NonNull<MainSlot<T>>>,
}

impl<T> Owned<T> {
    pub(super) fn new() -> Self {
        Self {
            queue: RunQueue::new(),
            dormant: Slab::new(),
            balance: 0,
            last_sleeper: SleeperId::FIRST_SLOT,
            #[cfg(feature = "stats")]
            tally: super::tally::Tally::default(),
            drivers_polled: 0,
            polls_left: None,
            more_slots: Vec::new(),
            used_slots: VecDeque::new(),
        }
    }

    fn next_sleeper(&mut self) -> SleeperId {
        self.last_sleeper = self.last_sleeper.next();
        self.last_sleeper
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        for slot in self.more_slots.drain(..) {
            // SAFETY: each came from a box in `lease_slot`; a waker of it would hold the scheduler.
            drop(unsafe { Box::from_raw(slot.as_ptr()) });
        }
    }
}

/// The owner thread's view of a scheduler. It cannot leave that thread.
pub struct Owner<'s, T> {
    scheduler: &'s Scheduler<T>,
    _on_owner_thread: PhantomData<*const ()>,
}

impl<T> Clone for Owner<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Owner<'_, T> {}

/// Where the waker of a waiting item is kept.
///
/// Four bytes, also in an `Option`: it is part of every task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DormantKey(NonZeroU32);

impl DormantKey {
    fn from_index(index: usize) -> Self {
        let key = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(key.expect("fewer than 2^32 tasks wait at once"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Whether a driver may return `Pending` to its caller.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// The waker will be woken when there is something to do.
    Asleep,
    /// There is something to do now.
    WorkArrived,
}

impl<'s, T> Owner<'s, T> {
    /// # Safety
    ///
    /// The calling thread is the one that made the scheduler.
    #[inline]
    pub(super) unsafe fn new(scheduler: &'s Scheduler<T>) -> Self {
        Self { scheduler, _on_owner_thread: PhantomData }
    }

    /// The scheduler itself.
    pub(super) fn scheduler(self) -> &'s Scheduler<T> {
        self.scheduler
    }

    /// Borrows the plain memory. `access` must not run code that is not ours.
    #[inline]
    pub(super) fn owned<R>(self, access: impl FnOnce(&mut Owned<T>) -> R) -> R {
        // SAFETY: an `Owner` exists on the owner thread only, and no closure passed here calls back
        // into the scheduler, so this is the only borrow. (Nor does one unwind: the collections panic
        // only beyond `isize::MAX` bytes, and a failed allocation aborts.)
        self.scheduler.owned.with_mut(|owned| access(unsafe { &mut *owned }))
    }

    /// Queues an item that is ready. The driver being polled will come to it; sleeping ones are
    /// woken.
    #[inline]
    pub fn enqueue(self, item: T) {
        self.owned(|owned| owned.queue.push_back(item));
        if self.scheduler.signal.may_have_sleepers() {
            self.scheduler.rouse();
        }
    }

    /// Takes the next item to run, whoever made it ready.
    #[inline]
    pub fn next(self) -> Option<T> {
        self.collect_mail(1);
        self.next_local()
    }

    /// Takes the next item of the run queue, without a look at the inbox.
    #[inline]
    pub fn next_local(self) -> Option<T> {
        self.owned(|owned| owned.queue.pop_front())
    }

    /// Moves what other threads have sent to the run queue, up to a number. One relaxed load where
    /// nothing came.
    ///
    /// A driver that takes more items out of the queue than it lets in keeps the wait of each bounded,
    /// however fast other threads send.
    #[inline]
    pub fn collect_mail(self, most: u32) {
        if cfg!(selvedge_mutant = "mail_popped_before_its_bit_is_cleared") {
            self.empty_inbox(most);
            let _ = self.scheduler.signal.collect();
            return;
        }
        if self.scheduler.signal.collect() == Collected::Mail {
            self.empty_inbox(most);
        }
    }

    #[cold]
    fn empty_inbox(self, most: u32) {
        for _ in 0..most {
            let Some(item) = self.scheduler.inbox.pop() else { return };
            self.owned(|owned| owned.queue.push_back(item));
        }
        self.scheduler.signal.leave_mail();
    }

    /// Puts a driver to sleep, unless there is something to do.
    ///
    /// `waker` is woken when work arrives, or when the main future of the driver that leases
    /// `id` is woken; `is_woken` tells whether it already was.
    pub fn sleep(self, id: SleeperId, waker: &Waker, is_woken: impl FnOnce() -> bool) -> Sleep {
        let waker = waker.clone();
        self.scheduler.sleepers.insert(id, waker);
        let announced = self.scheduler.signal.announce();
        let mail_waits =
            announced == Announced::MailWaits && !cfg!(selvedge_mutant = "announced_mail_ignored");
        let woken = !cfg!(selvedge_mutant = "main_flag_not_rechecked") && is_woken();
        if mail_waits || woken || !self.owned(|owned| owned.queue.is_empty()) {
            self.forget_sleeper(id);
            Sleep::WorkArrived
        } else {
            Sleep::Asleep
        }
    }

    /// Takes a driver out of the list, if nobody has woken it.
    pub fn forget_sleeper(self, id: SleeperId) {
        drop(self.scheduler.sleepers.remove(id));
    }

    /// A new name for a driver without a main slot.
    pub fn new_sleeper(self) -> SleeperId {
        self.owned(Owned::next_sleeper)
    }

    /// A main slot for a driver: a used one where its last waker is gone, else a new one.
    pub fn lease_slot(self) -> SlotLease<'s, T> {
        if let Some(lease) = self.scheduler.first_slot.try_lease(self) {
            return lease;
        }
        self.lease_another_slot()
    }

    #[cold]
    fn lease_another_slot(self) -> SlotLease<'s, T> {
        // A few only: where many are kept busy by stale wakers, a search would cost more than a slot.
        for _ in 0..SLOTS_TRIED {
            let Some(slot) = self.owned(|owned| owned.used_slots.pop_front()) else { break };
            // SAFETY: boxed slots live as long as the scheduler.
            if let Some(lease) = unsafe { slot.as_ref() }.try_lease(self) {
                return lease;
            }
            self.owned(|owned| owned.used_slots.push_back(slot));
        }
        let slot = MainSlot::new(self.scheduler.address(), self.new_sleeper());
        let slot = NonNull::from(Box::leak(Box::new(slot)));
        self.owned(|owned| owned.more_slots.push(slot));
        // SAFETY: as above.
        unsafe { slot.as_ref() }.try_lease(self).expect("nobody else has seen the new slot")
    }

    /// Keeps a slot whose driver is gone for another one.
    pub(super) fn take_back(self, slot: &MainSlot<T>) {
        if !ptr::eq(slot, &raw const self.scheduler.first_slot) {
            self.owned(|owned| owned.used_slots.push_back(NonNull::from(slot)));
        }
    }

    /// Counts an item that was made on this thread.
    #[inline]
    pub fn add_one(self) {
        self.owned(|owned| owned.balance = owned.balance.wrapping_add(1));
    }

    /// Counts an item, from wherever, that is gone.
    #[inline]
    pub fn finish_one(self) {
        self.owned(|owned| owned.balance = owned.balance.wrapping_sub(1));
        #[cfg(feature = "stats")]
        self.count_finish();
    }

    /// How many items there are that have not been finished.
    pub fn unfinished(self) -> usize {
        let balance = self.owned(|owned| owned.balance);
        // The gate's count lacks the topmost bit.
        balance.wrapping_add(self.scheduler.gate.admitted()) & (usize::MAX >> 1)
    }

    /// How many items are in the run queue.
    pub fn queued(self) -> usize {
        self.owned(|owned| owned.queue.len())
    }

    /// Keeps the waker of an item that waits, so that a shutdown can find it.
    pub fn keep_dormant(self, waker: Waker) -> DormantKey {
        DormantKey::from_index(self.owned(|owned| owned.dormant.insert(waker)))
    }

    /// Gives back a waker that was kept, unless a shutdown has taken it.
    pub fn take_dormant(self, key: DormantKey) -> Option<Waker> {
        self.owned(|owned| owned.dormant.try_remove(key.index()))
    }

    /// Gives back the memory of the run queue, which is empty.
    pub(super) fn free_queue(self) {
        drop(self.owned(|owned| mem::replace(&mut owned.queue, RunQueue::new())));
    }

    /// Takes all the wakers that are kept, if any.
    pub(super) fn take_all_dormant(self) -> Option<Slab<Waker>> {
        self.owned(|owned| (!owned.dormant.is_empty()).then(|| mem::take(&mut owned.dormant)))
    }
}

impl<T> fmt::Debug for Owner<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owner").field("scheduler", self.scheduler).finish()
    }
}
