//! What `cargo metadata` says of the workspace, reduced to what the commands ask for.

mod selection;

use std::path::{Path, PathBuf};

use serde_json::Value;
use xshell::{Shell, cmd};

use crate::error::{Error, Result};

pub(crate) use self::selection::{features, selection, selection_with};

/// Prefix of the names of our packages, which command lines may leave out.
const PREFIX: &str = "selvedge-";

/// Features that, with a private cfg, turn the façade over to a checker.
const SWITCHES: [&str; 2] = ["loom", "shuttle"];

/// Crates that promise nothing to users, so that they need no example.
const INTERNAL: [&str; 2] = ["sync", "task-core"];

/// The package that holds the benchmarks and what else is measured.
pub(crate) const BENCHES: &str = "selvedge-benches";

/// What stands beside the manifest of every shipped crate.
pub(crate) const FRONT: [&str; 4] = [CHANGELOG, "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The one of these that tells of versions.
pub(crate) const CHANGELOG: &str = "CHANGELOG.md";

/// The workspace and its members.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target_dir: PathBuf,
    pub(crate) packages: Vec<Package>,
}

/// A member of the workspace.
#[derive(Debug, Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) documentation: String,
    pub(crate) readme: String,
    pub(crate) keywords: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) docs_rs: DocsRs,
    pub(crate) manifest: PathBuf,
    /// A default member: a crate that is published.
    pub(crate) shipped: bool,
    pub(crate) features: Vec<String>,
    pub(crate) targets: Vec<Target>,
    pub(crate) dependencies: Vec<Dependency>,
    /// `package.metadata.heavy-peers`: each a feature of its own.
    pub(crate) heavy_peers: Vec<HeavyPeer>,
}

/// `package.metadata.docs.rs`: how docs.rs builds the documentation.
#[derive(Debug, Default)]
pub(crate) struct DocsRs {
    pub(crate) all_features: bool,
    pub(crate) features: Vec<String>,
    pub(crate) rustdoc_args: Vec<String>,
    pub(crate) targets: Vec<String>,
}

/// A peer that is slow to build, and so only built on request.
#[derive(Debug)]
pub(crate) struct HeavyPeer {
    pub(crate) name: String,
    /// Tables that it takes part in.
    pub(crate) tables: Vec<String>,
}

/// Something of a package that is compiled by itself.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    /// `lib`, `bin`, `example`, `test` or `bench`.
    pub(crate) kind: String,
}

/// An entry of a manifest's dependency tables.
#[derive(Debug, Default)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `normal`, `dev` or `build`.
    pub(crate) kind: String,
    /// The `cfg(..)` of its table, or nothing.
    pub(crate) target: String,
    pub(crate) optional: bool,
}

impl Workspace {
    /// Asks cargo for the workspace that the shell stands in.
    pub(crate) fn load(sh: &Shell) -> Result<Self> {
        let json = cmd!(sh, "cargo metadata --no-deps --format-version 1").quiet().read()?;
        Self::parse(&json)
    }

    fn parse(json: &str) -> Result<Self> {
        let json: Value = serde_json::from_str(json)?;
        let defaults = array(&json["workspace_default_members"]);
        let package =
            |it: &Value| Package { shipped: defaults.contains(&it["id"]), ..Package::parse(it) };
        Ok(Self {
            root: text(&json["workspace_root"]).into(),
            target_dir: text(&json["target_directory"]).into(),
            packages: array(&json["packages"]).iter().map(package).collect(),
        })
    }

    /// The crates that are published.
    pub(crate) fn shipped(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|it| it.shipped)
    }

    /// The published crates, each after those of ours that it depends on.
    pub(crate) fn shipped_in_order(&self) -> Vec<&Package> {
        let mut waiting: Vec<_> = self.shipped().collect();
        let mut ordered = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let names: Vec<_> = waiting.iter().map(|it| it.name.as_str()).collect();
            let waits = |it: &Package| it.dependencies.iter().any(|to| names.contains(&&*to.name));
            let (later, next): (Vec<_>, Vec<_>) = waiting.iter().partition(|it| waits(it));
            // In a circle of dev-dependencies nobody is first; take the rest as it comes.
            let (next, later) = if next.is_empty() { (later, next) } else { (next, later) };
            ordered.extend(next);
            waiting = later;
        }
        ordered
    }

    /// The published crates, or the one named; its name may come without our prefix.
    pub(crate) fn select(&self, name: Option<&str>) -> Result<Vec<&Package>> {
        match name {
            None => Ok(self.shipped().collect()),
            Some(name) => self.find(name).map(|it| vec![it]),
        }
    }

    /// The packages with a test target `test`, or the one named, which must have it.
    pub(crate) fn select_with_test(&self, name: Option<&str>, test: &str) -> Result<Vec<&Package>> {
        let has = |it: &&Package| it.has_target("test", test);
        let Some(name) = name else { return Ok(self.packages.iter().filter(has).collect()) };
        let package = self.find(name)?;
        if has(&package) {
            Ok(vec![package])
        } else {
            Err(Error::usage(format!("package {} has no tests/{test}.rs", package.name)))
        }
    }

    fn find(&self, name: &str) -> Result<&Package> {
        let found = self.packages.iter().find(|it| it.name == name || it.short_name() == name);
        found.ok_or_else(|| {
            let names: Vec<_> = self.packages.iter().map(Package::short_name).collect();
            Error::usage(format!("unknown package `{name}`; there is {}", names.join(", ")))
        })
    }

    /// A path as seen from the workspace's root, for messages.
    pub(crate) fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }
}

impl Package {
    fn parse(json: &Value) -> Self {
        Self {
            name: text(&json["name"]),
            version: text(&json["version"]),
            description: text(&json["description"]),
            documentation: text(&json["documentation"]),
            readme: text(&json["readme"]),
            keywords: texts(&json["keywords"]),
            categories: texts(&json["categories"]),
            docs_rs: DocsRs::parse(&json["metadata"]["docs"]["rs"]),
            manifest: text(&json["manifest_path"]).into(),
            shipped: false,
            features: json["features"].as_object().into_iter().flatten().map(key).collect(),
            targets: array(&json["targets"]).iter().map(Target::parse).collect(),
            dependencies: array(&json["dependencies"]).iter().map(Dependency::parse).collect(),
            heavy_peers: HeavyPeer::parse_all(&json["metadata"]["heavy-peers"]),
        }
    }

    /// The folder of the manifest.
    pub(crate) fn dir(&self) -> &Path {
        self.manifest.parent().unwrap_or(&self.manifest)
    }

    /// The name without our prefix.
    pub(crate) fn short_name(&self) -> &str {
        self.name.strip_prefix(PREFIX).unwrap_or(&self.name)
    }

    /// Whether it is published only because other crates of ours need it.
    pub(crate) fn is_internal(&self) -> bool {
        INTERNAL.contains(&self.short_name())
    }

    /// The features that a user may turn on: neither the default nor a switch of the façade.
    pub(crate) fn user_features(&self) -> impl Iterator<Item = &str> {
        let features = self.features.iter().map(String::as_str);
        features.filter(|it| *it != "default" && !SWITCHES.contains(it))
    }

    /// Whether the manifest declares `feature`.
    pub(crate) fn has_feature(&self, feature: &str) -> bool {
        self.features.iter().any(|it| it == feature)
    }

    /// Names of the targets of `kind`.
    pub(crate) fn targets(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.targets.iter().filter(move |it| it.kind == kind).map(|it| it.name.as_str())
    }

    /// Whether there is a target `name` of `kind`.
    pub(crate) fn has_target(&self, kind: &str, name: &str) -> bool {
        self.targets(kind).any(|it| it == name)
    }
}

impl DocsRs {
    fn parse(json: &Value) -> Self {
        Self {
            all_features: json["all-features"].as_bool().unwrap_or_default(),
            features: texts(&json["features"]),
            rustdoc_args: texts(&json["rustdoc-args"]),
            targets: texts(&json["targets"]),
        }
    }
}

impl HeavyPeer {
    fn parse_all(json: &Value) -> Vec<Self> {
        let peer =
            |(name, tables): (&String, &Value)| Self { name: name.clone(), tables: texts(tables) };
        json.as_object().into_iter().flatten().map(peer).collect()
    }
}

impl Target {
    fn parse(json: &Value) -> Self {
        Self { name: text(&json["name"]), kind: text(&json["kind"][0]) }
    }
}

impl Dependency {
    fn parse(json: &Value) -> Self {
        Self {
            name: text(&json["name"]),
            kind: json["kind"].as_str().unwrap_or("normal").to_owned(),
            target: text(&json["target"]),
            optional: json["optional"].as_bool().unwrap_or_default(),
        }
    }

    /// The package's name without our prefix if it is one of ours.
    pub(crate) fn ours(&self) -> Option<&str> {
        self.name.strip_prefix(PREFIX)
    }
}

fn key((key, _): (&String, &Value)) -> String {
    key.clone()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    array(value).iter().map(text).collect()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{
        "workspace_root": "/w", "target_directory": "/w/target",
        "workspace_default_members": ["a#1"],
        "packages": [
            {"id": "a#1", "name": "selvedge-a", "version": "1.0.0",
             "manifest_path": "/w/crates/a/Cargo.toml",
             "features": {"default": [], "std": [], "loom": ["dep:loom"]},
             "keywords": ["k"], "metadata": {"docs": {"rs": {"all-features": true, "targets": ["t"]}}},
             "targets": [{"name": "a", "kind": ["lib"]}, {"name": "loom", "kind": ["test"]}],
             "dependencies": [
                {"name": "slab", "kind": null, "target": null, "optional": false},
                {"name": "loom", "kind": "dev", "target": "cfg(x)", "optional": true}]},
            {"id": "x#0", "name": "xtask", "version": "0.0.0", "features": {},
             "manifest_path": "/w/xtask/Cargo.toml", "targets": [], "dependencies": [],
             "metadata": {"heavy-peers": {"big": ["t"]}}}]}"#;

    #[test]
    fn metadata_is_read() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let shipped: Vec<_> = workspace.shipped().map(Package::short_name).collect();
        assert_eq!(shipped, ["a"]);
        let a = workspace.find("a").unwrap();
        assert!(a.has_target("test", "loom") && !a.has_target("bench", "loom"));
        assert_eq!((&a.keywords[..], a.docs_rs.all_features), (&["k".to_owned()][..], true));
        assert_eq!(
            (&a.docs_rs.targets[..], &a.docs_rs.features[..]),
            (&["t".to_owned()][..], &[][..])
        );
        assert_eq!(a.user_features().collect::<Vec<_>>(), ["std"]);
        assert_eq!(a.dir(), Path::new("/w/crates/a"));
        assert_eq!(workspace.relative(a.dir()), Path::new("crates/a"));
        let [slab, loom] = &a.dependencies[..] else { panic!("{:?}", a.dependencies) };
        assert_eq!(
            (slab.kind.as_str(), slab.target.as_str(), slab.optional),
            ("normal", "", false)
        );
        assert_eq!(
            (loom.kind.as_str(), loom.target.as_str(), loom.optional),
            ("dev", "cfg(x)", true)
        );
    }

    #[test]
    fn heavy_peers_are_read_with_their_tables() {
        let workspace = Workspace::parse(METADATA).unwrap();
        assert!(workspace.find("a").unwrap().heavy_peers.is_empty());
        let [peer] = &workspace.find("xtask").unwrap().heavy_peers[..] else { panic!("one peer") };
        assert_eq!((peer.name.as_str(), &peer.tables[..]), ("big", &["t".to_owned()][..]));
    }

    #[test]
    fn a_package_is_found_by_either_name() {
        let workspace = Workspace::parse(METADATA).unwrap();
        assert_eq!(workspace.select(Some("selvedge-a")).unwrap()[0].name, "selvedge-a");
        let error = workspace.select(Some("b")).unwrap_err().to_string();
        assert_eq!(error, "unknown package `b`; there is a, xtask");
    }

    #[test]
    fn packages_are_selected_by_a_test_target() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let selected = |name| workspace.select_with_test(name, "loom");
        assert_eq!(selected(None).unwrap().len(), 1);
        assert_eq!(selected(Some("a")).unwrap()[0].name, "selvedge-a");
        let error = selected(Some("xtask")).unwrap_err().to_string();
        assert_eq!(error, "package xtask has no tests/loom.rs");
    }

    #[test]
    fn a_crate_comes_after_those_it_depends_on() {
        let package = |name: &str, on: &[&str]| Package {
            name: name.into(),
            shipped: true,
            dependencies: on
                .iter()
                .map(|it| Dependency { name: (*it).into(), ..Dependency::default() })
                .collect(),
            ..Package::default()
        };
        let packages = vec![
            package("combinators", &["wakers", "slab"]),
            package("sync", &[]),
            package("wakers", &["sync"]),
        ];
        let workspace = Workspace { root: "".into(), target_dir: "".into(), packages };
        let names: Vec<_> = workspace.shipped_in_order().iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["sync", "wakers", "combinators"]);
    }
}
