#![cfg(all(unix, feature = "fork"))]
//! Forked children, which have no worker.

#[path = "../../sync/tests/shared/child.rs"]
mod child;
#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use futures_lite::future::block_on;
use selvedge_dispatcher::{
    DispatchError, Dispatcher, GlobalDispatcher, LaunchErrorKind, TaskError,
};

use hold::hold;
use watchdog::watchdog;

static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);

/// Forks; runs `body` in the child, and gives whether it returned. What `body` captures is used in the
/// child alone, so the parent forgets it.
fn in_fork(body: impl FnOnce()) -> bool {
    // SAFETY: the child runs code of this test only, and leaves without running the parent's
    // destructors. (Allocating is sound in practice, as glibc's allocator survives a fork.)
    match unsafe { libc::fork() } {
        0 => {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(i32::from(result.is_err())) }
        }
        pid => {
            std::mem::forget(body);
            let mut status = -1;
            // SAFETY: waits for the child made above.
            assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
            status == 0
        }
    }
}

/// In a process of its own, so that no other test's thread holds a lock at the fork.
#[test]
fn in_a_forked_child_every_verb_says_so_and_nothing_hangs() {
    let output = child::in_child(
        "in_a_forked_child_every_verb_says_so_and_nothing_hangs",
        all_verbs_in_a_forked_child,
    );
    assert!(output.status.success(), "{}", child::text(&output));
}

fn all_verbs_in_a_forked_child() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    GLOBAL.launch(|| ()).unwrap();
    GLOBAL.flush_init().unwrap();
    let release = hold(&guard);
    let mut handle = guard.launch_with_handle(|| 1).unwrap();
    let flush = guard.flush();
    let (inner, wait) = (guard.clone(), Duration::from_secs(60));
    assert!(in_fork(move || {
        let forked = DispatchError::Forked;
        let guard = inner;
        assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Forked);
        assert_eq!(guard.block_on_queue(), Err(forked));
        assert_eq!(guard.block_on_queue_timeout(wait), Err(forked));
        assert_eq!(guard.open(), Err(forked));
        assert_eq!(guard.flush_init(), Err(forked));
        assert_eq!(guard.shutdown(), Err(forked));
        assert_eq!(guard.kill(), Err(forked));
        assert_eq!(guard.stats().queued, 0);
        assert_eq!(block_on(guard.flush()), Err(forked));
        assert_eq!(block_on(flush), Err(forked));
        assert!(matches!(handle.wait_timeout(wait), Ok(Err(TaskError::Forked))));
        assert!(matches!(block_on(handle), Err(TaskError::Forked)));
        assert_eq!(GLOBAL.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Forked);
        assert_eq!(GLOBAL.reset(), Err(forked));
        drop((dispatcher, guard));
        // A new one is as good as any.
        let young = Dispatcher::new(10);
        let guard = young.guard();
        guard.open().unwrap();
        assert_eq!(guard.launch_with_handle(|| 2).unwrap().wait().unwrap(), 2);
        guard.shutdown().unwrap();
    }));
    drop(release);
    assert_eq!(guard_still_works(&guard), Ok(()), "the parent has noticed nothing");
}

fn guard_still_works(guard: &selvedge_dispatcher::Guard) -> Result<(), DispatchError> {
    guard.block_on_queue()?;
    assert_eq!(guard.launch_with_handle(|| 3).unwrap().wait().unwrap(), 3);
    guard.shutdown().map(drop)
}

#[test]
fn a_task_that_forks_leaves_the_queue_to_the_parent() {
    let output = child::in_child(
        "a_task_that_forks_leaves_the_queue_to_the_parent",
        a_task_forks_and_returns_in_both_processes,
    );
    assert!(output.status.success(), "{}", child::text(&output));
}

fn a_task_forks_and_returns_in_both_processes() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let (mut here, there) = UnixStream::pair().unwrap();
    let there = Arc::new(there);
    let (inner, in_task) = (guard.clone(), there.clone());
    let forks = move || {
        // SAFETY: the child runs code of this test and of the worker only, then ends with its one
        // thread.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            // SAFETY: ends this child if it hangs, for the watchdog stayed with the parent.
            unsafe { libc::alarm(20) };
            let refused = inner.launch(|| ()).unwrap_err().kind();
            let verdict = inner.is_worker_thread() && refused == LaunchErrorKind::Forked;
            (&*in_task).write_all(if verdict { b"child " } else { b"wrong " }).unwrap();
        }
        pid
    };
    guard.open().unwrap();
    // So many that the lock of a handle is held at the fork now and then.
    for _ in 0..256 {
        let release = hold(&guard);
        let forked = guard.launch_with_handle(forks.clone()).unwrap();
        let there = there.clone();
        guard.launch(move || (&*there).write_all(b"task ").unwrap()).unwrap();
        drop(release);
        while !forked.is_finished() {}
        let pid = forked.wait().unwrap();
        let mut status = -1;
        // SAFETY: waits for the child that the task made.
        assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
        assert_eq!(status, 0, "its only thread returned");
        let mut written = [0; "child task ".len()];
        here.read_exact(&mut written).unwrap();
        assert!(matches!(&written, b"child task " | b"task child "), "{written:?}");
    }
    guard.shutdown().unwrap();
    drop((forks, there));
    assert_eq!(here.read(&mut [0]).unwrap(), 0, "and no child ran the task behind it");
}
