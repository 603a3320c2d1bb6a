//! A recorder of metrics behind a global dispatcher.
//!
//! Code may count from the first line of `main` on, before anybody has said where the numbers are kept:
//! until then records are queued, up to a bound. Then they are worked off in order.

use std::collections::BTreeMap;
use std::sync::Mutex;

use selvedge_dispatcher::{DispatchError, GlobalDispatcher, LaunchErrorKind};

/// Where everything about metrics runs, one task after another.
static DISPATCHER: GlobalDispatcher = GlobalDispatcher::new(100);

/// What the worker keeps. Locked by tasks and by the report, so never contended.
static STORE: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());

/// Adds to a counter. Never waits, and never fails the code that counts.
fn add(name: &'static str, amount: u64) {
    let record = move || *STORE.lock().unwrap().entry(name).or_default() += amount;
    if let Err(refused) = DISPATCHER.launch(record) {
        match refused.kind() {
            // Counted by the dispatcher, and reported below.
            LaunchErrorKind::Full => {}
            other => eprintln!("{name} was not recorded: {other}"),
        }
    }
}

/// Says that the store is ready. Returns when all early records are in it.
fn init() -> Result<usize, DispatchError> {
    STORE.lock().unwrap().insert("launches", 1);
    DISPATCHER.flush_init()
}

fn main() -> Result<(), DispatchError> {
    // Early, and more than the queue holds:
    for _ in 0..120 {
        add("early", 1);
    }
    let turned_away = init()?;
    println!("{turned_away} early records were turned away");

    for page in 1..=10 {
        add("pages", 1);
        add("bytes", page * 1_000);
    }
    // A reading that is in order with the records, from the worker itself:
    let pages = DISPATCHER
        .launch_with_handle(|| STORE.lock().unwrap().get("pages").copied())
        .expect("it is open")
        .wait();
    println!("pages so far: {pages:?}");

    let report = DISPATCHER.shutdown()?;
    println!("{} tasks have run, {} are left", report.run, report.left);
    for (name, value) in &*STORE.lock().unwrap() {
        println!("{name}: {value}");
    }
    add("late", 1);
    assert_eq!(STORE.lock().unwrap().get("early"), Some(&100));
    assert_eq!(STORE.lock().unwrap().get("bytes"), Some(&55_000));
    Ok(())
}
