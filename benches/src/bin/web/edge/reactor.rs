//! The reactor: sockets, and whoever waits for their events.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::task::Waker;
use std::time::Duration;

use mio::{Events, Poll, Registry, Token, event};

use super::attendance::Attendance;
use super::block_on::{Blocked, Blocker};
use super::registered::INTEREST;
use super::source::Source;
use super::sources::Sources;

/// What the waker's events carry.
const INTERRUPT: Token = Token(usize::MAX);

/// Events taken from the system at once.
const EVENTS: usize = 1024;

/// A reactor that lives for ever.
pub(crate) struct Reactor {
    registry: Registry,
    interrupt: mio::Waker,
    sources: Mutex<Sources>,
    /// Held by the thread that attends the reactor.
    selector: Mutex<Selector>,
    attendance: Attendance,
}

struct Selector {
    poll: Poll,
    events: Events,
    woken: Vec<Waker>,
}

impl Reactor {
    pub(crate) fn leaked() -> io::Result<&'static Self> {
        let poll = Poll::new()?;
        Ok(Box::leak(Box::new(Self {
            registry: poll.registry().try_clone()?,
            interrupt: mio::Waker::new(poll.registry(), INTERRUPT)?,
            sources: Mutex::default(),
            selector: Mutex::new(Selector {
                poll,
                events: Events::with_capacity(EVENTS),
                woken: Vec::new(),
            }),
            attendance: Attendance::default(),
        })))
    }

    /// Gets the thread that attends the reactor out of it.
    pub(super) fn interrupt(&self) {
        self.interrupt.wake().expect("the system's selector takes events");
    }

    /// Waits until the thread is woken: for events, or parked.
    pub(super) fn wait(&self, me: &Arc<Blocker>) {
        let selector = self.selector().or_else(|| self.attendance.park(me, || self.selector()));
        let Some(mut selector) = selector else { return };
        while me.begin(Blocked::Polling) {
            let polled = selector.poll(None);
            // Before any is delivered: a wake by this thread then needs no interruption.
            me.end(Blocked::Polling);
            polled.expect("the system tells of events");
            self.deliver(&mut selector);
        }
        drop(selector);
        self.attendance.left();
    }

    /// Takes what events there are, if nobody else attends the reactor.
    pub(super) fn glance(&self) {
        let Some(mut selector) = self.selector() else { return };
        selector.poll(Some(Duration::ZERO)).expect("the system tells of events");
        self.deliver(&mut selector);
        drop(selector);
        self.attendance.left();
    }

    #[cfg(test)]
    pub(super) fn is_unwatched(&self) -> bool {
        self.attendance.is_unwatched()
    }

    fn selector(&self) -> Option<MutexGuard<'_, Selector>> {
        match self.selector.try_lock() {
            Ok(selector) => Some(selector),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn deliver(&self, selector: &mut Selector) {
        let sources = self.sources();
        for event in &selector.events {
            // The interruption is in no table.
            if let Some(source) = sources.get(event.token().0) {
                source.deliver(event, &mut selector.woken);
            }
        }
        drop(sources);
        selector.woken.drain(..).for_each(Waker::wake);
    }

    pub(super) fn register(
        &self,
        io: &mut impl event::Source,
        source: &Arc<Source>,
    ) -> io::Result<usize> {
        let number = self.sources().insert(Arc::clone(source));
        let registered = self.registry.register(io, Token(number), INTEREST);
        if registered.is_err() {
            self.forget(number);
        }
        registered.map(|()| number)
    }

    pub(super) fn deregister(&self, io: &mut impl event::Source, number: usize) {
        // It is closed next, which ends its registration too.
        let _ = self.registry.deregister(io);
        self.forget(number);
    }

    fn forget(&self, number: usize) {
        let forgotten = self.sources().remove(number);
        drop(forgotten);
    }

    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Selector {
    fn poll(&mut self, limit: Option<Duration>) -> io::Result<()> {
        match self.poll.poll(&mut self.events, limit) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.events.clear();
                Ok(())
            }
            polled => polled,
        }
    }
}

impl fmt::Debug for Reactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reactor").finish_non_exhaustive()
    }
}
