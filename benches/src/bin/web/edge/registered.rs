//! A socket and its registration.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Poll, ready};

use mio::{Interest, event};

use super::reactor::Reactor;
use super::source::{Source, Spent, Way};

/// Both ways, once and for all.
pub(super) const INTEREST: Interest = Interest::READABLE.add(Interest::WRITABLE);

/// A socket that is registered as long as it lives.
#[derive(Debug)]
pub(super) struct Registered<S: event::Source> {
    io: S,
    source: Arc<Source>,
    number: usize,
    reactor: &'static Reactor,
}

impl<S: event::Source> Registered<S> {
    pub(super) fn new(mut io: S, reactor: &'static Reactor) -> io::Result<Self> {
        let source = Arc::new(Source::new());
        let number = reactor.register(&mut io, &source)?;
        Ok(Self { io, source, number, reactor })
    }

    pub(super) fn io(&self) -> &S {
        &self.io
    }

    /// Makes attempts when they are worth it, until one is not refused.
    ///
    /// `short`: whether the result shows that the next attempt would be refused.
    pub(super) async fn attempt<R>(
        &self,
        way: Way,
        mut attempt: impl FnMut(&S) -> io::Result<R>,
        short: impl Fn(&R) -> bool,
    ) -> io::Result<R> {
        poll_fn(|cx| {
            loop {
                let seen = ready!(self.source.poll_ready(way, cx));
                match attempt(&self.io) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.source.clear(way, seen, Spent::Refused);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => {
                        // Elsewhere mio wants to see the refusal before it tells of the next event.
                        if cfg!(unix) && result.as_ref().is_ok_and(&short) {
                            self.source.clear(way, seen, Spent::Short);
                        }
                        return Poll::Ready(result);
                    }
                }
            }
        })
        .await
    }
}

impl<S: event::Source> Drop for Registered<S> {
    fn drop(&mut self) {
        self.reactor.deregister(&mut self.io, self.number);
    }
}
