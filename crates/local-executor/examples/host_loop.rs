//! A host that has an event loop of its own and drives the executor in between.
//!
//! The loop of a game or of a window system must not block: at each frame it runs what is ready, for
//! a while, and goes on. A loading thread meanwhile spawns tasks that change the host's own state.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread;

use futures_lite::future::yield_now;
use selvedge_local_executor::LocalExecutor;

const ASSETS: usize = 40;

/// No frame runs more tasks than this.
const TASKS_PER_FRAME: usize = 16;

thread_local! {
    static SCENE: Rc<RefCell<Vec<usize>>> = Rc::default();
}

fn main() {
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    let loading = thread::spawn(move || {
        for asset in 0..ASSETS {
            let place = move || async move {
                yield_now().await;
                SCENE.with(|scene| scene.borrow_mut().push(asset));
            };
            spawner.spawn_with(place).expect("the host is running").detach();
        }
    });

    // A task of the host itself, which waits for the scene to be complete.
    let complete = ex.spawn(async {
        while SCENE.with(|scene| scene.borrow().len()) < ASSETS {
            yield_now().await;
        }
        "complete"
    });

    let mut frames = 0;
    while !complete.is_finished() {
        frames += 1;
        // The events of the host would be handled here, and the scene drawn.
        let mut budget = TASKS_PER_FRAME;
        while budget > 0 && ex.try_tick() {
            budget -= 1;
        }
        thread::yield_now();
    }
    loading.join().expect("loading does not panic");

    assert_eq!(ex.block_on(complete), "complete");
    assert!(ex.is_empty());
    let scene = SCENE.with(Rc::clone);
    assert_eq!(*scene.borrow(), (0..ASSETS).collect::<Vec<_>>());
    println!("{ASSETS} assets placed in {frames} frames");
}
