//! Waits by ticket, and handles.

use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::sync::Arc as Memory;
use std::task::{Context, Poll, Waker};

use selvedge_dispatcher::{DispatchError, TaskError};
use selvedge_sync::thread::{self, Parker, block_on};

use super::{Log, opened, shut};

const DRAINED: u64 = u64::MAX;

#[test]
fn a_flush_sees_what_was_launched_before_it_beside_another_producer() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let other = guard.clone();
        let producer = thread::spawn(move || other.launch(|| ()).unwrap());
        let waiters_log = log.clone();
        let waiter = thread::spawn(move || {
            guard.block_on_queue().unwrap();
            assert_eq!(waiters_log.get(), [1]);
        });
        worker.work(2);
        producer.join().unwrap();
        waiter.join().unwrap();
    });
}

#[test]
fn who_waits_for_one_task_is_woken_though_the_next_one_blocks() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        guard.launch(|| ()).unwrap();
        let flush = guard.flush();
        let parker = Parker::new();
        let waker = parker.waker().clone();
        guard.launch(move || parker.park()).unwrap();
        let waiter = thread::spawn(move || {
            block_on(flush).unwrap();
            waker.wake();
        });
        worker.work(2);
        waiter.join().unwrap();
    });
}

#[test]
fn two_who_wait_are_both_woken() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        guard.launch(|| ()).unwrap();
        let threads = [guard.clone(), guard]
            .map(|guard| thread::spawn(move || guard.block_on_queue().unwrap()));
        worker.work(1);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_flush_that_races_a_shutdown_resolves() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        guard.launch(|| ()).unwrap();
        let other = guard.clone();
        let waiter = thread::spawn(move || other.block_on_queue());
        let closer = thread::spawn(move || guard.shutdown().unwrap().run);
        worker.work(DRAINED);
        assert_eq!(waiter.join().unwrap(), Ok(()));
        assert_eq!(closer.join().unwrap(), 1);
    });
}

#[test]
fn a_flush_that_races_a_kill_resolves_and_knows_what_was_dropped() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, waiters_log) = (guard.clone(), log.clone());
        let waiter = thread::spawn(move || {
            let result = other.block_on_queue();
            (result, waiters_log.get())
        });
        let killer = thread::spawn(move || guard.kill().unwrap());
        worker.work(DRAINED);
        match waiter.join().unwrap() {
            (Ok(()), run) => assert_eq!(run, [1]),
            (Err(error), run) => assert_eq!((error, run), (DispatchError::Killed, vec![])),
        }
        killer.join().unwrap();
    });
}

#[test]
fn a_flush_before_the_gate_opens_waits_for_it() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, waiters_log) = (guard.clone(), log.clone());
        let waiter = thread::spawn(move || {
            other.block_on_queue().unwrap();
            assert_eq!(waiters_log.get(), [1]);
        });
        let opener = thread::spawn(move || guard.open().unwrap());
        worker.work(1);
        waiter.join().unwrap();
        opener.join().unwrap();
    });
}

#[test]
fn the_output_of_a_task_reaches_who_waits_for_it() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let waiter = thread::spawn(move || guard.launch_with_handle(|| 7).unwrap().wait().unwrap());
        worker.work(1);
        assert_eq!(waiter.join().unwrap(), 7);
    });
}

#[test]
fn a_task_is_run_or_cancelled_and_never_both() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let handle = guard.launch_with_handle(log.task(1)).unwrap();
        let canceller = thread::spawn(move || handle.cancel());
        worker.work(1);
        let cancelled = canceller.join().unwrap();
        assert_eq!(log.get().len(), usize::from(!cancelled));
    });
}

#[test]
fn the_newest_of_two_wakers_is_woken() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let poller = thread::spawn(move || {
            let mut handle = pin!(guard.launch_with_handle(|| 7).unwrap());
            let mut flush = pin!(guard.flush());
            poll_twice(handle.as_mut());
            poll_twice(flush.as_mut());
        });
        worker.work(1);
        poller.join().unwrap();
    });
}

/// Polls with a waker that nobody heeds, then with one that somebody waits for.
fn poll_twice<F: Future>(mut future: Pin<&mut F>) {
    if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
        return;
    }
    let parker = Parker::new();
    let mut cx = Context::from_waker(parker.waker());
    while future.as_mut().poll(&mut cx).is_pending() {
        parker.park();
    }
}

#[test]
fn the_task_after_one_that_panics_runs() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let waiter = thread::spawn(move || {
            // Without the noise of the panic hook.
            let panics = guard.launch_with_handle(|| resume_unwind(Box::new(1u8))).unwrap();
            let next = guard.launch_with_handle(|| 2).unwrap();
            assert!(matches!(panics.wait(), Err::<(), _>(TaskError::Panicked(_))));
            assert_eq!(next.wait().unwrap(), 2);
        });
        worker.work(2);
        waiter.join().unwrap();
    });
}

#[test]
fn dropping_a_flush_while_the_worker_wakes_it_is_harmless() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let kept = Memory::new(());
        let captured = kept.clone();
        guard.launch(move || drop(captured)).unwrap();
        let dropper = thread::spawn(move || {
            let mut flush = guard.flush();
            let poll = Pin::new(&mut flush).poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(poll, Poll::Pending | Poll::Ready(Ok(()))));
        });
        worker.work(1);
        dropper.join().unwrap();
        assert_eq!(Memory::strong_count(&kept), 1);
    });
}

#[test]
fn a_whole_life_on_a_worker_thread_of_its_own() {
    selvedge_sync::model(|| {
        let dispatcher = selvedge_dispatcher::Dispatcher::new(1);
        let guard = dispatcher.guard();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        guard.open().unwrap();
        block_on(guard.flush()).unwrap();
        assert_eq!(log.get(), [1]);
        assert_eq!(guard.shutdown().unwrap().run, 1);
    });
}
