//! Facts of the types: what may cross threads, what may be shared, and how large the handles are.

use std::error::Error;
use std::fmt::Debug;
use std::future::{Future, Ready, pending, ready};
use std::marker::PhantomData;
use std::mem::{size_of, size_of_val};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use selvedge_local_executor::{
    FallibleTask, LocalExecutor, SpawnError, Spawner, StaticLocalExecutor, Task,
};
use static_assertions::{assert_impl_all, assert_not_impl_any};

// An executor stays on its thread (E3), and unwinding past it breaks nothing (E18).
assert_not_impl_any!(LocalExecutor<'static>: Send, Sync, Clone);
assert_not_impl_any!(StaticLocalExecutor: Send, Sync, Clone);
assert_impl_all!(LocalExecutor<'static>: Debug, Default, Unpin, UnwindSafe, RefUnwindSafe);
assert_impl_all!(StaticLocalExecutor: Debug, Default, Unpin, UnwindSafe, RefUnwindSafe);

// The one handle that travels (E23: none is to be found through a foreign context).
assert_impl_all!(Spawner: Send, Sync, Clone, Debug, Unpin);
const _: () = {
    const fn is_static<T: 'static>() {}
    is_static::<Spawner>();
};

// A refusal carries what it carries; a task goes where its output may go.
assert_impl_all!(SpawnError<Ready<u8>>: Error, Send, Sync, Debug, Unpin);
assert_impl_all!(SpawnError<Rc<()>>: Error, Debug);
assert_not_impl_any!(SpawnError<Rc<()>>: Send, Sync);
assert_impl_all!(Task<u8>: Send, Sync, Future<Output = u8>, Debug, Unpin, UnwindSafe);
assert_impl_all!(FallibleTask<u8>: Send, Sync, Future<Output = Option<u8>>, Unpin);
assert_not_impl_any!(Task<Rc<()>>: Send);
assert_impl_all!(Task<Rc<()>>: Future<Output = Rc<()>>);

/// Asks about a value whose type has no name: method look-up prefers the inherent method, but only
/// where its bound holds.
struct Question<'v, T>(PhantomData<&'v T>);

impl<'v, T> Question<'v, T> {
    fn about(_: &'v T) -> Self {
        Self(PhantomData)
    }
}

impl<T: Send> Question<'_, T> {
    fn is_send(&self) -> bool {
        true
    }
}

impl<T: UnwindSafe + RefUnwindSafe> Question<'_, T> {
    fn is_unwind_safe(&self) -> bool {
        true
    }
}

trait Otherwise {
    fn is_send(&self) -> bool {
        false
    }

    fn is_unwind_safe(&self) -> bool {
        false
    }
}

impl<T> Otherwise for Question<'_, T> {}

// E19: a future of a driver that changes its auto traits in a patch release.
#[test]
fn futures_of_drivers_stay_on_their_thread() {
    let ex = LocalExecutor::new();
    assert!(Question::about(&ready(1)).is_send(), "the question is well put");
    assert!(!Question::about(&Rc::new(1)).is_send());
    assert!(!Question::about(&ex.run(ready(1))).is_send());
    assert!(!Question::about(&ex.tick()).is_send());
    let ex = ex.leak();
    assert!(!Question::about(&ex.run(ready(1))).is_send());
    assert!(!Question::about(&ex.tick()).is_send());
    assert!(Question::about(&ex.spawner()).is_send());
    assert!(Question::about(&ex.spawn(ready(1))).is_send());
}

#[test]
fn public_handles_are_as_small_as_they_can_be() {
    const POINTER: usize = size_of::<*const ()>();
    assert_eq!(size_of::<LocalExecutor<'_>>(), POINTER);
    assert_eq!(size_of::<StaticLocalExecutor>(), POINTER);
    assert_eq!(size_of::<Spawner>(), POINTER);
    assert_eq!(size_of::<Option<Spawner>>(), POINTER);
    assert_eq!(size_of::<Task<()>>(), POINTER);
    assert_eq!(size_of::<Task<[u64; 9]>>(), POINTER);
    assert_eq!(size_of::<FallibleTask<()>>(), POINTER);
    assert_eq!(size_of::<SpawnError<[u8; 13]>>(), 13);
    assert_eq!(size_of::<SpawnError<()>>(), 0);
    let ex = LocalExecutor::new();
    assert!(size_of_val(&ex.run(ready(()))) <= 8 * POINTER);
    assert!(size_of_val(&ex.run(pending::<()>())) <= 7 * POINTER);
    let large = [0_u8; 1000];
    assert!(size_of_val(&ex.run(async move { large.len() })) <= 1000 + 8 * POINTER + 16);
    assert!(size_of_val(&ex.tick()) <= 4 * POINTER);
}

// E20: an executor that has to be initialised at run time.
#[test]
fn executors_are_made_in_constants() {
    let local = const { LocalExecutor::new() };
    let leaked = const { StaticLocalExecutor::new() };
    thread_local! {
        static HERE: LocalExecutor<'static> = const { LocalExecutor::new() };
        static LEAKED: &'static StaticLocalExecutor = Box::leak(Box::new(StaticLocalExecutor::new()));
    }
    assert!(local.is_empty());
    assert!(leaked.is_empty());
    assert_eq!(HERE.with(|ex| ex.block_on(ex.spawn(ready(1)))), 1);
    assert_eq!(LEAKED.with(|ex| ex.block_on(ex.spawn(ready(1)))), 1);
    assert!(LocalExecutor::default().is_empty());
    assert!(StaticLocalExecutor::default().is_empty());
}

#[test]
fn debug_output_names_the_type_and_counts_tasks() {
    let ex = LocalExecutor::new();
    assert!(format!("{ex:?}").starts_with("LocalExecutor"));
    let waits = ex.spawn(pending::<()>());
    ex.try_tick();
    let queued = ex.spawn(ready(()));
    let text = format!("{ex:?}");
    assert!(text.contains('2') && text.contains('1'), "two tasks, one of them queued: {text}");
    assert!(format!("{:?}", ex.spawner()).contains("Spawner"));
    drop((waits, queued));
    assert!(format!("{:?}", ex.leak()).starts_with("StaticLocalExecutor"));
}

#[test]
fn an_executor_may_be_used_across_a_caught_panic() {
    let ex = LocalExecutor::new();
    let caught = std::panic::catch_unwind(|| ex.block_on(async { std::panic::panic_any(1) }));
    assert!(caught.is_err());
    let task = ex.spawn(ready(2));
    assert_eq!(std::panic::catch_unwind(|| ex.block_on(task)).unwrap(), 2);
}

#[test]
fn a_spawner_may_be_used_across_a_caught_panic() {
    let ex = LocalExecutor::new();
    assert!(!Question::about(&std::cell::Cell::new(1)).is_unwind_safe(), "well put");
    assert!(Question::about(&1).is_unwind_safe());
    assert!(Question::about(&ex.spawner()).is_unwind_safe());
}
