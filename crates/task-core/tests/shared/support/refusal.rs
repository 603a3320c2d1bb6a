//! What the compiler says to a snippet that uses this crate.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::subject::EXECUTOR;

/// The crate under test, as code names it.
fn crate_name() -> String {
    env!("CARGO_PKG_NAME").replace('-', "_")
}

/// The newest build of this crate beside the test's own executable.
fn library() -> PathBuf {
    let executable = env::current_exe().expect("a test knows its executable");
    let beside = fs::read_dir(executable.parent().expect("it lies in a directory")).unwrap();
    beside
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with(&format!("lib{}-", crate_name())) && name.ends_with(".rlib")
        })
        .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
        .expect("the library was built for this test")
}

/// The compiler's messages, or nothing where it accepts the body of a function.
fn refusal(name: &str, body: &str) -> String {
    let (library, crate_name) = (library(), crate_name());
    let source = env::temp_dir().join(format!("selvedge-{}-{name}.rs", std::process::id()));
    let text = format!(
        "#![allow(unused)]\n\
         use std::{{cell::Cell, future::pending, rc::Rc}};\n\
         use {crate_name}::{{self as subject, {EXECUTOR} as Executor}};\n\
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
        .arg(format!("{crate_name}={}", library.display()))
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

/// Demands that the compiler refuses one body with this error, and accepts the other.
#[track_caller]
pub(crate) fn refuses(name: &str, error: &str, refused: &str, accepted: &str) {
    let control = refusal(&format!("{name}-control"), accepted);
    assert!(control.is_empty(), "the twin has to compile: {control}");
    let message = refusal(name, refused);
    assert!(!message.is_empty(), "the compiler accepts what it must refuse: {refused}");
    assert!(message.contains(error), "refused for another reason: {message}");
}
