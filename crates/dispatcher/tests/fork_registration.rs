#![cfg(all(unix, feature = "fork"))]
//! A fork while the fork handler is being registered.

#[path = "support/watchdog.rs"]
mod watchdog;

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use selvedge_dispatcher::Dispatcher;

use watchdog::watchdog;

type Handler = Option<unsafe extern "C" fn()>;

static REGISTRATIONS: AtomicUsize = AtomicUsize::new(0);
static CHILD_WAS_FINE: AtomicBool = AtomicBool::new(false);

/// Takes the place of the C library's. Registers nothing; during the first call another thread forks.
// SAFETY: nobody but the crate under test calls it in this program.
#[unsafe(no_mangle)]
extern "C" fn pthread_atfork(_prepare: Handler, _parent: Handler, _child: Handler) -> c_int {
    if REGISTRATIONS.fetch_add(1, Ordering::SeqCst) == 0 {
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
    use_a_dispatcher();
    assert!(CHILD_WAS_FINE.load(Ordering::SeqCst));
    assert_eq!(REGISTRATIONS.load(Ordering::SeqCst), 1, "the child's own was in the child");
}
