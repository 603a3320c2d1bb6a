//! The driver that runs tasks until a main future completes.

use core::pin::Pin;
use core::task::{Context, Poll};

use async_task::Runnable;
use pin_project_lite::pin_project;

use crate::handle::Handle;
use crate::scheduler::{Owner, Sleep, SlotLease};

/// How many tasks a driver polls, at most, before it looks at the inbox and whether its main future
/// was woken.
///
/// A main future that awaits one task after the other is woken by each. To poll it every time would
/// cost a registration and a notification a task; a little later it finds most of them finished.
const TASKS_PER_LOOK: u32 = 32;

/// How much of the inbox a driver collects at a look: half of what it polls until the next one.
const MAIL_PER_LOOK: u32 = TASKS_PER_LOOK / 2;

pin_project! {
    /// The future of `LocalExecutor::run`.
    #[must_use = "futures do nothing unless awaited"]
    pub(crate) struct Run<'e, F> {
        handle: &'e Handle,
        driver: Option<Driver<'e>>,
        #[pin]
        future: Option<F>,
    }
}

/// What a driver holds from its first poll on.
struct Driver<'e> {
    owner: Owner<'e, Runnable>,
    lease: SlotLease<'e, Runnable>,
    /// Went to sleep at the end of the last poll.
    asleep: bool,
}

impl<'e> Driver<'e> {
    fn new(handle: &'e Handle) -> Self {
        let owner = handle.owner();
        Self { owner, lease: owner.lease_slot(), asleep: false }
    }

    /// Leaves the list of sleepers: a driver that is polled needs no waking.
    fn awake(&mut self) {
        if core::mem::take(&mut self.asleep) {
            self.owner.forget_sleeper(self.lease.sleeper_id());
        }
    }

    /// Runs tasks that are ready, up to a number, and says how many there were.
    ///
    /// Looks at the inbox once, first: local work cannot starve what other threads have woken.
    fn run_tasks(&self, most: u32) -> u32 {
        self.owner.collect_mail(MAIL_PER_LOOK);
        for polled in 0..most {
            match self.owner.next_local() {
                Some(runnable) => runnable.run(),
                None => return polled,
            };
        }
        most
    }

    fn sleep(&mut self, cx: &Context<'_>) -> Sleep {
        if self.lease.is_woken() {
            return Sleep::WorkArrived;
        }
        let id = self.lease.sleeper_id();
        let sleep = self.owner.sleep(id, cx.waker(), || self.lease.is_woken());
        self.asleep = sleep == Sleep::Asleep;
        sleep
    }
}

impl Drop for Driver<'_> {
    fn drop(&mut self) {
        self.awake();
    }
}

impl<'e, F> Run<'e, F> {
    pub(crate) fn new(handle: &'e Handle, future: F) -> Self {
        Self { handle, driver: None, future: Some(future) }
    }
}

impl<F: Future> Future for Run<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let driver = this.driver.get_or_insert_with(|| Driver::new(this.handle));
        let driving = driver.owner.drive();
        driver.awake();
        let mut taken = driving.take_polls(TASKS_PER_LOOK);
        loop {
            // One at least, so that a nested driver gets on when the turn is used up.
            let polls = taken.max(1);
            let mut made = 0;
            if driver.lease.take_woken() {
                made += 1;
                let waker = driver.lease.waker();
                let main = this.future.as_mut().as_pin_mut();
                let main = main.expect("`run` was polled after its future had completed");
                if let Poll::Ready(output) = main.poll(&mut Context::from_waker(&waker)) {
                    this.future.set(None);
                    drop(driving);
                    *this.driver = None;
                    return Poll::Ready(output);
                }
            }
            made += driver.run_tasks(polls - made);
            driving.give_back(taken.saturating_sub(made));
            if made < polls && driver.sleep(cx) == Sleep::Asleep {
                return Poll::Pending;
            }
            taken = driving.take_polls(TASKS_PER_LOOK);
            if taken == 0 {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
    }
}
