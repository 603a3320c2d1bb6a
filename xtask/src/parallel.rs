//! Work on as many threads as the machine has.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::{collections::BTreeMap, sync::mpsc, thread};

use crate::error::Result;

/// How many threads the machine runs at a time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, |it| it.get())
}

/// Maps `items` on `workers` threads, or fewer if there is less to do, and hands the results to `take` in the order of the items, as
/// soon as that order allows.
pub(crate) fn in_order<'a, T: Sync, R: Send>(
    items: &'a [T],
    workers: usize,
    map: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(R) -> Result,
) -> Result {
    let workers = workers.min(items.len());
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next, map) = (send.clone(), &next, &map);
            scope.spawn(move || {
                while let Some((index, item)) = pick(items, next) {
                    if send.send((index, map(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receive {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                take(result)?;
            }
        }
        Ok(())
    })
}

fn pick<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::error::Error;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items = [30_u64, 0, 10, 0];
        let slow = |millis: &u64| {
            thread::sleep(Duration::from_millis(*millis));
            *millis
        };
        let mut taken = Vec::new();
        let take = |millis| {
            taken.push(millis);
            Ok(())
        };
        in_order(&items, 2, slow, take).unwrap();
        assert_eq!(taken, items);
    }

    #[test]
    fn an_error_ends_the_run() {
        let error = in_order(&[1, 2, 3], 2, |n| *n, |n| Err(Error::failed(format!("at {n}"))));
        assert_eq!(error.unwrap_err().to_string(), "at 1");
    }
}
