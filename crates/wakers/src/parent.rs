//! The place where the owner leaves its parent's waker for whoever has to wake it.

use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr;
use core::task::{RawWakerVTable, Waker};

use selvedge_sync::atomic::{AtomicPtr, Ordering};

/// The turn has 64 bits wherever it can, so that it is never used up.
#[cfg(target_has_atomic = "64")]
type AtomicTurn = selvedge_sync::atomic::AtomicU64;
#[cfg(target_has_atomic = "64")]
type Turn = u64;
#[cfg(not(target_has_atomic = "64"))]
type AtomicTurn = selvedge_sync::atomic::AtomicUsize;
#[cfg(not(target_has_atomic = "64"))]
type Turn = usize;

/// A waker that one thread puts in and any thread takes out; nobody ever waits.
///
/// `turn` is even while nothing is registered and odd while `data` and `vtable` are a waker. Its
/// transitions and their proof are in the design notes.
pub(crate) struct Parent {
    turn: AtomicTurn,
    data: AtomicPtr<()>,
    vtable: AtomicPtr<RawWakerVTable>,
}

/// Whether a waker lies in the two words at this turn.
#[inline]
fn is_armed(turn: Turn) -> bool {
    turn % 2 == 1
}

impl Parent {
    selvedge_sync::const_fn! {
        /// Nothing registered.
        #[inline]
        pub(crate) const fn new() -> Self {
            Self {
                turn: AtomicTurn::new(0),
                data: AtomicPtr::new(ptr::null_mut()),
                vtable: AtomicPtr::new(ptr::null_mut()),
            }
        }
    }

    /// Makes `parent` the one to wake. Gives back the one before, if nobody has taken it.
    ///
    /// Runs user code (the clone) before it changes anything.
    ///
    /// # Safety
    ///
    /// No two calls at the same time, and each comes after the ones before.
    #[inline]
    pub(crate) unsafe fn register(&self, parent: &Waker) -> Option<Waker> {
        // ORDERING: Acquire, partner the success in `take`: its reads of the words are over before
        // we write them. Not modelled: loom lets no load see a store that is yet to come.
        let turn = self.turn.load(Ordering::Acquire);
        if is_armed(turn) && self.holds(parent) && self.confirm(turn) {
            return None;
        }
        // SAFETY: passed on; this is the turn that the owner sees.
        unsafe { self.replace(turn, parent) }
    }

    /// Any turn → the next odd one, with a clone of `parent`.
    ///
    /// # Safety
    ///
    /// As for [`register`](Self::register), with a turn that was read by it.
    #[inline(never)]
    unsafe fn replace(&self, turn: Turn, parent: &Waker) -> Option<Waker> {
        let fresh = ManuallyDrop::new(parent.clone());
        let before = if is_armed(turn) { self.take() } else { None };
        // Relaxed: the arming below publishes them; a late reader's compare-and-swap will fail.
        self.data.store(fresh.data().cast_mut(), Ordering::Relaxed);
        self.vtable.store(ptr::from_ref(fresh.vtable()).cast_mut(), Ordering::Relaxed);
        // Relaxed: the turn is even, where only this function changes it.
        let turn = if is_armed(turn) { self.turn.load(Ordering::Relaxed) } else { turn };
        let armed = if cfg!(selvedge_mutant = "turn_reused") { 1 } else { turn.wrapping_add(1) };
        // ORDERING: Release, partner the load in `take`: the two words, and what is behind them.
        self.turn.store(armed, Ordering::Release);
        before
    }

    /// Takes what is registered, unless it is `parent`.
    ///
    /// # Safety
    ///
    /// As for [`register`](Self::register).
    #[inline]
    pub(crate) unsafe fn dismiss_other(&self, parent: &Waker) -> Option<Waker> {
        // Relaxed: the two words are the owner's own stores, and `take` decides.
        let armed = is_armed(self.turn.load(Ordering::Relaxed));
        if armed && !self.holds(parent) { self.take() } else { None }
    }

    /// Whether the two words are the same waker by `will_wake`. For the owner: nobody else writes
    /// them. The waker may be gone already.
    #[inline]
    fn holds(&self, parent: &Waker) -> bool {
        // Relaxed: the owner's own stores.
        self.data.load(Ordering::Relaxed).cast_const() == parent.data()
            && ptr::eq(self.vtable.load(Ordering::Relaxed), parent.vtable())
    }

    /// `2k+1` → `2k+1`: whether the waker has really not been taken. A load would not do: it may be
    /// stale, and the address of the waker that is gone may belong to the new one.
    #[inline]
    fn confirm(&self, turn: Turn) -> bool {
        // Relaxed, both: only the newest value matters; as a read-modify-write it has a place among
        // the changes of the turn and keeps the release sequence of the arming.
        cfg!(selvedge_mutant = "confirm_skipped")
            || self.turn.compare_exchange(turn, turn, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// `2k+1` → `2k+2`: takes what is registered, if anything is. Any thread.
    #[inline]
    pub(crate) fn take(&self) -> Option<Waker> {
        // ORDERING: Acquire, partner the arming in `register`: the two words.
        let mut turn = self.turn.load(Ordering::Acquire);
        while is_armed(turn) {
            // Relaxed: may be torn or stale if the turn moves on, and are unused then.
            let data = self.data.load(Ordering::Relaxed);
            let vtable = self.vtable.load(Ordering::Relaxed);
            let taken = turn.wrapping_add(1);
            // ORDERING: Release on success, partner the load in `register`: the reads above are over
            // before the words are written again (not modelled, see there). Acquire on failure, as
            // for the load.
            match self.turn.compare_exchange(turn, taken, Ordering::Release, Ordering::Acquire) {
                Ok(_) => {
                    // SAFETY: the turn did not move between its load and the exchange, so the words
                    // are those that `register` stored for it: the vtable of a live waker, a static.
                    let vtable = unsafe { &*vtable };
                    // SAFETY: as above; they come from a waker whose drop was given up, and only one
                    // thread moves the turn on, so only this one makes it a waker again.
                    return Some(unsafe { Waker::new(data, vtable) });
                }
                Err(now) => turn = now,
            }
        }
        None
    }
}

impl fmt::Debug for Parent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registered = is_armed(self.turn.load(Ordering::Relaxed));
        f.debug_struct("Parent").field("registered", &registered).finish()
    }
}
