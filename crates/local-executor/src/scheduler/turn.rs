//! How much drivers may do before the caller of the outermost one gets a turn.

use core::fmt;

use super::Owner;

/// How many polls drivers make in a turn.
const POLLS_PER_TURN: u32 = 192;

/// A driver's poll, from its start to its drop. It shares the turn with the drivers further up.
///
/// A driver may be polled by a task or by the main future of another one. If each had a turn of its
/// own their lengths would multiply, and the outermost caller would wait for ever.
///
/// The borrow of the executor keeps it from being dropped meanwhile, with one exception:
/// `process::exit` in a task runs the destructors of thread-locals above the frames of the driver.
pub(crate) struct Driving<'s, T> {
    owner: Owner<'s, T>,
    outermost: bool,
}

/// Puts the turn aside while the thread blocks in a nested driver: nobody is waiting to take over.
pub(crate) struct BlockedTurn<'s, T> {
    owner: Owner<'s, T>,
    polls_left: Option<u32>,
}

impl<'s, T> Owner<'s, T> {
    /// Marks the start of a driver's poll.
    #[inline]
    pub(crate) fn drive(self) -> Driving<'s, T> {
        let outermost = self.owned(|owned| {
            owned.drivers_polled += 1;
            let outermost = owned.polls_left.is_none();
            owned.polls_left.get_or_insert(POLLS_PER_TURN);
            outermost
        });
        Driving { owner: self, outermost }
    }

    /// Lets drivers that are polled until this is dropped have turns of their own.
    pub(crate) fn block(self) -> BlockedTurn<'s, T> {
        BlockedTurn { owner: self, polls_left: self.owned(|owned| owned.polls_left.take()) }
    }

    /// Whether some driver is being polled.
    pub(crate) fn is_driven(self) -> bool {
        self.owned(|owned| owned.drivers_polled != 0)
    }
}

impl<T> Driving<'_, T> {
    /// Takes polls from the turn, and says how many: none if it is used up.
    #[inline]
    pub(crate) fn take_polls(&self, most: u32) -> u32 {
        self.owner.owned(|owned| {
            let left = owned.polls_left.unwrap_or(0);
            let taken = left.min(most);
            owned.polls_left = Some(left - taken);
            taken
        })
    }

    /// Gives back polls that were taken and not made.
    #[inline]
    pub(crate) fn give_back(&self, polls: u32) {
        self.owner.owned(|owned| owned.polls_left = owned.polls_left.map(|left| left + polls));
    }
}

impl<T> Drop for Driving<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.owned(|owned| {
            owned.drivers_polled -= 1;
            if self.outermost {
                owned.polls_left = None;
            }
        });
    }
}

impl<T> Drop for BlockedTurn<'_, T> {
    fn drop(&mut self) {
        self.owner.owned(|owned| owned.polls_left = self.polls_left);
    }
}

impl<T> fmt::Debug for Driving<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driving").field("outermost", &self.outermost).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for BlockedTurn<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockedTurn").field("polls_left", &self.polls_left).finish_non_exhaustive()
    }
}
