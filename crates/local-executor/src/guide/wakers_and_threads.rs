//! Wakers and threads: what may leave the executor's thread, and what blocks it.
//!
//! Each section starts from a mistake, says what happens, and what to do.
//!
//! # 'The executor is `!Send`, so its wakers stay here'
//!
//! They do not. A [`Waker`] is `Send` and `Sync` whatever it wakes; timers, channels and reactors wake from
//! threads of their own. Executors that forget this have undefined behaviour. Here a waker may be cloned,
//! woken and dropped on any thread, at any time, also while the executor is dropped and after that. The
//! thread that wakes puts the task into an inbox, and wakes this thread if it sleeps. It never polls the
//! future, nor drops it: both happen here, so the future may hold what must not leave.
//!
//! ```
//! use std::future::poll_fn;
//! use std::rc::Rc;
//! use std::task::Poll;
//! use std::thread;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let here = thread::current().id();
//! let local = Rc::new(42);
//! let mut polled = false;
//! let task = ex.spawn(poll_fn(move |cx| {
//!     assert_eq!(thread::current().id(), here);
//!     if polled {
//!         return Poll::Ready(*local);
//!     }
//!     polled = true;
//!     let waker = cx.waker().clone();
//!     thread::spawn(move || waker.wake());
//!     Poll::Pending
//! }));
//! assert_eq!(ex.block_on(task), 42);
//! ```
//!
//! # 'I hand the executor to the other thread'
//!
//! That does not compile, and neither does handing over its `run` future. What may go is a
//! [`Spawner`](crate::Spawner), by which other threads spawn here, and a [`Task`](crate::Task) whose
//! output is `Send`, which may be awaited anywhere. A future that is not `Send` is sent as the closure that
//! makes it, by [`Spawner::spawn_with`](crate::Spawner::spawn_with).
//!
//! ```
//! use std::rc::Rc;
//! use std::thread;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let spawner = ex.spawner();
//! let (answer, answered) = async_channel::bounded(1);
//! let thread = thread::spawn(move || {
//!     let task = spawner.spawn_with(|| {
//!         let local = Rc::new(6);
//!         async move { *local * 7 }
//!     });
//!     let output = futures_lite::future::block_on(task.expect("the executor is alive"));
//!     answer.send_blocking(output)
//! });
//! // The task runs on this thread, while the other one waits for it.
//! assert_eq!(ex.block_on(answered.recv()), Ok(42));
//! thread.join().unwrap().unwrap();
//! ```
//!
//! # 'It looks whether the event has happened, then leaves its waker'
//!
//! If the event comes in between, it finds no waker, and the future has looked already: it sleeps for ever. No
//! executor can help. Leave the waker first and look afterwards, or do both under one lock. And leave the
//! *newest* waker at each poll: a future may be polled in one place first and then be moved into another,
//! whose waker is another.
//!
//! ```
//! use std::future::poll_fn;
//! use std::sync::Mutex;
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use std::task::{Poll, Waker};
//! use selvedge_local_executor::LocalExecutor;
//!
//! #[derive(Default)]
//! struct Event {
//!     happened: AtomicBool,
//!     waker: Mutex<Option<Waker>>,
//! }
//!
//! impl Event {
//!     /// For the other side, on any thread.
//!     fn happen(&self) {
//!         self.happened.store(true, Ordering::Release);
//!         let waker = self.waker.lock().unwrap().take();
//!         // Woken after the lock is released.
//!         if let Some(waker) = waker {
//!             waker.wake();
//!         }
//!     }
//!
//!     fn look(&self) -> bool {
//!         self.happened.load(Ordering::Acquire)
//!     }
//!
//!     fn leave(&self, waker: &Waker) {
//!         *self.waker.lock().unwrap() = Some(waker.clone());
//!     }
//! }
//!
//! let (wrong, right) = (Event::default(), Event::default());
//! let ex = LocalExecutor::new();
//!
//! let sleeps_for_ever = ex.spawn(poll_fn(|cx| {
//!     if wrong.look() {
//!         return Poll::Ready(());
//!     }
//!     wrong.happen(); // another thread, at the worst moment
//!     wrong.leave(cx.waker());
//!     Poll::Pending
//! }));
//! assert!(ex.try_tick());
//! assert!(!ex.try_tick() && wrong.look() && !sleeps_for_ever.is_finished());
//! drop(sleeps_for_ever);
//!
//! let ends = ex.spawn(poll_fn(|cx| {
//!     right.leave(cx.waker());
//!     if right.look() {
//!         return Poll::Ready(());
//!     }
//!     right.happen(); // there is no worst moment any more
//!     Poll::Pending
//! }));
//! ex.block_on(ends);
//! ```
//!
//! # 'I wake while I hold a lock, or a `RefCell` is borrowed'
//!
//! `wake` of a task of this executor polls nothing and drops no future, so the task cannot find the lock held
//! by the very thread that wakes it, as it can with executors that run a task inside `wake`. But `wake` does call
//! the waker of a driver that sleeps. With [`block_on`](crate::LocalExecutor::block_on) that is ours and
//! takes no lock of yours; if you poll `run` or `tick` yourself, it is your waker, and runs under your lock.
//! Other executors do more in a wake. So take the waker out, release the lock, and wake then, as `happen`
//! does above.
//!
//! ```
//! use std::cell::RefCell;
//! use std::future::poll_fn;
//! use std::task::{Poll, Waker};
//! use selvedge_local_executor::LocalExecutor;
//!
//! let state: RefCell<(u32, Option<Waker>)> = RefCell::default();
//! let ex = LocalExecutor::new();
//! let task = ex.spawn(poll_fn(|cx| {
//!     let mut state = state.borrow_mut();
//!     state.1 = Some(cx.waker().clone());
//!     if state.0 == 0 { Poll::Pending } else { Poll::Ready(state.0) }
//! }));
//! assert!(ex.try_tick());
//! {
//!     let mut state = state.borrow_mut();
//!     state.0 = 7;
//!     // Would be a second borrow if it polled the task; it only queues it.
//!     state.1.as_ref().unwrap().wake_by_ref();
//! }
//! assert_eq!(ex.block_on(task), 7);
//! ```
//!
//! # 'I block inside a task, or in the main future'
//!
//! Then the thread blocks, and with it everything: no other task runs, and what other threads wake or spawn is
//! queued until the thread comes back. There is no second driver on another thread that could take over. So
//! a task must not wait by a lock, a `recv` or a join for what another task of this executor will do; that
//! is a deadlock. Await it instead. Where the code between is not `async`, call the executor's own
//! [`block_on`](crate::LocalExecutor::block_on) in the task: it drives the other tasks meanwhile. (The
//! `block_on` of another crate would not.)
//!
//! ```
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new().leak();
//! let other = ex.spawn(async { 20 });
//! let task = ex.spawn(async move {
//!     // Some code that is not async, and needs the other task's output now:
//!     ex.block_on(other) + 22
//! });
//! assert_eq!(ex.block_on(task), 42);
//! ```
//!
//! Nesting has one limit: tasks that are being polled further down the stack stand still until the nested call
//! returns. Waiting for one of them never ends, and a task that the nested call picks up, and that waits in
//! turn by a nested call of its own, must return before the one below it can. Each nested call takes stack, and
//! nothing bounds how deep such tasks nest: where it can be awaited, await it.
//!
//! Long computations block as well. Send them to a thread pool and await what comes back; or put a yield
//! into their loop (`futures_lite::future::yield_now`), which lets every task that is ready go first.
//!
//! # 'My event loop's waker assumes that it is woken on the loop's thread'
//!
//! Whoever polls `run` or `tick` hands in a waker. It is woken on the thread that made a task ready: that
//! may be any. A waker that sends the loop an event (most window systems have a call for that) is right; one that
//! sets a plain field through a raw pointer is not. And it should not block. The example `gui_loop` is such
//! a host.
//!
//! # 'I tick until nothing is ready, then go on with my loop'
//!
//! A task that wakes itself, as one that yields does, is ready again at once: `while ex.try_tick() {}` never ends
//! while such a task lives, and the loop's events wait for ever. Give the executor a number of ticks a turn.
//! (`run` gives its caller a turn by itself, after 192 polls.)
//!
//! ```
//! use futures_lite::future::yield_now;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! ex.spawn(async {
//!     loop {
//!         yield_now().await
//!     }
//! })
//! .detach();
//! for _turn_of_the_loop in 0..3 {
//!     for _ in 0..16 {
//!         if !ex.try_tick() {
//!             break;
//!         }
//!     }
//!     // events, painting, ..
//! }
//! ```
//!
//! # 'I spawn, and nothing happens'
//!
//! Nothing runs tasks but a driver: `block_on`, `run`, `tick` or `try_tick` of this executor. Awaiting a task by
//! another crate's `block_on` only waits.
//!
//! ```
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let task = ex.spawn(async { 1 });
//! // `futures_lite::future::block_on(task)` would wait for ever here: nobody drives `ex`.
//! assert_eq!(futures_lite::future::block_on(ex.run(task)), 1);
//! ```
//!
//! # 'The executor's thread is over, and wakers are left'
//!
//! A [`LocalExecutor`](crate::LocalExecutor) in a thread-local drops its tasks when the thread ends; wakers that
//! are left do nothing then. A leaked one keeps its tasks for ever. Wakes are harmless still, but nobody is
//! left to run anything: what spawners send is accepted, and never run.
//!
//! # 'I wake in a signal handler'
//!
//! Do not. A wake from elsewhere may allocate, and may wait for a moment for another thread: it is no
//! operation for signal or interrupt handlers, nor for threads under strict priorities. Let the handler
//! write to a pipe or set a flag that a thread of yours looks at.
//!
//! [`Waker`]: std::task::Waker
