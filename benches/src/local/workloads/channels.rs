//! Row `channels`: a token goes round a ring of tasks.

use async_channel::{Receiver, Sender, bounded};

use super::join;
use crate::{local::LocalSubject, tally};

/// The channels of a ring, each with room for one message.
#[derive(Debug)]
pub struct Ring {
    first: Sender<()>,
    links: Vec<(Receiver<()>, Sender<()>)>,
    last: Receiver<()>,
}

impl Ring {
    /// A ring of `tasks` links.
    pub fn new(tasks: usize) -> Self {
        let (first, mut last) = bounded(1);
        let mut links = Vec::with_capacity(tasks);
        for _ in 0..tasks {
            let (send, next) = bounded(1);
            links.push((core::mem::replace(&mut last, next), send));
        }
        Self { first, links, last }
    }
}

/// Sends the token round the whole ring `steps` times, one task per link.
pub fn channels<S: LocalSubject>(ring: Ring, steps: usize) {
    let Ring { first, links, last } = ring;
    let tasks = links.len();

    let ex = S::new();
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        for (recv, send) in links {
            handles.push(S::spawn(&ex, async move {
                for _ in 0..steps {
                    recv.recv().await.expect("the link before, still open");
                    send.send(()).await.expect("the link behind, still open");
                }
                tally::add(steps);
            }));
        }
        for _ in 0..steps {
            first.send(()).await.expect("the first link, still open");
            last.recv().await.expect("the last link, still open");
        }
        join::<S, _>(handles).await;
    });
    drop(ex);
    tally::expect(tasks * steps);
}
