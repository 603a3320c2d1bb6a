//! Which files belong into a package, and what must not stand in them.

use std::env;

use crate::workspace::{FRONT, Package, Workspace};

/// What cargo adds to every package.
const METADATA: [&str; 4] = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];

/// The registry as lockfiles name it; another name is a mirror, which nobody else may reach.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What is wrong with the list of a package's files.
pub(super) fn findings(package: &Package, files: &[String]) -> Vec<String> {
    let name = &package.name;
    let unwanted = files.iter().filter(|file| !wanted(file));
    let mut found: Vec<_> = unwanted
        .map(|file| format!("{name}: no user needs {file}; leave it out of `include`"))
        .collect();
    let missing = required(package).filter(|file| !files.contains(file) && !is_folder(file, files));
    found.extend(missing.map(|file| format!("{name}: {file} is not packed")));
    found
}

/// Whether an example is a folder instead of the file.
fn is_folder(file: &str, files: &[String]) -> bool {
    let folder = file.strip_suffix(".rs").filter(|_| file.starts_with("examples/"));
    folder.is_some_and(|folder| files.contains(&format!("{folder}/main.rs")))
}

/// Whether a user of the crate needs a file.
fn wanted(file: &str) -> bool {
    let (folder, _) = file.split_once('/').unwrap_or_default();
    let source = file.ends_with(".rs");
    match folder {
        "" => METADATA.contains(&file) || FRONT.contains(&file),
        "src" => source || file.ends_with(".md"),
        // What an example shows or serves lies beside it.
        "examples" => source || file.ends_with(".html"),
        _ => false,
    }
}

/// Files that a package must have.
fn required(package: &Package) -> impl Iterator<Item = String> {
    let examples = package.targets("example").map(|it| format!("examples/{it}.rs"));
    FRONT.into_iter().chain(["src/lib.rs"]).map(str::to_owned).chain(examples)
}

/// What only this machine knows, so that no package may tell of it.
#[derive(Debug)]
pub(super) struct Forbidden(Vec<String>);

impl Forbidden {
    /// The folders of the repository, of builds and of the user.
    pub(super) fn of_this_machine(workspace: &Workspace) -> Self {
        let folders = [&workspace.root, &workspace.target_dir];
        let mut words: Vec<_> = folders.iter().map(|it| it.display().to_string()).collect();
        words.extend(
            ["HOME", "USERPROFILE", "CARGO_HOME"].iter().filter_map(|it| env::var(it).ok()),
        );
        // A folder right below the root may have a name that is found in any text.
        words.retain(|it| it.len() > "/root".len());
        Self(words)
    }

    /// What is wrong with the text of a file.
    pub(super) fn findings(&self, package: &Package, file: &str, bytes: &[u8]) -> Vec<String> {
        let (name, text) = (&package.name, String::from_utf8_lossy(bytes));
        let words = self.0.iter().filter(|word| text.contains(word.as_str()));
        let mut found: Vec<_> = words
            .map(|word| format!("{name}: {file} names {word}, a folder of this machine"))
            .collect();
        let sources = text.lines().filter_map(|line| line.strip_prefix("source = "));
        let mirrors = sources.filter(|it| file == "Cargo.lock" && it.trim_matches('"') != REGISTRY);
        found.extend(mirrors.map(|it| format!("{name}: {file} names {it}, not the registry")));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Target;

    fn package() -> Package {
        let example = Target { name: "use".into(), kind: "example".into() };
        Package { name: "selvedge-a".into(), targets: vec![example], ..Package::default() }
    }

    fn complete() -> Vec<String> {
        let others = ["src/lib.rs", "src/DESIGN.md", "examples/use.rs"];
        METADATA.into_iter().chain(FRONT).chain(others).map(str::to_owned).collect()
    }

    #[test]
    fn a_package_holds_what_a_user_needs_and_nothing_else() {
        assert_eq!(findings(&package(), &complete()), [""; 0]);
        let mut more = complete();
        more.push("tests/loom.rs".into());
        more.push("src/trace.txt".into());
        let found = findings(&package(), &more);
        assert!(found[0].contains("no user needs tests/loom.rs"), "{found:?}");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn an_example_may_be_a_folder_with_a_page_to_show() {
        let mut folder = complete();
        folder.retain(|it| it != "examples/use.rs");
        folder.extend(["examples/use/main.rs", "examples/use/page.html"].map(str::to_owned));
        assert_eq!(findings(&package(), &folder), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut less = complete();
        less.retain(|it| it != "examples/use.rs" && it != "LICENSE-MIT");
        assert_eq!(
            findings(&package(), &less),
            ["selvedge-a: LICENSE-MIT is not packed", "selvedge-a: examples/use.rs is not packed"]
        );
    }

    #[test]
    fn no_package_tells_of_this_machine() {
        let forbidden = Forbidden(vec!["/home/somebody".into()]);
        let found = |file, text: &str| forbidden.findings(&package(), file, text.as_bytes()).len();
        assert_eq!(found("src/lib.rs", "// as in /home/somebody/x\n"), 1);
        assert_eq!(found("Cargo.lock", "source = \"registry+https://mirror.example/\"\n"), 1);
        assert_eq!(found("Cargo.lock", &format!("source = {REGISTRY:?}\n")), 0);
        assert_eq!(found("src/lib.rs", "source = 1\n"), 0);
    }
}
