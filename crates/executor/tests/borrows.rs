//! What the compiler has to refuse, because it would be undefined behaviour at run time.
//!
//! Each snippet stands beside a twin that differs in the offending line only and has to compile.
#![cfg(not(miri))]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The newest build of this crate beside the test's own executable.
fn library() -> PathBuf {
    let executable = env::current_exe().expect("a test knows its executable");
    let beside = fs::read_dir(executable.parent().expect("it lies in a directory")).unwrap();
    beside
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("libselvedge_executor-") && name.ends_with(".rlib")
        })
        .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
        .expect("the library was built for this test")
}

/// The compiler's messages, or nothing where it accepts the body of a function.
fn refusal(name: &str, body: &str) -> String {
    let library = library();
    let source = env::temp_dir().join(format!("selvedge-{}-{name}.rs", std::process::id()));
    let text = format!(
        "#![allow(unused)]\n\
         use std::{{cell::Cell, future::pending, rc::Rc}};\n\
         use selvedge_executor::*;\n\
         struct Reads<'s>(&'s str);\n\
         impl Drop for Reads<'_> {{ fn drop(&mut self) {{ println!(\"{{}}\", self.0); }} }}\n\
         async fn hold<T>(value: T) {{ let _value = value; pending::<()>().await }}\n\
         pub fn body() {{ {body} }}\n"
    );
    fs::write(&source, text).unwrap();
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-o"])
        .arg(source.with_extension("rmeta"))
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg("--extern")
        .arg(format!("selvedge_executor={}", library.display()))
        .arg(&source)
        .output()
        .expect("a compiler built this test, so there is one");
    let _ = fs::remove_file(&source);
    let _ = fs::remove_file(source.with_extension("rmeta"));
    if output.status.success() {
        String::new()
    } else {
        String::from_utf8_lossy(&output.stderr).into()
    }
}

#[track_caller]
fn refuses(name: &str, error: &str, refused: &str, accepted: &str) {
    let control = refusal(&format!("{name}-control"), accepted);
    assert!(control.is_empty(), "the twin has to compile: {control}");
    let message = refusal(name, refused);
    assert!(!message.is_empty(), "the compiler accepts what it must refuse: {refused}");
    assert!(message.contains(error), "refused for another reason: {message}");
}

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
