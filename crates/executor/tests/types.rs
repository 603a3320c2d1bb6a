//! Facts of the types: what may cross threads, what may be shared, and how large the handles are.

use std::error::Error;
use std::fmt::Debug;
use std::future::{Future, Ready, pending, ready};
use std::mem::{size_of, size_of_val};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use selvedge_executor::{
    Executor, FallibleTask, SpawnError, Spawner, StaticExecutor, Task, WorkerThreads, Workers,
};
use static_assertions::{assert_impl_all, assert_not_impl_any};

// An executor is shared by all threads, and unwinding past it breaks nothing (E18).
assert_impl_all!(Executor<'static>: Send, Sync, Debug, Default, Unpin, UnwindSafe, RefUnwindSafe);
assert_impl_all!(StaticExecutor: Send, Sync, Debug, Default, Unpin, UnwindSafe, RefUnwindSafe);
assert_not_impl_any!(Executor<'static>: Clone);

assert_impl_all!(Spawner: Send, Sync, Clone, Debug, Unpin, UnwindSafe, RefUnwindSafe);
assert_impl_all!(Workers: Send, Sync, Clone, Debug);
assert_impl_all!(WorkerThreads: Send, Sync, Debug);
const _: () = {
    const fn is_static<T: 'static>() {}
    is_static::<Spawner>();
};

// A refusal carries what it carries; a task goes where its output may go.
assert_impl_all!(SpawnError<Ready<u8>>: Error, Send, Sync, Debug, Unpin);
assert_not_impl_any!(SpawnError<Rc<()>>: Send, Sync);
assert_impl_all!(Task<u8>: Send, Sync, Future<Output = u8>, Debug, Unpin, UnwindSafe);
assert_impl_all!(FallibleTask<u8>: Send, Sync, Future<Output = Option<u8>>, Unpin);

fn is_send<T: Send>(_: &T) {}

/// Asks about a value whose type has no name: method look-up prefers the inherent method, but only
/// where its bound holds.
struct Question<'v, T>(std::marker::PhantomData<&'v T>);

impl<'v, T> Question<'v, T> {
    fn about(_: &'v T) -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T: Send> Question<'_, T> {
    fn is_send(&self) -> bool {
        true
    }
}

trait Otherwise {
    fn is_send(&self) -> bool {
        false
    }
}

impl<T> Otherwise for Question<'_, T> {}

// E19: a future of a driver that changes its auto traits in a patch release.
#[test]
fn futures_of_drivers_are_send_when_their_argument_is() {
    static EX: StaticExecutor = StaticExecutor::new();
    let ex = Executor::new();
    is_send(&ex.tick());
    is_send(&ex.run(pending::<()>()));
    is_send(&ex.run(async { ex.spawn(ready(1)).await }));
    is_send(&EX.tick());
    is_send(&EX.run(pending::<()>()));
    assert!(!Question::about(&ex.run(ready(Rc::new(1)))).is_send());
    assert!(Question::about(&ex.run(ready(1))).is_send());
}

#[test]
fn public_handles_are_as_small_as_they_can_be() {
    const POINTER: usize = size_of::<*const ()>();
    assert_eq!(size_of::<Executor<'_>>(), POINTER);
    assert_eq!(size_of::<StaticExecutor>(), POINTER);
    assert_eq!(size_of::<Spawner>(), POINTER);
    assert_eq!(size_of::<Option<Spawner>>(), POINTER);
    assert_eq!(size_of::<SpawnError<[u8; 13]>>(), 13);
    let ex = Executor::new();
    assert!(size_of_val(&ex.run(ready(()))) <= 8 * POINTER);
    let large = [0_u8; 1000];
    assert!(size_of_val(&ex.run(async move { large.len() })) <= 1000 + 8 * POINTER + 16);
    assert!(size_of_val(&ex.tick()) <= 4 * POINTER);
}

// E20: an executor that has to be initialised at run time.
#[test]
fn executors_are_made_in_constants() {
    static PLAIN: Executor<'static> = Executor::new();
    static LEAKED: StaticExecutor = StaticExecutor::new();
    let made = const { Executor::new() };
    assert!(made.is_empty() && PLAIN.is_empty() && LEAKED.is_empty());
    assert_eq!(PLAIN.block_on(PLAIN.spawn(ready(1))), 1);
    assert_eq!(LEAKED.block_on(LEAKED.spawn(ready(1))), 1);
    assert!(Executor::default().is_empty());
    assert!(StaticExecutor::default().is_empty());
}

#[test]
fn debug_output_names_the_type_and_counts_tasks() {
    let ex = Executor::new();
    assert!(format!("{ex:?}").starts_with("Executor"));
    let waits = ex.spawn(pending::<()>());
    ex.try_tick();
    let queued = ex.spawn(ready(()));
    let text = format!("{ex:?}");
    assert!(text.contains('2') && text.contains('1'), "two tasks, one of them queued: {text}");
    assert!(format!("{:?}", ex.spawner()).contains("Spawner"));
    drop((waits, queued));
    assert!(format!("{:?}", ex.leak()).starts_with("StaticExecutor"));
}

#[test]
fn an_executor_may_be_used_across_a_caught_panic() {
    let ex = Executor::new();
    let caught = std::panic::catch_unwind(|| ex.block_on(async { std::panic::panic_any(1) }));
    assert!(caught.is_err());
    let task = ex.spawn(ready(2));
    assert_eq!(std::panic::catch_unwind(|| ex.block_on(task)).unwrap(), 2);
}
