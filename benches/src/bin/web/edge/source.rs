//! What a socket is ready for, and who waits for it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use mio::event::Event;

/// Bits of the readiness; above them is the tick.
const READABLE: usize = 1;
const WRITABLE: usize = 2;
/// Nothing comes any more: a short read does not mean that the next one has to wait.
const READ_CLOSED: usize = 4;
const TICK: usize = 8;

/// A direction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    In,
    Out,
}

/// Why readiness is over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spent {
    /// There was less than was asked for.
    Short,
    /// There was nothing.
    Refused,
}

/// When a readiness was seen: an event that has come since changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tick(usize);

/// The state of a socket.
#[derive(Debug)]
pub(super) struct Source {
    readiness: AtomicUsize,
    waiting: Mutex<[Option<Waker>; 2]>,
}

impl Way {
    fn mask(self) -> usize {
        match self {
            Self::In => READABLE | READ_CLOSED,
            Self::Out => WRITABLE,
        }
    }
}

impl Source {
    /// Takes itself for ready: the first attempt shows.
    pub(super) fn new() -> Self {
        Self { readiness: AtomicUsize::new(READABLE | WRITABLE), waiting: Mutex::default() }
    }

    /// Waits until an attempt is worth it.
    pub(super) fn poll_ready(&self, way: Way, cx: &mut Context<'_>) -> Poll<Tick> {
        if let Some(tick) = self.ready(way) {
            return Poll::Ready(tick);
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // An event sets the readiness first and takes the wakers then: it has been seen here, or sees the waker.
        if let Some(tick) = self.ready(way) {
            return Poll::Ready(tick);
        }
        let place = &mut waiting[way as usize];
        if place.as_ref().is_some_and(|it| it.will_wake(cx.waker())) {
            return Poll::Pending;
        }
        let previous = place.replace(cx.waker().clone());
        // It may be the last one of its task.
        drop(waiting);
        drop(previous);
        Poll::Pending
    }

    fn ready(&self, way: Way) -> Option<Tick> {
        // Nothing but the readiness itself is passed on here: what is read comes from the system.
        let readiness = self.readiness.load(Ordering::Relaxed);
        (readiness & way.mask() != 0).then_some(Tick(readiness / TICK))
    }

    /// Ends a readiness, unless an event has come since it was seen.
    pub(super) fn clear(&self, way: Way, seen: Tick, spent: Spent) {
        let over = match spent {
            Spent::Short => way.mask() & !READ_CLOSED,
            Spent::Refused => way.mask(),
        };
        let _ = self.readiness.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |readiness| {
            (readiness / TICK == seen.0).then_some(readiness & !over)
        });
    }

    /// Notes an event, and takes the wakers of those who waited for it.
    pub(super) fn deliver(&self, event: &Event, woken: &mut Vec<Waker>) {
        let mut came = 0;
        if event.is_readable() || event.is_error() {
            came |= READABLE;
        }
        if event.is_read_closed() {
            came |= READ_CLOSED;
        }
        if event.is_writable() || event.is_write_closed() || event.is_error() {
            came |= WRITABLE;
        }
        self.note(came, woken);
    }

    fn note(&self, came: usize, woken: &mut Vec<Waker>) {
        let _ = self.readiness.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |readiness| {
            Some(readiness.wrapping_add(TICK) | came)
        });
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for way in [Way::In, Way::Out] {
            if came & way.mask() != 0 {
                woken.extend(waiting[way as usize].take());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_comes_after_a_readiness_was_seen_is_not_cleared_with_it() {
        let source = Source::new();
        let seen = source.ready(Way::In).unwrap();
        source.note(READABLE, &mut Vec::new());
        source.clear(Way::In, seen, Spent::Refused);
        let seen = source.ready(Way::In).unwrap();
        source.clear(Way::In, seen, Spent::Refused);
        assert_eq!(source.ready(Way::In), None);
        assert!(source.ready(Way::Out).is_some());
    }
}
