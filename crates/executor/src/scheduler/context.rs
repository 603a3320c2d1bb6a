//! Which driver is being polled on this thread.

use core::cell::Cell;
use core::ptr;
use std::fmt;

use super::slot::Slot;
use super::{Item, Scheduler};

/// How many polls drivers make in a turn.
const POLLS_PER_TURN: u32 = 192;

selvedge_sync::thread_local! {
    // The innermost poll of a driver on this thread; null outside of any. Constant and without a
    // destructor, so it can be read at any moment of a thread's life.
    static INNERMOST: Cell<*const Context> = const { Cell::new(ptr::null()) };
}

/// A driver's poll, in the frame that makes it, from its start to its end.
pub(super) struct Context {
    scheduler: *const (),
    slot: *const (),
    outer: *const Context,
    /// Polls that are left in the turn that this driver takes part in, somewhere down the stack.
    polls_left: *const Cell<u32>,
}

/// The polls that a driver may make before it gives its caller a turn.
///
/// A driver may be polled by a task or by the main future of another one. If each had a turn of its
/// own their lengths would multiply, so those of one executor share the outermost one's.
pub struct Turn<'c> {
    polls_left: &'c Cell<u32>,
}

/// Whose turn the polls of a driver count in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOf {
    /// The one of a driver of this executor that is being polled further down the stack, if there is one.
    Outermost,
    /// Its own: the thread blocks for it, so nobody waits to take over.
    Own,
}

/// Takes the context off the thread's stack, also in unwinding.
struct Restore(*const Context);

impl Drop for Restore {
    fn drop(&mut self) {
        INNERMOST.with(|innermost| innermost.set(self.0));
    }
}

/// Runs `body` as a poll of the driver that holds `slot`.
#[inline]
pub(super) fn enter<T: Item, R>(
    scheduler: &Scheduler<T>,
    slot: &Slot<T>,
    turn_of: TurnOf,
    body: impl FnOnce(Turn<'_>) -> R,
) -> R {
    let outer = INNERMOST.with(Cell::get);
    let own = Cell::new(POLLS_PER_TURN);
    let address = ptr::from_ref(scheduler).cast();
    let shared = (turn_of == TurnOf::Outermost).then(|| find(outer, address)).flatten();
    let polls_left = shared.map_or(&raw const own, |outer| outer.polls_left);
    let slot = ptr::from_ref(slot).cast();
    let context = Context { scheduler: address, slot, outer, polls_left };
    INNERMOST.with(|innermost| innermost.set(&raw const context));
    let _restore = Restore(outer);
    // SAFETY: it lies in this frame, or in one further down the stack.
    body(Turn { polls_left: unsafe { &*polls_left } })
}

/// The slot of the driver that is being polled, if it is one of this scheduler.
#[inline]
pub(super) fn current<T: Item>(scheduler: &Scheduler<T>) -> Option<&Slot<T>> {
    let innermost = INNERMOST.with(Cell::get);
    // SAFETY: a context stays in its frame until `Restore` has taken it off the stack.
    let context = unsafe { innermost.as_ref() }?;
    let ours = ptr::eq(context.scheduler, ptr::from_ref(scheduler).cast());
    // SAFETY: the frame of the context borrows scheduler and slot, so the address stands for the same
    // scheduler, of the same type, and the slot is one of it.
    ours.then(|| unsafe { &*context.slot.cast::<Slot<T>>() })
}

/// A number that no other thread has while this one runs, and never zero.
#[inline]
pub(super) fn this_thread() -> usize {
    INNERMOST.with(|innermost| ptr::from_ref(innermost).addr())
}

/// Whether the innermost poll on this thread happens within the poll of another driver, of whichever executor.
pub(super) fn is_nested() -> bool {
    // SAFETY: a context stays in its frame until `Restore` has taken it off the stack.
    let innermost = unsafe { INNERMOST.with(Cell::get).as_ref() };
    innermost.is_some_and(|context| !context.outer.is_null())
}

/// Whether any driver of this scheduler is being polled on this thread, however deep.
pub(super) fn is_driven<T: Item>(scheduler: &Scheduler<T>) -> bool {
    find(INNERMOST.with(Cell::get), ptr::from_ref(scheduler).cast()).is_some()
}

/// The innermost context of a scheduler, from `context` on outwards.
///
/// A reference into a frame of this thread that is further down the stack.
#[inline]
fn find<'c>(mut context: *const Context, scheduler: *const ()) -> Option<&'c Context> {
    // SAFETY: a context stays in its frame until `Restore` has taken it off the stack.
    while let Some(it) = unsafe { context.as_ref() } {
        if ptr::eq(it.scheduler, scheduler) {
            return Some(it);
        }
        context = it.outer;
    }
    None
}

impl Turn<'_> {
    /// Takes polls from the turn, and says how many: none if it is used up.
    #[inline]
    pub fn take(&self, most: u32) -> u32 {
        let left = self.polls_left.get();
        let taken = left.min(most);
        self.polls_left.set(left - taken);
        taken
    }

    /// Gives back polls that were taken and not made.
    #[inline]
    pub fn give_back(&self, polls: u32) {
        self.polls_left.set(self.polls_left.get() + polls);
    }
}

impl fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("polls_left", &self.polls_left.get()).finish()
    }
}
