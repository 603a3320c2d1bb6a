//! The driver that runs tasks until a main future completes.

use core::pin::Pin;
use core::task::{Context, Poll};

use async_task::Runnable;
use pin_project_lite::pin_project;

use crate::handle::Handle;
use crate::scheduler::{Caller, Driver, Rest, TurnOf};

/// How many tasks a driver polls, at most, before it looks around and whether its main future was
/// woken.
///
/// A main future that awaits one task after the other is woken by each. To poll it every time would
/// cost a registration and a notification a task; a little later it finds most of them finished.
const TASKS_PER_LOOK: u32 = 32;

pin_project! {
    /// The future of `Executor::run`.
    #[must_use = "futures do nothing unless awaited"]
    pub(crate) struct Run<'e, F> {
        handle: &'e Handle,
        caller: Caller,
        driver: Option<Driver<'e, Runnable>>,
        #[pin]
        future: Option<F>,
    }
}

impl<'e, F> Run<'e, F> {
    /// `caller` says who will poll it, and is true.
    pub(crate) fn new(handle: &'e Handle, caller: Caller, future: F) -> Self {
        Self { handle, caller, driver: None, future: Some(future) }
    }
}

impl<F: Future> Future for Run<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let caller = *this.caller;
        let turn_of = match caller {
            Caller::Parked => TurnOf::Own,
            Caller::Lent | Caller::Foreign => TurnOf::Outermost,
        };
        let handle = *this.handle;
        let driver =
            this.driver.get_or_insert_with(|| Driver::with_main(handle.scheduler(), caller));
        let future = &mut this.future;
        let poll = driver.polled(turn_of, |driver, turn| {
            let mut taken = turn.take(TASKS_PER_LOOK);
            loop {
                // One at least, so that a nested driver gets on when the turn is used up.
                let polls = taken.max(1);
                let mut made = 0;
                if driver.take_main_woken() {
                    made += 1;
                    let waker = driver.main_waker();
                    let main = future.as_mut().as_pin_mut();
                    let main = main.expect("`run` was polled after its future had completed");
                    if let Poll::Ready(output) = main.poll(&mut Context::from_waker(&waker)) {
                        future.set(None);
                        return Some(Poll::Ready(output));
                    }
                }
                made += run_tasks(driver, polls - made);
                turn.give_back(taken.saturating_sub(made));
                if made < polls {
                    match driver.rest(cx.waker()) {
                        Rest::Found(runnable) => {
                            turn.take(1);
                            runnable.run();
                        }
                        Rest::MainWoken => {}
                        Rest::Asleep => return Some(Poll::Pending),
                    }
                }
                taken = turn.take(TASKS_PER_LOOK);
                if taken == 0 {
                    return None;
                }
            }
        });
        let Some(poll) = poll else {
            // The turn is over. This is foreign code, which may block: the driver's poll has ended.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        };
        if poll.is_ready() {
            *this.driver = None;
        }
        poll
    }
}

/// Runs tasks of the driver's own queue, up to a number, and says how many there were.
///
/// Looks around once, first: own work cannot starve what is queued elsewhere.
fn run_tasks(driver: &mut Driver<'_, Runnable>, most: u32) -> u32 {
    driver.look_around();
    for polled in 0..most {
        match driver.pop_own() {
            Some(runnable) => runnable.run(),
            None => return polled,
        };
    }
    most
}
