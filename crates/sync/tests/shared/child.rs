//! Runs a test again in a child process, to look at how that ends.

use std::env;
use std::process::{Command, Output, exit};

const CHILD: &str = "SELVEDGE_CHILD";

/// In the parent: what became of the child. In the child: runs `body` and ends the process.
pub(crate) fn in_child(test: &str, body: impl FnOnce()) -> Output {
    let arrived = format!("the child runs {test}");
    if env::var(CHILD).as_deref() == Ok(test) {
        println!("{arrived}");
        body();
        println!("the child lived on");
        exit(0);
    }
    let child = Command::new(env::current_exe().expect("a test knows its executable"))
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, test)
        .output()
        .expect("a child process starts");
    assert!(text(&child).contains(&arrived), "no test has the name {test}");
    child
}

/// Both outputs of the child as text.
pub(crate) fn text(output: &Output) -> String {
    let streams = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&streams).into_owned()
}
