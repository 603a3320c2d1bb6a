//! Drops of the dispatcher and of guards, and what the builder refuses.

#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::io;
use std::sync::{Arc, mpsc};
use std::thread;

use selvedge_dispatcher::{DispatchError, Dispatcher, LaunchErrorKind, Overflow, TaskError};

use hold::hold;
use watchdog::watchdog;

#[test]
fn dropped_unopened_it_discards_the_queue_and_counts_it() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(100);
    let guard = dispatcher.guard();
    let alive = Arc::new(());
    let captured = alive.clone();
    let handle = guard.launch_with_handle(move || drop(captured)).unwrap();
    for _ in 0..50 {
        guard.launch(|| panic!("never run")).unwrap();
    }
    let flush = guard.flush();
    drop(dispatcher);
    assert!(matches!(handle.wait(), Err(TaskError::Discarded)));
    assert_eq!(futures_lite::future::block_on(flush), Err(DispatchError::Killed));
    assert_eq!(Arc::strong_count(&alive), 1);
    assert_eq!(guard.shutdown(), Err(DispatchError::Closed));
    let stats = guard.stats();
    assert_eq!((stats.run, stats.dropped, stats.queued), (0, 51, 0));
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Closed);
    assert_eq!(guard.flush_init(), Err(DispatchError::Closed));
}

#[test]
fn dropped_open_it_closes_and_lets_queued_work_finish_without_waiting() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(100);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    let (sender, receiver) = mpsc::channel();
    for number in 0..100 {
        let sender = sender.clone();
        guard.launch(move || sender.send(number).unwrap()).unwrap();
    }
    drop(sender);
    drop(dispatcher);
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Closed);
    drop(release);
    assert_eq!(receiver.iter().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    assert_eq!(guard.block_on_queue(), Ok(()));
}

#[test]
fn guards_captured_by_queued_closures_keep_nothing_alive() {
    let _watchdog = watchdog();
    for open in [false, true] {
        let dispatcher = Dispatcher::new(100);
        let guard = dispatcher.guard();
        let (sender, receiver) = mpsc::channel::<()>();
        for _ in 0..3 {
            let (inner, sender) = (guard.clone(), sender.clone());
            guard.launch(move || drop((inner, sender))).unwrap();
        }
        if open {
            guard.open().unwrap();
        }
        drop((dispatcher, guard, sender));
        assert!(receiver.recv().is_err(), "all closures are gone, and no guard is left");
    }
}

#[test]
fn guards_outlive_the_dispatcher_on_any_thread() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    drop(dispatcher);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let guard = guard.clone();
            thread::spawn(move || guard.clone().launch(|| ()).unwrap_err().kind())
        })
        .collect();
    drop(guard);
    for thread in threads {
        assert_eq!(thread.join().unwrap(), LaunchErrorKind::Closed);
    }
}

#[test]
fn a_dispatcher_may_be_dropped_by_its_own_task() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let later = guard.launch_with_handle(move || drop(dispatcher)).unwrap();
    later.wait().unwrap();
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Closed);
    assert_eq!(guard.shutdown(), Err(DispatchError::Closed));
}

#[test]
fn a_forgotten_dispatcher_goes_on_working() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    std::mem::forget(dispatcher);
    guard.open().unwrap();
    assert_eq!(guard.launch_with_handle(|| 9).unwrap().wait().unwrap(), 9);
    assert_eq!(guard.shutdown().unwrap().run, 1);
}

#[test]
fn a_closure_whose_destructor_launches_is_refused_and_nothing_hangs() {
    struct Launcher(selvedge_dispatcher::Guard, mpsc::Sender<LaunchErrorKind>);
    impl Drop for Launcher {
        fn drop(&mut self) {
            self.1.send(self.0.launch(|| ()).unwrap_err().kind()).unwrap();
        }
    }
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let (sender, receiver) = mpsc::channel();
    let launcher = Launcher(guard.clone(), sender);
    guard.launch(move || _ = &launcher).unwrap();
    assert_eq!(guard.kill(), Ok(1));
    assert_eq!(receiver.recv().unwrap(), LaunchErrorKind::Killed);
}

#[test]
fn the_builder_names_the_thread_and_sets_its_stack() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().name("log-writer").stack_size(1 << 20).spin(0);
    assert!(format!("{builder:?}").contains("log-writer"));
    let dispatcher = builder.build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let name = || thread::current().name().map(str::to_owned);
    let handle = guard.launch_with_handle(name).unwrap();
    assert_eq!(handle.wait().unwrap().as_deref(), Some("log-writer"));
}

#[test]
fn the_builder_gives_errors_instead_of_panics() {
    let refused = Dispatcher::builder().bound_once_open(0).build().unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
    let refused = Dispatcher::builder().name("a\0b").build().unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
    // No machine has so large a stack.
    assert!(Dispatcher::builder().stack_size(1 << 60).build().is_err());
}

#[test]
fn a_bound_of_zero_turns_everything_away_until_the_gate_opens() {
    let _watchdog = watchdog();
    for policy in [Overflow::Reject, Overflow::DropOldest, Overflow::Block] {
        let builder = Dispatcher::builder().max_queue_size(0).overflow(policy);
        let dispatcher = builder.build().unwrap();
        let guard = dispatcher.guard();
        assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
        assert_eq!(guard.flush_init(), Ok(1));
        guard.launch(|| ()).unwrap();
        assert_eq!(guard.shutdown().unwrap().run, 1);
    }
}
