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
fn executors_take_only_what_may_cross_threads() {
    let ex =
        "let ex = Executor::new(); let leaked = Executor::new().leak(); fn send<T: Send>(_: T) {}";
    let case = |name: &str, refused: &str| {
        refuses(
            name,
            "E0277",
            &format!("{ex} {refused}"),
            &format!(
                "{ex} send(ex.spawner()); send(ex.run(async {{}})); send(ex.tick()); send(ex);"
            ),
        );
    };
    case("spawn", "ex.spawn(hold(Rc::new(1)));");
    case("spawn-out", "ex.spawn(async { Rc::new(1) });");
    case("spawn-many", "ex.spawn_many([hold(Rc::new(1))], &mut Vec::new());");
    case("static-spawn", "leaked.spawn(hold(Rc::new(1)));");
    case("run", "send(ex.run(hold(Rc::new(1))));");
}
