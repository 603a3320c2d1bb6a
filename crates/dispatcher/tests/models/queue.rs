//! Pushing and taking.

use selvedge_dispatcher::Dispatcher;
use selvedge_sync::thread;

use super::{Log, opened};

#[test]
fn three_tasks_of_one_producer_run_in_order_across_a_block_border() {
    selvedge_sync::model(|| {
        let (_dispatcher, guard) = opened();
        let log = Log::new();
        for number in 1..=3 {
            guard.launch(log.task(number)).unwrap();
        }
        guard.block_on_queue().unwrap();
        assert_eq!(log.get(), [1, 2, 3]);
    });
}

#[test]
fn a_launch_that_races_the_opening_of_the_gate_is_run_in_order() {
    selvedge_sync::model(|| {
        let dispatcher = Dispatcher::new(4);
        let guard = dispatcher.guard();
        let log = Log::new();
        let (other, others_log) = (guard.clone(), log.clone());
        let producer = thread::spawn(move || {
            other.launch(others_log.task(1)).unwrap();
            other.launch(others_log.task(2)).unwrap();
        });
        guard.open().unwrap();
        producer.join().unwrap();
        guard.shutdown().unwrap();
        assert_eq!(log.get(), [1, 2]);
    });
}
