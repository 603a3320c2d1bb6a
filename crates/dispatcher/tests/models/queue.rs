//! Pushing and taking.

use selvedge_sync::thread;

use super::{Log, opened};

#[test]
fn three_tasks_of_one_producer_run_in_order_across_a_block_border() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        let tasks = [log.task(1), log.task(2), log.task(3)];
        let producer = thread::spawn(move || tasks.map(|task| guard.launch(task).unwrap()));
        worker.work(3);
        assert_eq!(log.get(), [1, 2, 3]);
        producer.join().unwrap();
    });
}

#[test]
fn two_producers_at_a_block_border_both_get_their_slots() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let threads = [2, 3].map(|number| {
            let (guard, task) = (guard.clone(), log.task(number));
            thread::spawn(move || guard.launch(task).unwrap())
        });
        worker.work(3);
        let run = log.get();
        assert!(run == [1, 2, 3] || run == [1, 3, 2], "{run:?}");
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_launch_that_is_overtaken_across_a_block_border_finds_the_right_block() {
    selvedge_sync::model(|| {
        let (worker, guard) = opened();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, task) = (guard.clone(), log.task(2));
        let overtaken = thread::spawn(move || other.launch(task).unwrap());
        for number in [3, 4] {
            guard.launch(log.task(number)).unwrap();
        }
        overtaken.join().unwrap();
        worker.work(4);
        let run: Vec<_> = log.get().into_iter().filter(|number| *number != 2).collect();
        assert_eq!((run, log.get().len()), (vec![1, 3, 4], 4));
    });
}

#[test]
fn a_launch_that_races_the_opening_of_the_gate_is_run_in_order() {
    selvedge_sync::model(|| {
        let (worker, guard) = super::shut(4);
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        let (other, task) = (guard.clone(), log.task(2));
        let producer = thread::spawn(move || other.launch(task).unwrap());
        let opener = thread::spawn(move || guard.open().unwrap());
        worker.work(2);
        assert_eq!(log.get(), [1, 2]);
        producer.join().unwrap();
        opener.join().unwrap();
    });
}
