//! Random numbers: to shuffle, to draw samples, to seed what draws by itself.

use core::hash::{BuildHasher as _, Hasher as _};
use std::hash::RandomState;

/// The sequence of `SplitMix64`.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A sequence that differs from run to run.
    pub(crate) fn new() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    /// The same sequence for the same seed.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not zero.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or_default()
    }

    /// The numbers below `len` in random order.
    pub(crate) fn shuffled(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        for last in (1..len).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// A seed for a person to type again: another one each time, and short.
pub(crate) fn seed() -> u64 {
    Random::new().next() % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_keeps_everyone_and_changes_the_order() {
        let mut random = Random::seeded(1);
        let mut first = [0; 3];
        for _ in 0..300 {
            let order = random.shuffled(3);
            first[order[0]] += 1;
            let mut sorted = order;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2]);
        }
        assert!(first.iter().all(|times| (60..140).contains(times)), "{first:?}");
    }
}
