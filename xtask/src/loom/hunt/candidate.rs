//! The mutants of a run: named ones and weakened orderings, and which of them are tried.

use crate::{
    error::{Error, Result},
    loom::{
        mutants::{Fate, Lists, Mutant},
        weaken::Weakening,
    },
    random::Random,
    workspace::Package,
};

/// Something to change, which a model must notice.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) package: String,
    /// What the report calls it, and `--mutant`.
    pub(super) name: String,
    pub(super) change: Change,
    /// Why no model can notice.
    pub(super) excuse: Option<String>,
}

/// What is changed.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// A protocol step is left out by a cfg; these models must notice.
    Named { models: Vec<String>, left_out: String },
    /// An ordering loses one half; any model may notice.
    Ordering(Weakening),
}

impl Candidate {
    pub(super) fn named(mutant: Mutant) -> Self {
        let Mutant { package, name, fate } = mutant;
        let (models, left_out, excuse) = match fate {
            Fate::Killed { models, left_out } => (models, left_out, None),
            Fate::Excused(reason) => (Vec::new(), String::new(), Some(reason)),
        };
        Self { package, name, change: Change::Named { models, left_out }, excuse }
    }

    pub(super) fn ordering(package: &Package, weakening: Weakening, lists: &Lists) -> Self {
        let name = weakening.name();
        let excused =
            lists.excuses.iter().find(|it| it.package == package.name && it.ordering == name);
        Self {
            package: package.name.clone(),
            name: format!("{} {name}", package.short_name()),
            change: Change::Ordering(weakening),
            excuse: excused.map(|it| it.reason.clone()),
        }
    }
}

/// The candidates whose name is `name`, or contains it; an excuse does not hold for them.
pub(super) fn choose(mut all: Vec<Candidate>, name: &str) -> Result<Vec<Candidate>> {
    let exact = all.iter().any(|it| it.name == name);
    let chosen = |it: &Candidate| if exact { it.name == name } else { it.name.contains(name) };
    if !all.iter().any(chosen) {
        let names: Vec<_> = all.iter().map(|it| it.name.as_str()).collect();
        return Err(Error::usage(format!(
            "no mutant `{name}`; there is\n  {}",
            names.join("\n  ")
        )));
    }
    all.retain(chosen);
    for it in &mut all {
        // A named mutant that is excused has no models to try.
        if matches!(it.change, Change::Ordering(_)) {
            it.excuse = None;
        }
    }
    Ok(all)
}

/// `n` of the candidates that have no excuse, in their order, drawn by `seed`.
pub(super) fn sample(all: Vec<Candidate>, n: usize, seed: u64) -> Vec<Candidate> {
    let mut rest: Vec<_> = all.into_iter().filter(|it| it.excuse.is_none()).enumerate().collect();
    let (mut random, mut drawn) = (Random::seeded(seed), Vec::new());
    while drawn.len() < n && !rest.is_empty() {
        drawn.push(rest.swap_remove(random.below(rest.len())));
    }
    drawn.sort_by_key(|(index, _)| *index);
    drawn.into_iter().map(|(_, it)| it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Candidate> {
        let named = |name: &str, fate| {
            let package = "selvedge-a".to_owned();
            Candidate::named(Mutant { package, name: name.to_owned(), fate })
        };
        let killed = || Fate::Killed { models: vec!["m".into()], left_out: "x".into() };
        let mut all: Vec<_> =
            ["wake", "wake_late", "c", "d", "e"].map(|it| named(it, killed())).into();
        all.push(named("f", Fate::Excused("why".into())));
        all
    }

    fn names(of: &[Candidate]) -> Vec<&str> {
        of.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn a_whole_name_goes_before_a_part_of_one() {
        assert_eq!(names(&choose(all(), "wake").unwrap()), ["wake"]);
        assert_eq!(names(&choose(all(), "wak").unwrap()), ["wake", "wake_late"]);
        assert!(choose(all(), "nothing").unwrap_err().to_string().contains("\n  wake_late\n"));
    }

    #[test]
    fn a_sample_depends_on_the_seed_alone_and_leaves_out_what_is_excused() {
        let drawn =
            |n, seed| sample(all(), n, seed).into_iter().map(|it| it.name).collect::<Vec<_>>();
        assert_eq!(drawn(3, 1), drawn(3, 1));
        assert_eq!(drawn(3, 1).len(), 3);
        assert!((0..9).any(|seed| drawn(3, seed) != drawn(3, 1)));
        assert_eq!(drawn(9, 1), ["wake", "wake_late", "c", "d", "e"]);
    }
}
