//! Threads that meet at the first use of an executor, which makes its scheduler.

use std::sync::Arc as Memory;

use selvedge_executor::Executor;
use selvedge_sync::thread;

#[test]
fn of_two_threads_that_come_first_one_makes_the_scheduler_and_both_use_it() {
    selvedge_sync::model(|| {
        let ex = Memory::new(Executor::new());
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.spawn(async {}).detach());
        ex.spawn(async {}).detach();
        thread.join().unwrap();
        assert!(ex.try_tick() && ex.try_tick() && !ex.try_tick());
    });
}
