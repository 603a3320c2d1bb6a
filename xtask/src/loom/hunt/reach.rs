//! Which crates' models reach the code of a crate.

use crate::workspace::{Package, Workspace};

/// The crates whose models execute code of `package`: itself first, then those above it.
pub(super) fn models_of<'a>(workspace: &'a Workspace, package: &Package) -> Vec<&'a Package> {
    let above = |it: &&Package| below(workspace, it).iter().any(|it| it.name == package.name);
    let mut found: Vec<_> = workspace.shipped().filter(above).collect();
    found.retain(|it| it.has_target("test", "loom"));
    found.sort_by_key(|it| it.name != package.name);
    found
}

/// `package`, and our crates that it is built from.
pub(super) fn below<'a>(workspace: &'a Workspace, package: &'a Package) -> Vec<&'a Package> {
    let mut found = vec![package];
    let mut at = 0;
    while let Some(package) = found.get(at).copied() {
        for dependency in package.dependencies.iter().filter(|it| it.kind == "normal") {
            let ours = workspace.shipped().find(|it| it.name == dependency.name);
            if let Some(ours) = ours.filter(|ours| !found.iter().any(|it| it.name == ours.name)) {
                found.push(ours);
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Dependency, Target};

    #[test]
    fn models_of_the_crates_above_reach_a_crate_too() {
        let package = |name: &str, on: &[&str], models: bool| {
            let dependency = |it: &&str| Dependency {
                name: (*it).into(),
                kind: "normal".into(),
                ..Dependency::default()
            };
            let target = Target { name: "loom".into(), kind: "test".into() };
            Package {
                name: name.into(),
                shipped: true,
                dependencies: on.iter().map(dependency).collect(),
                targets: if models { vec![target] } else { Vec::new() },
                ..Package::default()
            }
        };
        let packages = vec![
            package("top", &["core"], true),
            package("core", &["base", "serde"], true),
            package("base", &[], false),
            package("other", &[], true),
        ];
        let workspace = Workspace { root: "".into(), target_dir: "".into(), packages };
        let names = |it: &str| -> Vec<&str> {
            let package = workspace.select(Some(it)).unwrap()[0];
            models_of(&workspace, package).iter().map(|it| it.name.as_str()).collect()
        };
        assert_eq!(names("base"), ["top", "core"]);
        assert_eq!(names("core"), ["core", "top"]);
        assert_eq!(names("other"), ["other"]);
    }
}
