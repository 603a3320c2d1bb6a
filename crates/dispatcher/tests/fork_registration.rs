#![cfg(all(unix, feature = "fork"))]
//! A fork while the fork handler is being registered.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use selvedge_dispatcher::Dispatcher;

use watchdog::watchdog;

type Handler = Option<unsafe extern "C" fn()>;

/// Whether the next registration is the one of the test: sanitizers register a handler, too.
static ARMED: AtomicBool = AtomicBool::new(false);
static CHILD_WAS_FINE: AtomicBool = AtomicBool::new(false);

/// Takes the place of the C library's. Registers nothing; during the test's call another thread forks.
// SAFETY: it has the signature of the one whose place it takes, and who calls it does without handlers.
#[unsafe(no_mangle)]
extern "C" fn pthread_atfork(_prepare: Handler, _parent: Handler, _child: Handler) -> c_int {
    if ARMED.swap(false, Ordering::SeqCst) {
        let fine = thread::spawn(a_child_is_fine).join().unwrap_or(false);
        CHILD_WAS_FINE.store(fine, Ordering::SeqCst);
    }
    0
}

/// Forks; whether the child could use a dispatcher of its own.
fn a_child_is_fine() -> bool {
    // SAFETY: the child runs code of this test only, and leaves without running the parent's
    // destructors. (Allocating is sound in practice, as glibc's allocator survives a fork.)
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: ends this child if it hangs, for the watchdog stayed with the parent.
            unsafe { libc::alarm(20) };
            let result = thread::Builder::new().spawn(use_a_dispatcher).map(|it| it.join());
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(c_int::from(!matches!(result, Ok(Ok(()))))) }
        }
        pid => {
            let mut status = -1;
            // SAFETY: waits for the child made above.
            let waited = unsafe { libc::waitpid(pid, &raw mut status, 0) };
            waited == pid && status == 0
        }
    }
}

fn use_a_dispatcher() {
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.launch(|| ()).unwrap();
    assert_eq!(guard.shutdown().unwrap().run, 1);
}

#[test]
fn the_child_of_a_fork_during_the_registration_can_use_a_dispatcher() {
    let _watchdog = watchdog();
    ARMED.store(true, Ordering::SeqCst);
    use_a_dispatcher();
    assert!(!ARMED.load(Ordering::SeqCst), "the handler was registered");
    assert!(CHILD_WAS_FINE.load(Ordering::SeqCst));
}
