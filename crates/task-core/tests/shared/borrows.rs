//! What the compiler has to refuse, because it would be undefined behaviour at run time.
//!
//! Each snippet stands beside a twin that differs in the offending line only and has to compile.

use crate::refusal::refuses;

// E22: `'a` borrows are sound because the executor's drop ends them, so it must come first.
#[test]
fn what_a_task_borrows_must_be_declared_before_the_executor() {
    refuses(
        "declared-after",
        "E0597",
        "let ex = Executor::new(); let text = String::from(\"gone first\");
         ex.spawn(hold(Reads(&text))).detach();",
        "let text = String::from(\"gone last\"); let ex = Executor::new();
         ex.spawn(hold(Reads(&text))).detach();",
    );
}

#[test]
fn a_task_must_not_borrow_the_executor_that_drops_it() {
    refuses(
        "borrows-own",
        "E0597",
        "let ex = Executor::new(); ex.spawn(async { drop(ex.try_tick()) }).detach();",
        "let ex = Executor::new().leak(); ex.spawn(async { drop(ex.try_tick()) }).detach();",
    );
}

// E22: a lifetime that could be shortened would let a short borrow into a long-lived executor.
#[test]
fn the_lifetime_of_an_executor_is_invariant() {
    let enter =
        "fn enter<'s>(ex: &Executor<'s>, text: &'s str) { ex.spawn(hold(Reads(text))).detach() }";
    refuses(
        "covariant",
        "lifetime",
        "fn shorter<'s>(ex: &'s Executor<'static>) -> &'s Executor<'s> { ex }",
        &format!("{enter} fn same<'s, 'a>(ex: &'s Executor<'a>) -> &'s Executor<'a> {{ ex }}"),
    );
    refuses(
        "contravariant",
        "lifetime",
        "fn longer<'s>(ex: Executor<'s>) -> Executor<'static> { ex }",
        "fn same<'s>(ex: Executor<'s>) -> Executor<'s> { ex }",
    );
}

#[test]
fn a_static_executor_takes_no_borrowed_future() {
    refuses(
        "static-borrow",
        "E0597",
        "let text = String::from(\"short\"); let ex = Executor::new().leak();
         ex.spawn(hold(Reads(&text))).detach();",
        "let text = String::from(\"short\"); let ex = Executor::new().leak();
         ex.spawn(hold(text)).detach();",
    );
    refuses(
        "leak-borrowed",
        "E0597",
        "let text = String::from(\"short\"); let ex = Executor::new();
         ex.spawn(hold(Reads(&text))).detach(); ex.leak();",
        "let ex = Executor::new(); ex.spawn(hold(1)).detach(); ex.leak();",
    );
}

#[test]
fn spawners_take_only_what_may_cross_threads_and_lasts() {
    let ex = "let text = String::new(); let ex = Executor::new(); let spawner = ex.spawner();";
    let case = |name: &str, error: &str, refused: &str, accepted: &str| {
        refuses(name, error, &format!("{ex} {refused}"), &format!("{ex} {accepted}"));
    };
    case("rc", "E0277", "spawner.spawn(hold(Rc::new(1)));", "spawner.spawn(hold(1));");
    case("short", "E0597", "spawner.spawn(hold(Reads(&text)));", "spawner.spawn(hold(text));");
    case("rc-out", "E0277", "spawner.spawn(async { Rc::new(1) });", "spawner.spawn(async { 1 });");
}
