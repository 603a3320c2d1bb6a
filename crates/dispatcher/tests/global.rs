//! The global form.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::cell::RefCell;
use std::panic::{catch_unwind, panic_any};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use futures_lite::future::block_on;
use selvedge_dispatcher::{DispatchError, GlobalDispatcher, LaunchErrorKind, Overflow, TaskError};

use watchdog::watchdog;

#[test]
fn it_queues_flushes_runs_and_shuts_down() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(2);
    let _watchdog = watchdog();
    let log = Arc::new(Mutex::new(Vec::new()));
    let launch = |number| {
        let log = log.clone();
        GLOBAL.launch(move || log.lock().unwrap().push(number)).map_err(|it| it.kind())
    };
    assert_eq!(launch(1), Ok(()));
    assert_eq!(launch(2), Ok(()));
    assert_eq!(launch(3), Err(LaunchErrorKind::Full));
    assert_eq!(GLOBAL.flush_init(), Ok(1));
    assert_eq!(launch(4), Ok(()));
    assert_eq!(GLOBAL.block_on_queue(), Ok(()));
    assert_eq!(block_on(GLOBAL.flush()), Ok(()));
    assert_eq!(*log.lock().unwrap(), [1, 2, 4]);
    assert_eq!(GLOBAL.flush_init(), Err(DispatchError::AlreadyFlushed));
    assert_eq!(GLOBAL.shutdown().unwrap().run, 3);
    assert_eq!(launch(5), Err(LaunchErrorKind::Closed));
    assert_eq!(GLOBAL.shutdown(), Err(DispatchError::Closed));
}

#[test]
fn a_reset_begins_anew() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(40);
    let _watchdog = watchdog();
    for _ in 0..100 {
        for _ in 0..40 {
            GLOBAL.launch(|| ()).unwrap();
        }
        assert_eq!(GLOBAL.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
        assert_eq!(GLOBAL.flush_init(), Ok(1));
        assert_eq!(GLOBAL.stats().run, 40);
        assert_eq!(GLOBAL.reset(), Ok(()));
        let stats = GLOBAL.stats();
        assert_eq!((stats.run, stats.queued, stats.turned_away), (0, 0, 0));
    }
    GLOBAL.launch(|| ()).unwrap();
    assert_eq!(GLOBAL.kill(), Ok(1));
    assert_eq!(GLOBAL.block_on_queue(), Err(DispatchError::Killed));
    assert_eq!(GLOBAL.reset(), Ok(()));
    assert_eq!(GLOBAL.open(), Ok(()));
    assert_eq!(GLOBAL.block_on_queue(), Ok(()), "what was dropped is of another generation");
    assert_eq!(GLOBAL.shutdown_timeout(Duration::from_secs(600)).unwrap().dropped, 0);
}

#[test]
fn it_can_be_ended_and_reset_before_anything_was_launched() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(1);
    let _watchdog = watchdog();
    assert_eq!(GLOBAL.reset(), Ok(()));
    assert_eq!(GLOBAL.shutdown().unwrap().run, 0);
    assert_eq!(GLOBAL.kill(), Err(DispatchError::Closed));
    assert_eq!(GLOBAL.reset(), Ok(()));
    assert_eq!(GLOBAL.kill(), Ok(0));
    assert_eq!(GLOBAL.reset(), Ok(()));
    GLOBAL.launch(|| ()).unwrap();
    assert_eq!(GLOBAL.shutdown().unwrap().run, 1);
}

#[test]
fn a_wait_of_an_earlier_generation_knows_what_became_of_it() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    let _watchdog = watchdog();
    GLOBAL.launch(|| ()).unwrap();
    let killed = GLOBAL.flush();
    GLOBAL.kill().unwrap();
    GLOBAL.reset().unwrap();
    GLOBAL.launch(|| ()).unwrap();
    let run = GLOBAL.flush();
    GLOBAL.reset().unwrap();
    GLOBAL.launch(|| ()).unwrap();
    assert_eq!(block_on(killed), Err(DispatchError::Killed));
    assert_eq!(block_on(run), Ok(()));
    GLOBAL.kill().unwrap();
}

#[test]
fn launches_that_race_resets_run_or_come_back() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(1_000_000);
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let _watchdog = watchdog();
    let accepted = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..5_000 {
                    if GLOBAL.launch(|| _ = RUNS.fetch_add(1, Ordering::SeqCst)).is_ok() {
                        accepted.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..200 {
                    GLOBAL.flush_init().ok();
                    GLOBAL.reset().unwrap();
                }
            });
        }
    });
    GLOBAL.shutdown().unwrap();
    assert_eq!(RUNS.load(Ordering::SeqCst), accepted.into_inner());
}

#[test]
fn no_verb_waits_on_the_worker() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    let _watchdog = watchdog();
    GLOBAL.open().unwrap();
    let check = || {
        assert!(GLOBAL.is_worker_thread());
        assert_eq!(GLOBAL.reset(), Err(DispatchError::WouldDeadlock));
        assert_eq!(GLOBAL.shutdown(), Err(DispatchError::WouldDeadlock));
        assert_eq!(GLOBAL.kill(), Err(DispatchError::WouldDeadlock));
        assert_eq!(GLOBAL.block_on_queue(), Err(DispatchError::WouldDeadlock));
        let nested = GLOBAL.launch_with_handle(|| ()).unwrap();
        assert!(matches!(nested.wait(), Err(TaskError::WouldDeadlock)));
    };
    GLOBAL.launch_with_handle(check).unwrap().wait().unwrap();
    assert!(!GLOBAL.is_worker_thread());
    GLOBAL.shutdown().unwrap();
}

#[test]
fn in_test_mode_a_launch_returns_after_its_task_has_run() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let _watchdog = watchdog();
    assert!(!GLOBAL.is_test_mode());
    GLOBAL.set_test_mode(true);
    assert!(GLOBAL.is_test_mode());
    GLOBAL.launch(|| _ = RUNS.fetch_add(1, Ordering::SeqCst)).unwrap();
    assert_eq!(RUNS.load(Ordering::SeqCst), 0, "the gate is shut");
    GLOBAL.flush_init().unwrap();
    for runs in 2..100 {
        GLOBAL.launch(|| _ = RUNS.fetch_add(1, Ordering::SeqCst)).unwrap();
        assert_eq!(RUNS.load(Ordering::SeqCst), runs);
    }
    assert!(GLOBAL.launch_with_handle(|| ()).unwrap().is_finished());
    let nested = || {
        let runs = RUNS.load(Ordering::SeqCst);
        GLOBAL.launch(|| _ = RUNS.fetch_add(1, Ordering::SeqCst)).unwrap();
        assert_eq!(RUNS.load(Ordering::SeqCst), runs, "inside a task it does not wait");
    };
    GLOBAL.launch_with_handle(nested).unwrap().wait().unwrap();
    GLOBAL.launch(|| panic!("a task that panics has run too")).unwrap();
    GLOBAL.set_test_mode(false);
    let (release, released) = mpsc::channel::<()>();
    GLOBAL.launch(move || _ = released.recv()).unwrap();
    drop(release);
    GLOBAL.shutdown().unwrap();
}

#[test]
fn a_static_names_its_worker_and_sets_its_stack_in_every_generation() {
    static GLOBAL: GlobalDispatcher =
        GlobalDispatcher::new(1).with_name("log-writer").with_stack_size(8 << 20).with_spin(0);
    static UNSPAWNABLE: GlobalDispatcher = GlobalDispatcher::new(1).with_stack_size(1 << 60);
    let _watchdog = watchdog();
    // More than the two megabytes of a thread that nothing is said of.
    let task = || {
        let large = [1_u8; 4 << 20];
        (thread::current().name().map(str::to_owned), *std::hint::black_box(&large).last().unwrap())
    };
    for _ in 0..2 {
        GLOBAL.open().unwrap();
        let (name, last) = GLOBAL.launch_with_handle(task).unwrap().wait().unwrap();
        assert_eq!((name.as_deref(), last), (Some("log-writer"), 1));
        GLOBAL.reset().unwrap();
    }
    assert!(matches!(UNSPAWNABLE.open(), Err(DispatchError::Spawn(_))), "no stack is so large");
}

#[test]
fn a_static_bounds_its_open_queue_by_any_policy() {
    static REJECTS: GlobalDispatcher = GlobalDispatcher::new(9).with_bound_once_open(2);
    static EVICTS: GlobalDispatcher =
        GlobalDispatcher::new(9).with_bound_once_open(2).with_overflow(Overflow::DropOldest);
    let _watchdog = watchdog();
    for (global, launched) in [(&REJECTS, 2), (&EVICTS, 4)] {
        global.open().unwrap();
        let (release, released) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        global
            .launch(move || {
                begin.send(()).unwrap();
                _ = released.recv();
            })
            .unwrap();
        begun.recv().unwrap();
        let accepted = (0..4).filter(|_| global.launch(|| ()).is_ok()).count();
        let stats = global.stats();
        assert_eq!((accepted, stats.queued, stats.turned_away), (launched, 2, 4 - launched as u64));
        assert_eq!(stats.evicted, launched as u64 - 2);
        drop(release);
        assert_eq!(global.shutdown().unwrap().run, 3);
    }
}

#[test]
fn a_static_shows_panics_to_its_hook() {
    static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(9).with_panic_hook(|payload| {
        SEEN.lock().unwrap().push(payload.downcast_ref::<&str>().unwrap().to_string());
        panic_any("the hook panics, too, and harms nobody");
    });
    let _watchdog = watchdog();
    GLOBAL.launch(|| panic_any("a task panics")).unwrap();
    GLOBAL.launch(|| ()).unwrap();
    GLOBAL.flush_init().unwrap();
    assert_eq!(*SEEN.lock().unwrap(), ["a task panics"]);
    assert_eq!(GLOBAL.shutdown().unwrap().run, 2);
}

#[test]
fn settings_that_could_never_work_are_refused_at_once() {
    let refused = catch_unwind(|| GlobalDispatcher::new(1).with_bound_once_open(0));
    assert!(refused.is_err());
    let refused = catch_unwind(|| GlobalDispatcher::new(1).with_name("a\0b"));
    assert!(refused.is_err());
}

/// A value of a thread, whose drop says that it has begun and waits to be let go, or for a second.
struct Lingering(mpsc::Sender<()>, mpsc::Receiver<()>);

impl Drop for Lingering {
    fn drop(&mut self) {
        self.0.send(()).unwrap();
        _ = self.1.recv_timeout(Duration::from_secs(1));
    }
}

thread_local! {
    static LINGERING: RefCell<Option<Lingering>> = const { RefCell::new(None) };
}

#[test]
fn a_shutdown_that_is_overtaken_by_two_resets_reports_its_own_generation() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(9);
    let _watchdog = watchdog();
    let (begin, begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let lingering = Lingering(begin, released);
    GLOBAL.launch(move || LINGERING.set(Some(lingering))).unwrap();
    // It joins the worker thread, and so waits for the drop, unless a reset below comes first: that one
    // waits then until the drop gives up, and the report is the same.
    let closing = thread::spawn(|| GLOBAL.shutdown());
    begun.recv().unwrap();
    GLOBAL.reset().unwrap();
    for _ in 0..5 {
        GLOBAL.launch(|| ()).unwrap();
    }
    GLOBAL.reset().unwrap();
    drop(release);
    assert_eq!(closing.join().unwrap().map(|report| report.run), Ok(1));
    assert_eq!(GLOBAL.stats().run, 0);
}
