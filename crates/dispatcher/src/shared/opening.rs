//! Opening the gate.

use selvedge_sync::sync::MutexGuard;

use super::Until;
use super::control::Control;
use super::verbs::{Deadline, Verbs};
use crate::error::DispatchError;
use crate::queue::{Opened, Wake};

impl Verbs<'_> {
    pub(crate) fn open(&self) -> Result<(), DispatchError> {
        self.check_process()?;
        let mut control = self.shared.control();
        let opened = self.open_under(&mut control);
        let closed = control.closed_error();
        drop(control);
        match opened? {
            Opened::Now(_, wake) => {
                self.shared.wake(wake);
                Ok(())
            }
            Opened::Before => Err(DispatchError::AlreadyFlushed),
            Opened::Closed => Err(closed),
        }
    }

    /// Opens the gate, if it is shut.
    fn open_under(&self, control: &mut Control) -> Result<Opened, DispatchError> {
        // A gate that was opened, or closed, needs no worker.
        if control.opened_at.is_none() && control.closing.is_none() {
            self.ensure_worker(control)?;
        }
        let opened = self.shared.queue.tail().open();
        if let Opened::Now(index, _) = opened {
            control.opened_at = Some(index);
        }
        Ok(opened)
    }

    /// Opens the gate if nobody has, waits for what was queued before; the number turned away.
    pub(crate) fn flush_init(&self, deadline: Deadline) -> Result<usize, DispatchError> {
        self.check_process()?;
        if self.shared.is_worker() {
            return Err(DispatchError::AlreadyFlushed);
        }
        let control = self.shared.control();
        if control.flushed {
            return self.wait_for_first_flush(control, deadline);
        }
        let (until, wake) = self.begin_flush(control)?;
        self.shared.wake(wake);
        self.shared.wait(until, deadline.0)?;
        let turned_away = self.shared.stats().turned_away;
        Ok(usize::try_from(turned_away).unwrap_or(usize::MAX))
    }

    /// Makes the caller the one that flushes.
    fn begin_flush(
        &self,
        mut control: MutexGuard<'_, Control>,
    ) -> Result<(Until, Wake), DispatchError> {
        let wake = match self.open_under(&mut control)? {
            Opened::Now(_, wake) => wake,
            Opened::Before => Wake::Nobody,
            Opened::Closed => return Err(control.closed_error()),
        };
        control.flushed = true;
        Ok((until_flushed(&control), wake))
    }

    fn wait_for_first_flush(
        &self,
        control: MutexGuard<'_, Control>,
        deadline: Deadline,
    ) -> Result<usize, DispatchError> {
        let until = until_flushed(&control);
        drop(control);
        match self.shared.wait(until, deadline.0) {
            Err(DispatchError::TimedOut) => Err(DispatchError::TimedOut),
            _ => Err(DispatchError::AlreadyFlushed),
        }
    }
}

/// For what was queued before the gate was opened.
fn until_flushed(control: &Control) -> Until {
    let ticket = control.opened_at.unwrap_or(control.start);
    Until::Passed { generation: control.generation, start: control.start, ticket }
}
