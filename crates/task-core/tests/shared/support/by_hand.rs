//! A driver that is polled by hand, as an event loop would.
#![allow(dead_code, reason = "no test uses all of it")]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

pub(crate) struct ByHand<'e> {
    driver: Option<Pin<Box<dyn Future<Output = ()> + 'e>>>,
    wakes: Arc<Wakes>,
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl<'e> ByHand<'e> {
    pub(crate) fn new(driver: impl Future<Output = ()> + 'e) -> Self {
        Self { driver: Some(Box::pin(driver)), wakes: Arc::default() }
    }

    pub(crate) fn poll(&mut self) -> Poll<()> {
        let driver = self.driver.as_mut().expect("not cancelled yet");
        driver.as_mut().poll(&mut Context::from_waker(&Waker::from(self.wakes.clone())))
    }

    pub(crate) fn cancel(&mut self) {
        self.driver = None;
    }

    /// How often the driver asked to be polled.
    pub(crate) fn wakes(&self) -> usize {
        self.wakes.0.load(Ordering::SeqCst)
    }
}
