//! Named mutants: the list of each crate, and their places in its sources.
//!
//! A source names one as `cfg(selvedge_mutant = "name")` or `cfg!(selvedge_mutant = "name")`. A
//! line of `tests/mutants.txt` says which models must kill it, or why none can. Weakened orderings
//! need no line, save those that no model can kill:
//!
//! ```text
//! name | model_that_kills_it, another_model | what is left out
//! name | excused | reason
//! ordering src/file.rs::function 1 AcqRel->Release | excused | reason
//! ```

use std::{collections::BTreeSet, fs};

use crate::{
    error::{Error, Result},
    lexer::Source,
    loom::{
        model::Model,
        weaken::{self, Weakening},
    },
    tree,
    workspace::{Package, Workspace},
};

/// The cfg that compiles a mutant in.
pub(crate) const CFG: &str = "selvedge_mutant";

/// The list of a crate, from the folder of its manifest.
const LIST: &str = "tests/mutants.txt";

/// A line of the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mutant {
    pub(crate) package: String,
    pub(crate) name: String,
    pub(crate) fate: Fate,
}

/// What must happen to a mutant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fate {
    /// One of the models must fail; and what the mutant leaves out.
    Killed { models: Vec<String>, left_out: String },
    /// No model can kill it, for this reason.
    Excused(String),
}

/// An ordering that survives its weakening, for a written reason.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Excuse {
    pub(crate) package: String,
    /// As `Weakening::name` gives it.
    pub(crate) ordering: String,
    pub(crate) reason: String,
}

/// What the lists of several crates hold.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) mutants: Vec<Mutant>,
    pub(crate) excuses: Vec<Excuse>,
}

/// The lists of `packages`, if lists and sources agree; otherwise all that is wrong with them.
pub(crate) fn load(
    workspace: &Workspace,
    packages: &[&Package],
    models: &[Model],
) -> Result<Lists> {
    let mut lists = Lists::default();
    let mut wrong = Vec::new();
    for package in packages {
        let list = package.dir().join(LIST);
        let shown = workspace.relative(&list).display().to_string();
        let text = fs::read_to_string(&list).unwrap_or_default();
        let (found, mut errors) = parse(&package.name, &text);
        let known: Vec<_> = models.iter().filter(|it| it.package == package.name).collect();
        errors.extend(disagreements(&found.mutants, &in_sources(package)?, &known));
        let weakenings = weaken::of_package(package)?;
        errors.extend(stale(&found.excuses, &weakenings));
        wrong.extend(errors.into_iter().map(|error| format!("{shown}: {error}")));
        lists.mutants.extend(found.mutants);
        lists.excuses.extend(found.excuses);
    }
    if wrong.is_empty() { Ok(lists) } else { Err(Error::failed(wrong.join("\n"))) }
}

/// Excuses whose site is gone.
fn stale(excuses: &[Excuse], weakenings: &[Weakening]) -> Vec<String> {
    let gone = |it: &&Excuse| !weakenings.iter().any(|site| site.name() == it.ordering);
    let complaint = |it: &Excuse| format!("ordering `{}` is nowhere in the sources", it.ordering);
    excuses.iter().filter(gone).map(complaint).collect()
}

/// What the text of a list holds, and lines that cannot be read.
fn parse(package: &str, text: &str) -> (Lists, Vec<String>) {
    let Lists { mut mutants, mut excuses } = Lists::default();
    let mut errors = Vec::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [name, models, note] = fields[..] else {
            errors.push(format!("`{line}` is not of the form `name | models | what is left out`"));
            continue;
        };
        if name.is_empty() || models.is_empty() || note.is_empty() {
            errors.push(format!("`{line}` has an empty field"));
        }
        let ordering = name.strip_prefix("ordering ").map(str::trim);
        let listed = mutants.iter().any(|it| it.name == name)
            || excuses.iter().any(|it: &Excuse| ordering == Some(it.ordering.as_str()));
        if listed {
            errors.push(format!("`{name}` is listed twice"));
        }
        if let Some(ordering) = ordering {
            if models != "excused" {
                errors.push(format!("`{name}` needs no line unless it is excused"));
            }
            let (package, ordering) = (package.to_owned(), ordering.to_owned());
            excuses.push(Excuse { package, ordering, reason: note.to_owned() });
            continue;
        }
        let fate = match models {
            "excused" => Fate::Excused(note.to_owned()),
            models => Fate::Killed {
                models: models.split(',').map(|it| it.trim().to_owned()).collect(),
                left_out: note.to_owned(),
            },
        };
        mutants.push(Mutant { package: package.to_owned(), name: name.to_owned(), fate });
    }
    (Lists { mutants, excuses }, errors)
}

/// Mutants named in the sources and models of a crate.
fn in_sources(package: &Package) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for folder in ["src", "tests"] {
        for file in tree::files(&package.dir().join(folder), "rs")? {
            names.extend(named_in(&fs::read_to_string(file)?));
        }
    }
    Ok(names)
}

fn named_in(text: &str) -> Vec<String> {
    let source = Source::new(text);
    let name =
        |rest: &str| Some(rest.trim_start().strip_prefix('=')?.split('"').nth(1)?.to_owned());
    let in_line = |line: &str| line.split(CFG).skip(1).filter_map(name).collect::<Vec<_>>();
    source.lines.iter().flat_map(|line| in_line(&line.with_strings)).collect()
}

/// What list, sources and models say differently.
fn disagreements(list: &[Mutant], sources: &BTreeSet<String>, models: &[&Model]) -> Vec<String> {
    let listed = |name: &String| list.iter().any(|it| it.name == *name);
    let unlisted = sources.iter().filter(|name| !listed(name));
    let mut errors: Vec<_> =
        unlisted.map(|name| format!("mutant `{name}` of the sources has no line")).collect();
    for Mutant { name, fate, .. } in list {
        if !sources.contains(name) {
            errors.push(format!("mutant `{name}` is nowhere in the sources"));
        }
        let Fate::Killed { models: killers, .. } = fate else { continue };
        for killer in killers {
            match models.iter().find(|it| it.name == *killer) {
                None => errors.push(format!("mutant `{name}`: there is no model `{killer}`")),
                Some(model) if model.is_canary() => {
                    errors
                        .push(format!("mutant `{name}`: `{killer}` is a canary, which must fail"));
                }
                Some(_) => {}
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "# comment\n\nno_recheck | sleeps, wakes | looks again before it sleeps\n\
                    weak_fence | excused | loom counts SeqCst as AcqRel\n\
                    ordering src/a.rs::b 1 Acquire->Relaxed | excused | a hint alone\n";
        let (Lists { mutants, excuses }, errors) = parse("selvedge-a", text);
        assert_eq!(errors, [""; 0]);
        assert_eq!(
            mutants[0].fate,
            Fate::Killed {
                models: vec!["sleeps".into(), "wakes".into()],
                left_out: "looks again before it sleeps".into(),
            }
        );
        assert_eq!(mutants[1].fate, Fate::Excused("loom counts SeqCst as AcqRel".into()));
        let excuse = Excuse {
            package: "selvedge-a".into(),
            ordering: "src/a.rs::b 1 Acquire->Relaxed".into(),
            reason: "a hint alone".into(),
        };
        assert_eq!(excuses, [excuse]);
    }

    #[test]
    fn an_excuse_names_a_site_that_is_there() {
        let (lists, _) = parse(
            "selvedge-a",
            "ordering src/a.rs::b 1 Acquire->Relaxed | excused | x\n\
             ordering src/a.rs::b 2 Acquire->Relaxed | excused | x\n",
        );
        let sites = weaken::of_text("src/a.rs", "fn b() { a.load(Acquire) }");
        let errors = stale(&lists.excuses, &sites);
        assert_eq!(errors, ["ordering `src/a.rs::b 2 Acquire->Relaxed` is nowhere in the sources"]);
    }

    #[test]
    fn lines_that_cannot_be_read_are_named() {
        let (_, errors) =
            parse("selvedge-a", "a | b\nc | excused |\nd | m | x\nd | m | x\nordering e | m | x\n");
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors[0].contains("`a | b` is not of the form"), "{errors:?}");
        assert!(errors[1].contains("empty field"), "{errors:?}");
        assert_eq!(errors[2], "`d` is listed twice");
        assert_eq!(errors[3], "`ordering e` needs no line unless it is excused");
    }

    #[test]
    fn mutants_are_found_in_code_but_not_in_comments() {
        let text = "// selvedge_mutant = \"no\"\n#[cfg(not(selvedge_mutant = \"a\"))]\nlet x = \
                    cfg!(selvedge_mutant=\"b\") || cfg!(selvedge_mutant = \"c\");\n";
        assert_eq!(named_in(text), ["a", "b", "c"]);
    }

    #[test]
    fn list_sources_and_models_must_agree() {
        let (Lists { mutants: list, .. }, _) =
            parse("selvedge-a", "a | m | x\nb | gone, canary_c | y\n");
        let sources = ["a".to_owned(), "z".to_owned()].into();
        let (m, canary) = (Model::sample("m"), Model::sample("canary_c"));
        let errors = disagreements(&list, &sources, &[&m, &canary]);
        assert_eq!(
            errors,
            [
                "mutant `z` of the sources has no line",
                "mutant `b` is nowhere in the sources",
                "mutant `b`: there is no model `gone`",
                "mutant `b`: `canary_c` is a canary, which must fail",
            ]
        );
    }
}
