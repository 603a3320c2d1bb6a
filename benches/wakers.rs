//! Table `wakers`: combinators and groups, all on one thread.
//!
//! | row | what one iteration does |
//! |---|---|
//! | `array::join`, `vec::join`, `tuple::join` | joins children that wake each other in shuffled order |
//! | `array::race`, .. | races such children: nearly all are polled once, one a second time |
//! | `array::merge`, .. | merges streams that wake each other likewise and give one item each |
//! | `one woken join`, `one woken race` | wakes one child of many in vain: one wake, one poll |
//! | `one woken merge` | wakes one stream of many: one wake, a poll that gives its item, a poll that waits |
//! | `group churn` | in a group, one future completes and another is inserted: one wake, two polls |
//! | `group remove` | in a group, one future is removed by its key and another inserted: one poll |
//! | `ready join` | joins a `Vec` of futures that are ready |
//! | `join of 2` | joins a pair of children that wake each other |
//! | `ready join of 2` | joins a pair of futures that are ready |
//!
//! The size of a row is the number of children. The rows with `::` are those of
//! futures-concurrency's published benchmark, step by step; only the children are made outside the timed
//! part here, and the permutation is another one in each iteration. A combinator is made, polled
//! to its end by one `block_on`, and dropped. Rows named `one woken` and `group` make it outside the timed
//! part and keep it; children are woken in shuffled order.
//!
//! What the rows do *not* mean:
//!
//! - Children do next to nothing. Where they work, all subjects come closer to each other.
//! - A part of every row with `::` is the children's own: a queue of wakers sorted by rank, whose cost
//!   per wake grows with the logarithm of the size. With wakers that cost nothing the children of a
//!   join take about 0.6 µs at 10, 6 µs at 100 and 80 µs at 1000, more than half of our time, so these
//!   ratios have a ceiling. `one woken` has no such part.
//! - Nothing wakes from another thread: nobody pays for a cache line that crosses cores.
//! - The races of futures-concurrency and futures keep no bookkeeping and poll every child with the
//!   parent's waker: cheaper if each child is polled once, as in `vec::race`; `one woken race` shows
//!   the price of the second poll.
//! - A child keeps its waker by cloning it, and is woken by value, as from a channel. For a child that keeps an
//!   equal waker, a wake costs less on all sides.
//! - The peers of futures-buffered and futures are what comes closest: a race is the first output of a set in the
//!   former and `select_all` in the latter, `join_all` of futures changes its strategy above 30, a merge is
//!   `MergeBounded` or `stream::select_all`. Sets without keys have no `group remove`.
//! - `ready join` and the rows of 2 are short enough that `block_on` shows, alike for all.
//! - Memory is not measured. Allocations per combinator are tests, not rows.

mod clock;

use criterion::{Criterion, criterion_group, criterion_main};
use selvedge_benches::wakers::rows;

use crate::clock::Clock;

fn wakers(criterion: &mut Criterion) {
    rows::register(&mut Clock::new(criterion, "wakers"));
}

criterion_group!(suite, wakers);
criterion_main!(suite);
