//! Wakers and threads: who runs what, what a blocked thread holds up, and what to do with a waker.
//!
//! Each section starts from a mistake, says what happens, and what to do.
//!
//! # 'I spawn, and nothing happens'
//!
//! The executor has no threads of its own. Tasks run where somebody drives it: in
//! [`block_on`](crate::Executor::block_on), [`run`](crate::Executor::run), [`tick`](crate::Executor::tick) or
//! [`try_tick`](crate::Executor::try_tick), on any thread, or on [`Workers`](crate::Workers), which do that and
//! nothing else, unless they are [lent to a reactor](crate::Workers::blocking_on). The `block_on` of another crate, given nothing but a task, only waits.
//!
//! ```
//! use futures_lite::future::block_on;
//! use selvedge_executor::{Executor, Workers};
//!
//! let ex = Executor::new();
//! let task = ex.spawn(async { 1 });
//! // `block_on(task)` would wait for ever here: nobody drives `ex`.
//! assert_eq!(block_on(ex.run(task)), 1);
//!
//! // With workers it need not be driven by those who wait:
//! let sum = Workers::new(1).scope(&ex, || block_on(ex.spawn(async { 2 })));
//! assert_eq!(sum.unwrap(), 2);
//! ```
//!
//! # 'A task that blocks its thread takes others with it'
//!
//! It takes the thread, and nothing else. What is queued behind it, what it has spawned or woken before it
//! blocked, and what is woken meanwhile, other drivers find; one that sleeps is woken for it. If there is
//! no other driver, all waits, and a task that blocks until another one has run never ends.
//!
//! ```
//! use std::sync::mpsc::channel;
//! use futures_lite::future::block_on;
//! use selvedge_executor::{Executor, StaticExecutor, Workers};
//!
//! let ex: &'static StaticExecutor = Executor::new().leak();
//! let workers = Workers::new(2).start(ex).unwrap();
//! let task = ex.spawn(async move {
//!     let (answer, answered) = channel();
//!     ex.spawn(async move { answer.send(42).unwrap() }).detach();
//!     answered.recv().unwrap() // blocks this worker; the other one runs what was spawned
//! });
//! assert_eq!(block_on(task), 42);
//! workers.shutdown();
//! ```
//!
//! So a program with two workers survives one task that blocks now and then, and not two at once. What blocks
//! often (files, name look-up, long computations) belongs on a pool of threads for that, such as the crate
//! `blocking`; await what comes back. A long computation may also yield now and then
//! (`futures_lite::future::yield_now`).
//!
//! # 'I call `block_on` inside a task'
//!
//! With this executor's own [`block_on`](crate::Executor::block_on) that is allowed: the nested call drives the
//! executor, so the task gets what it waits for even on the only thread. With another crate's `block_on` the
//! thread is blocked as in the section above.
//!
//! ```
//! use selvedge_executor::{Executor, StaticExecutor};
//!
//! let ex: &'static StaticExecutor = Executor::new().leak();
//! let other = ex.spawn(async { 20 });
//! let task = ex.spawn(async move {
//!     // Some code that is not async, and needs the other task's output now:
//!     ex.block_on(other) + 22
//! });
//! assert_eq!(ex.block_on(task), 42);
//! ```
//!
//! Nesting has one limit: the tasks that are being polled further down this thread's stack stand still until the
//! nested call returns, so to wait for one of them never ends. Each nested call takes stack, and a task that it
//! picks up may nest again; nothing bounds how deep. Where it can be awaited, await it.
//!
//! # 'My main future blocks for a moment, the workers do the rest'
//!
//! That is right: the main future of `block_on` or `run` belongs to its driver alone, and while it is being
//! polled the driver runs no task; the others go on, and take over what is in its queue. Only the main future
//! itself waits: nobody else can poll it. A program whose only driver is that `block_on` stands still.
//!
//! ```
//! use std::sync::mpsc::channel;
//! use selvedge_executor::{Executor, Workers};
//!
//! let (send, receive) = channel();
//! let ex = Executor::new();
//! let answer = Workers::new(1).scope(&ex, || {
//!     ex.block_on(async {
//!         ex.spawn(async move { send.send(7).unwrap() }).detach();
//!         receive.recv().unwrap() // blocks; the worker runs the task
//!     })
//! });
//! assert_eq!(answer.unwrap(), 7);
//! ```
//!
//! # 'A driver that nobody polls keeps tasks to itself'
//!
//! It does not. A `run` future may be held in a `select`, be polled rarely, or be forgotten; tasks that it has
//! taken up stay in a queue that every driver can reach. If it was told of work and does not answer, that holds
//! nothing back either.
//!
//! ```
//! use std::future::{Future, pending};
//! use std::task::{Context, Waker};
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
//! let mut held = Box::pin(ex.run(pending::<()>()));
//! assert!(held.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
//! // `held` sleeps, is told of this task, and is never polled again:
//! let task = ex.spawn(async { 3 });
//! assert_eq!(ex.block_on(task), 3);
//! ```
//!
//! # 'It looks whether the event has happened, then leaves its waker'
//!
//! If the event comes in between, it finds no waker, and the future has looked already: it sleeps for ever. No
//! executor can help. Leave the waker first and look afterwards; or do both under one lock, as here. And
//! leave the *newest* waker at each poll: a future may be polled in one place first, and then be moved into a
//! task, whose waker is another.
//!
//! ```
//! use std::future::{Future, poll_fn};
//! use std::sync::{Arc, Mutex};
//! use std::task::{Poll, Waker};
//! use futures_lite::future::{block_on, poll_once};
//! use selvedge_executor::Executor;
//!
//! #[derive(Clone, Default)]
//! struct Event(Arc<Mutex<(bool, Option<Waker>)>>);
//!
//! impl Event {
//!     fn happened(&self) -> impl Future<Output = ()> + Send + use<> {
//!         let state = self.0.clone();
//!         poll_fn(move |cx| {
//!             let mut state = state.lock().unwrap();
//!             if state.0 {
//!                 return Poll::Ready(());
//!             }
//!             // Not `if state.1.is_none()`: the newest waker is the one that counts.
//!             state.1 = Some(cx.waker().clone());
//!             Poll::Pending
//!         })
//!     }
//!
//!     fn happen(&self) {
//!         let mut state = self.0.lock().unwrap();
//!         state.0 = true;
//!         let waker = state.1.take();
//!         drop(state);
//!         // Woken after the lock is released.
//!         if let Some(waker) = waker {
//!             waker.wake();
//!         }
//!     }
//! }
//!
//! let event = Event::default();
//! let mut wait = Box::pin(event.happened());
//! assert!(block_on(poll_once(wait.as_mut())).is_none(), "polled here first");
//!
//! let ex = Executor::new();
//! let task = ex.spawn(wait);
//! assert!(ex.try_tick(), "then in a task");
//! std::thread::spawn(move || event.happen());
//! ex.block_on(task);
//! ```
//!
//! (To clone and to drop a waker is foreign code, too, if the future is polled by somebody else's executor. Where
//! that matters, clone before the lock and drop the old one after it.)
//!
//! # 'I wake while I hold a lock'
//!
//! `wake` of a task of this executor polls nothing and drops no future, so no code of the task runs under your
//! lock. But
//!
//! * the task may run on another thread at once, and waits there for the lock that you hold;
//! * `wake` calls the waker of a driver that sleeps. With `block_on` and [`Workers`](crate::Workers) that is ours and
//!   takes no lock of yours; if you poll `run` or `tick` yourself, it is your waker, and runs under your lock.
//!
//! So take the waker out, release the lock, and wake then, as `happen` does above.
//!
//! ```
//! use std::future::poll_fn;
//! use std::sync::Mutex;
//! use std::task::{Poll, Waker};
//! use selvedge_executor::Executor;
//!
//! let state: Mutex<(u32, Option<Waker>)> = Mutex::default();
//! let ex = Executor::new();
//! let task = ex.spawn(poll_fn(|cx| {
//!     let mut state = state.lock().unwrap();
//!     state.1 = Some(cx.waker().clone());
//!     if state.0 == 0 { Poll::Pending } else { Poll::Ready(state.0) }
//! }));
//! assert!(ex.try_tick());
//! {
//!     let mut state = state.lock().unwrap();
//!     state.0 = 7;
//!     // Would be a deadlock if it polled the task; it only queues it.
//!     state.1.as_ref().unwrap().wake_by_ref();
//! }
//! assert_eq!(ex.block_on(task), 7);
//! ```
//!
//! # 'The waker that I poll `run` with blocks for a moment'
//!
//! Whoever polls `run` or `tick` hands in a waker. It is woken by whichever thread makes a task ready, or takes one
//! up while others are left. If it blocks, it holds up that thread, with the task that it has taken up, and
//! other drivers that it would have told hear of the next task only. Let it send a message or set a flag, and
//! return. If it panics, that is caught and ends with its message.
//!
//! A loop that is given to [`Workers::blocking_on`](crate::Workers::blocking_on) promises more: that it polls the
//! worker whenever that is woken. New work wakes one such worker and no other driver, so while the loop is stuck
//! in something else, that work may wait.
//!
//! # 'I tick until nothing is ready, then go on with my loop'
//!
//! A task that wakes itself, as one that yields does, is ready again at once: `while ex.try_tick() {}` need not end
//! while such a task lives, nor while other threads bring work. Give the executor a number of ticks a turn, or
//! poll `run`, which gives its caller a turn after 192 polls by itself.
//!
//! ```
//! use futures_lite::future::yield_now;
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
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
//! # 'A waker ties the task to a thread'
//!
//! It does not: a waker may be cloned, woken and dropped on any thread, at any time, also while the executor is
//! dropped and after that. Woken inside a task or a main future of this executor, the task goes to the queue of
//! the driver that is being polled there; woken anywhere else it goes to a shared queue. From either, any driver may
//! take it. A wake after the task is over does nothing. What a waker that is kept costs is the memory of its
//! task, which is freed with the last one.
//!
//! # 'I wake in a signal handler'
//!
//! Do not. A wake may allocate, and may wait for a moment for another thread: it is no operation for signal or
//! interrupt handlers, nor for threads under strict priorities. Let the handler write to a pipe or set a flag
//! that a thread of yours looks at.
