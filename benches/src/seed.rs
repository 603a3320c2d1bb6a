//! The seed that random draws of a workload start from.
//!
//! `cargo xtask bench` draws one per round and hands it to every subject, so that subjects of a
//! round do the same work and rounds do not all repeat one lucky draw.

use std::{env, sync::OnceLock};

/// The environment variable that carries the round's seed, a decimal number.
pub const VARIABLE: &str = "SELVEDGE_BENCH_SEED";

/// The seed without a round, as in tests and under plain `cargo bench`.
pub const DEFAULT: u64 = 0x1234_5678;

/// The seed of this process.
///
/// # Panics
///
/// If the variable is set to something other than a decimal number.
pub fn of_round() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| match env::var(VARIABLE) {
        Ok(text) => text.parse().expect("SELVEDGE_BENCH_SEED must be a decimal number"),
        Err(_) => DEFAULT,
    })
}
