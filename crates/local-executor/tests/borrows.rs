//! What the compiler has to refuse, because it would be undefined behaviour at run time.
#![cfg(not(miri))]

#[path = "../../task-core/tests/shared/borrows.rs"]
mod borrows;
#[path = "../../task-core/tests/shared/support/refusal.rs"]
mod refusal;
#[path = "support/subject.rs"]
mod subject;

use self::refusal::refuses;

#[test]
fn spawners_take_only_makers_that_may_cross_threads() {
    let ex = "let ex = Executor::new(); let spawner = ex.spawner();";
    let case = |name: &str, refused: &str, accepted: &str| {
        refuses(name, "E0277", &format!("{ex} {refused}"), &format!("{ex} {accepted}"));
    };
    case(
        "maker-out",
        "spawner.spawn_with(|| async { Rc::new(1) });",
        "spawner.spawn_with(|| async { *Rc::new(1) });",
    );
    case(
        "maker-in",
        "let rc = Rc::new(1); spawner.spawn_with(move || async move { *rc });",
        "spawner.spawn_with(|| { let rc = Rc::new(1); async move { *rc } });",
    );
}

#[test]
fn nothing_that_runs_tasks_may_leave_its_thread() {
    let ex = "let ex = Executor::new(); fn send<T: Send>(_: T) {} fn sync<T: Sync>(_: &T) {}";
    let case = |name: &str, refused: &str| {
        refuses(
            name,
            "E0277",
            &format!("{ex} {refused}"),
            &format!("{ex} send(ex.spawner()); sync(&ex.spawner());"),
        );
    };
    case("send", "send(ex);");
    case("sync", "sync(&ex);");
    case("run-send", "send(ex.run(async {}));");
    case("tick-send", "send(ex.tick());");
    case("run-sync", "sync(&ex.run(async {}));");
    case("static-send", "send(ex.leak());");
    case("task-send", "send(ex.spawn(async { Rc::new(1) }));");
    case(
        "in-static",
        "static EX: subject::StaticLocalExecutor = subject::StaticLocalExecutor::new();",
    );
}
