//! Opening, closing, killing and dropping, against launches and against each other.

use std::pin::pin;
use std::task::Context;
use std::time::Duration;

use selvedge_dispatcher::{DispatchError, LaunchErrorKind};
use selvedge_sync::thread::{self, Parker};

use super::{Log, opened, shut};

const DRAINED: u64 = u64::MAX;

/// Launches two tasks; how many were accepted.
fn launch_two(guard: &selvedge_dispatcher::Guard, log: &Log) -> usize {
    let accepted = [1, 2].map(|number| guard.launch(log.task(number)).is_ok());
    assert!(accepted != [false, true], "nothing is accepted after the close");
    accepted.into_iter().filter(|it| *it).count()
}

#[test]
fn a_launch_that_races_a_shutdown_runs_or_comes_back() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let (other, task) = (guard.clone(), log.task(1));
        let producer = thread::spawn(move || other.launch(task).is_ok());
        let closer = thread::spawn(move || guard.shutdown().unwrap());
        worker.work(DRAINED);
        let accepted = producer.join().unwrap();
        let report = closer.join().unwrap();
        assert_eq!((log.get().len(), report.run), (usize::from(accepted), u64::from(accepted)));
    });
}

#[test]
fn a_launch_at_a_block_border_that_races_a_close_runs_or_comes_back() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let dispatcher = worker.dispatcher();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, others_log) = (guard.clone(), log.clone());
        let producer = thread::spawn(move || launch_two(&other, &others_log));
        let closer = thread::spawn(move || drop(dispatcher));
        worker.work(DRAINED);
        let accepted = producer.join().unwrap();
        closer.join().unwrap();
        assert_eq!(log.get().len(), 1 + accepted);
    });
}

#[test]
fn the_first_block_and_a_close_are_one_protocol() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let dispatcher = worker.dispatcher();
        let log = Log::new();
        let (other, task) = (guard.clone(), log.task(1));
        let producer = thread::spawn(move || other.launch(task).is_ok());
        drop(dispatcher);
        worker.work(DRAINED);
        let accepted = producer.join().unwrap();
        assert_eq!(log.get().len(), 0, "unopened, so it was dropped");
        assert_eq!(guard.stats().dropped, u64::from(accepted));
    });
}

#[test]
fn a_launch_that_races_a_kill_runs_is_dropped_or_comes_back() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let (other, task) = (guard.clone(), log.task(1));
        let producer = thread::spawn(move || other.launch(task).is_ok());
        let killers_log = log.clone();
        let killer = thread::spawn(move || {
            let dropped = guard.kill().unwrap();
            // Reading proves that no task runs beside this.
            (dropped, killers_log.get())
        });
        worker.work(DRAINED);
        let accepted = producer.join().unwrap();
        let (dropped, run) = killer.join().unwrap();
        assert_eq!(run.len() + dropped, usize::from(accepted));
        assert_eq!(log.get(), run, "nothing started once the kill had returned");
    });
}

#[test]
fn a_kill_before_the_gate_opens_runs_nothing_also_against_an_opener() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let other = guard.clone();
        let opener = thread::spawn(move || other.open());
        let killer = thread::spawn(move || guard.kill().unwrap());
        worker.work(DRAINED);
        let opened = opener.join().unwrap();
        let dropped = killer.join().unwrap();
        assert_eq!(log.get().len() + dropped, 1);
        if opened.is_err() {
            assert_eq!((opened, dropped), (Err(DispatchError::Killed), 1));
        }
    });
}

#[test]
fn a_kill_behind_a_shut_gate_drops_what_was_queued() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let killer = thread::spawn(move || (guard.kill(), guard.block_on_queue()));
        worker.work(DRAINED);
        let (dropped, waited) = killer.join().unwrap();
        assert_eq!((dropped, waited), (Ok(1), Err(DispatchError::Killed)));
        assert!(log.get().is_empty());
    });
}

#[test]
fn of_two_first_flushes_one_wins_and_both_have_waited() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let flush = |guard: selvedge_dispatcher::Guard| {
            let log = log.clone();
            thread::spawn(move || {
                let result = guard.flush_init();
                assert_eq!(log.get(), [1]);
                result
            })
        };
        let threads = [flush(guard.clone()), flush(guard)];
        worker.work(1);
        let mut results = threads.map(|it| it.join().unwrap());
        results.sort_by_key(Result::is_err);
        assert_eq!(results, [Ok(0), Err(DispatchError::AlreadyFlushed)]);
    });
}

#[test]
fn of_two_shutdowns_one_wins_and_both_have_waited() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let close = |guard: selvedge_dispatcher::Guard| {
            let log = log.clone();
            thread::spawn(move || {
                let result = guard.shutdown().map(|it| it.run);
                assert_eq!(log.get(), [1]);
                result
            })
        };
        let threads = [close(guard.clone()), close(guard)];
        worker.work(DRAINED);
        let mut results = threads.map(|it| it.join().unwrap());
        results.sort_by_key(Result::is_err);
        assert_eq!(results, [Ok(1), Err(DispatchError::Closed)]);
    });
}

#[test]
fn what_was_queued_runs_once_when_an_opener_races_a_shutdown() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let other = guard.clone();
        let opener = thread::spawn(move || other.open());
        let closer = thread::spawn(move || guard.shutdown().unwrap().run);
        worker.work(DRAINED);
        let opened = opener.join().unwrap();
        assert!(matches!(opened, Ok(()) | Err(DispatchError::Closed)));
        assert_eq!((closer.join().unwrap(), log.get()), (1, vec![1]));
    });
}

#[test]
fn a_worker_that_is_about_to_sleep_hears_of_a_launch() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let task = log.task(1);
        let producer = thread::spawn(move || {
            guard.launch(task).unwrap();
            guard.stats().sleeps
        });
        worker.work(1);
        producer.join().unwrap();
        assert_eq!(log.get(), [1]);
        assert!(worker.guard().stats().sleeps <= 1);
    });
}

#[test]
fn a_worker_that_is_about_to_sleep_hears_of_the_drop_of_the_dispatcher() {
    selvedge_sync::model(|| {
        let (worker, _guard) = opened();
        let dispatcher = worker.dispatcher();
        let closer = thread::spawn(move || drop(dispatcher));
        worker.work(DRAINED);
        closer.join().unwrap();
    });
}

#[test]
fn a_worker_that_is_about_to_sleep_hears_of_a_kill() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let killer = thread::spawn(move || assert_eq!(guard.kill(), Ok(0)));
        worker.work(DRAINED);
        killer.join().unwrap();
    });
}

#[test]
fn a_launch_inside_a_task_that_races_a_shutdown_runs_or_comes_back() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let (inner, inner_log) = (guard.clone(), log.clone());
        guard
            .launch(move || {
                if inner.launch(inner_log.task(2)).is_err() {
                    inner_log.push(3);
                }
            })
            .unwrap();
        let closer = thread::spawn(move || guard.shutdown().unwrap().run);
        worker.work(DRAINED);
        match closer.join().unwrap() {
            1 => assert_eq!(log.get(), [3]),
            _ => assert_eq!(log.get(), [2]),
        }
    });
}

#[test]
fn closing_verbs_inside_a_task_change_nothing() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let (inner, inner_log) = (guard.clone(), log.clone());
        let deadlock = DispatchError::WouldDeadlock;
        guard
            .launch(move || {
                let refused = [inner.kill().err(), inner.block_on_queue().err()];
                if refused == [Some(deadlock), Some(deadlock)] {
                    inner_log.push(1);
                }
            })
            .unwrap();
        let task = log.task(2);
        let producer = thread::spawn(move || guard.launch(task).unwrap());
        worker.work(2);
        producer.join().unwrap();
        assert_eq!(log.get(), [1, 2]);
    });
}

#[test]
fn a_kill_takes_the_place_of_a_shutdown_that_gives_up_while_it_waits() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let other = guard.clone();
        let closer = thread::spawn(move || other.shutdown_timeout(Duration::ZERO).unwrap());
        let other = guard.clone();
        let killer = thread::spawn(move || other.kill());
        // Nobody works before the kill has closed; whoever closes wakes all who wait.
        let (mut flush, parker, mut queued) = (pin!(guard.flush()), Parker::new(), 1);
        loop {
            assert!(flush.as_mut().poll(&mut Context::from_waker(parker.waker())).is_pending());
            match guard.launch(|| ()) {
                Ok(()) => queued += 1,
                Err(refused) if refused.kind() == LaunchErrorKind::Killed => break,
                Err(_) => {}
            }
            parker.park();
        }
        assert!(closer.join().unwrap().timed_out);
        worker.work(DRAINED);
        assert_eq!(killer.join().unwrap(), Ok(queued));
        assert!(log.get().is_empty());
    });
}

#[test]
fn a_kill_comes_second_only_to_a_shutdown_that_was_in_time() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        guard.launch(|| ()).unwrap();
        let other = guard.clone();
        let closer = thread::spawn(move || other.shutdown_timeout(Duration::ZERO));
        let killer = thread::spawn(move || guard.kill());
        worker.work(DRAINED);
        let kill = killer.join().unwrap();
        match closer.join().unwrap() {
            Ok(report) if report.timed_out => assert!(kill.is_ok(), "{kill:?}"),
            Ok(_) => assert_eq!(kill, Err(DispatchError::Closed)),
            Err(error) => assert_eq!((error, kill.is_ok()), (DispatchError::Killed, true)),
        }
    });
}
