//! Resets of the global form, against a launch and against each other.

use selvedge_sync::thread;

use super::{Log, opened};

const DRAINED: u64 = u64::MAX;

#[test]
fn a_launch_that_races_a_reset_runs_before_it_or_comes_back_or_waits_for_the_next_opening() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let (other, task) = (guard.clone(), log.task(1));
        let producer = thread::spawn(move || other.launch(task).is_ok());
        let (other, resetters_log) = (worker.clone(), log.clone());
        let resetter = thread::spawn(move || {
            other.reset();
            // Reading proves that no task of the old generation runs beside this.
            resetters_log.get().len() as u64
        });
        worker.work(DRAINED);
        let accepted = u64::from(producer.join().unwrap());
        let run = resetter.join().unwrap();
        let stats = guard.stats();
        assert_eq!((stats.queued, stats.run), (accepted - run, 0), "the rest waits for the gate");
        guard.open().unwrap();
        worker.work(accepted);
        assert_eq!((log.get().len() as u64, guard.stats().run), (accepted, accepted - run));
    });
}

#[test]
fn of_two_resets_both_have_waited_and_what_comes_after_either_is_accepted() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, firsts_log) = (worker.clone(), log.clone());
        let first = thread::spawn(move || {
            other.reset();
            assert_eq!(firsts_log.get(), [1]);
        });
        let (other, others_guard, others_log) = (worker.clone(), guard.clone(), log.clone());
        let second = thread::spawn(move || {
            if others_guard.launch(|| ()).is_ok() {
                return;
            }
            // The first has closed already, so nothing closes what this one begins.
            other.reset();
            assert_eq!(others_log.get(), [1]);
            others_guard.launch(others_log.task(2)).unwrap();
        });
        worker.work(DRAINED);
        first.join().unwrap();
        second.join().unwrap();
        guard.open().unwrap();
        worker.work(2);
        assert!(log.get() == [1] || log.get() == [1, 2]);
    });
}
