//! Paired ratios, their range, and what counts as a difference.

/// A peer's time over ours, formed within each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratio {
    /// Median over the rounds.
    pub(crate) median: f64,
    /// Smallest of a round.
    pub(crate) low: f64,
    /// Largest of a round.
    pub(crate) high: f64,
}

impl Ratio {
    /// What a subject has to itself.
    pub(crate) const ONE: Self = Self { median: 1.0, low: 1.0, high: 1.0 };

    /// Pairs the times of the same round; `None` if there is no round with both.
    pub(crate) fn paired(theirs: &[f64], ours: &[f64]) -> Option<Self> {
        let ratios: Vec<_> = theirs.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect();
        Some(Self {
            median: median(&ratios)?,
            low: ratios.iter().copied().reduce(f64::min)?,
            high: ratios.iter().copied().reduce(f64::max)?,
        })
    }

    /// How far a ratio that should be 1 strays from it.
    pub(crate) fn noise(&self) -> f64 {
        (1.0 - self.low).abs().max((self.high - 1.0).abs())
    }

    /// Who is ahead when ratios within `noise` of 1 mean nothing.
    pub(crate) fn verdict(&self, noise: f64) -> Verdict {
        if self.low > 1.0 + noise {
            Verdict::Ahead
        } else if self.high < 1.0 - noise {
            Verdict::Behind
        } else {
            Verdict::Same
        }
    }
}

/// How ours stands against a peer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Faster in every round, beyond the noise.
    Ahead,
    /// The range crosses 1 within the noise.
    Same,
    /// Slower in every round, beyond the noise.
    Behind,
}

/// The middle value, or the mean of the middle two.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted[sorted.len() / 2]);
    Some(f64::midpoint(*low, high))
}

/// The geometric mean.
pub(crate) fn geomean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_formed_within_a_round() {
        let ratio = Ratio::paired(&[20.0, 90.0, 10.0], &[10.0, 30.0, 10.0]).unwrap();
        assert_eq!(ratio, Ratio { median: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(Ratio::paired(&[1.0], &[]), None);
    }

    #[test]
    fn a_round_that_was_not_finished_is_left_out() {
        assert_eq!(Ratio::paired(&[2.0, 9.0], &[2.0]), Some(Ratio::ONE));
    }

    #[test]
    fn a_range_that_touches_the_noise_is_no_difference() {
        let ratio = |low, high| Ratio { median: 1.0, low, high };
        assert_eq!(ratio(1.03, 1.2).verdict(0.02), Verdict::Ahead);
        assert_eq!(ratio(1.01, 1.2).verdict(0.02), Verdict::Same);
        assert_eq!(ratio(0.9, 1.1).verdict(0.0), Verdict::Same);
        assert_eq!(ratio(0.9, 0.97).verdict(0.02), Verdict::Behind);
        assert_eq!(ratio(0.9, 0.99).verdict(0.02), Verdict::Same);
    }

    #[test]
    fn noise_is_the_farther_end() {
        assert_eq!(Ratio { median: 1.0, low: 0.75, high: 1.125 }.noise(), 0.25);
    }

    #[test]
    fn middles_and_means() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(geomean(&[]), None);
        assert!((geomean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-9);
    }
}
