//! What became of a mutant, in words for the report and in JSON for the next run.

use serde_json::{Value, json};

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// By this model, in this way.
    Killed {
        model: String,
        how: String,
    },
    /// All models passed, or those named here came to no end.
    Survived {
        unfinished: Vec<String>,
    },
    Excused,
    /// Does not compile, or its models cannot be run, for this reason.
    Broken(String),
    /// The time of the run was up.
    Left,
}

impl Verdict {
    /// The cell of the table.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Killed { .. } => "killed",
            Self::Survived { .. } => "SURVIVED",
            Self::Excused => "excused",
            Self::Broken(_) => "BROKEN",
            Self::Left => "left",
        }
    }

    /// Whether the run as a whole must fail.
    pub(super) fn fails(&self) -> bool {
        matches!(self, Self::Survived { .. } | Self::Broken(_))
    }

    /// What a later run may rely on while neither sources nor models change.
    pub(super) fn to_json(&self) -> Option<Value> {
        match self {
            Self::Killed { model, how } => Some(json!({"model": model, "how": how})),
            Self::Survived { unfinished } if unfinished.is_empty() => Some(json!({})),
            _ => None,
        }
    }

    /// The verdict that `to_json` wrote.
    pub(super) fn from_json(json: &Value) -> Self {
        match (json["model"].as_str(), json["how"].as_str()) {
            (Some(model), Some(how)) => Self::Killed { model: model.into(), how: how.into() },
            _ => Self::Survived { unfinished: Vec::new() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_is_kept_and_read_again() {
        let killed = Verdict::Killed { model: "m".into(), how: "deadlock".into() };
        for verdict in [killed, Verdict::Survived { unfinished: Vec::new() }] {
            assert_eq!(Verdict::from_json(&verdict.to_json().unwrap()), verdict);
        }
        for verdict in [
            Verdict::Left,
            Verdict::Excused,
            Verdict::Broken("x".into()),
            Verdict::Survived { unfinished: vec!["m".into()] },
        ] {
            assert_eq!(verdict.to_json(), None);
        }
    }
}
