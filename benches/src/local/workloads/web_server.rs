//! Row `web_server`: a server spawns clients, and most of them ask one database.

use core::hint::black_box;
use std::rc::Rc;

use async_channel::{Receiver, Sender, bounded};
use fastrand::Rng;
use futures_lite::future::yield_now;

use super::{drop_last, join};
use crate::{local::LocalSubject, tally};

/// A request: where the database is to send its answer.
type Request = Sender<usize>;

/// The queue in front of the database, the random numbers, and how many requests they lead to.
#[derive(Debug)]
pub struct Shop {
    clients: usize,
    steps: usize,
    to_database: Sender<Request>,
    requests: Receiver<Request>,
    database_rng: Rng,
    server_rng: Rng,
    expected: usize,
}

impl Shop {
    /// A server for `clients` clients that ask up to `steps` times each.
    pub fn new(clients: usize, steps: usize, seed: u64) -> Self {
        let mut database_rng = Rng::with_seed(seed);
        let server_rng = database_rng.fork();
        let (to_database, requests) = bounded((clients / 5).max(1));
        let mut expected = 0;
        let mut rehearsal = server_rng.clone();
        for _ in 0..clients {
            server_pauses(&mut rehearsal);
            expected += questions(&mut rehearsal.fork(), steps).unwrap_or(0);
        }
        Self { clients, steps, to_database, requests, database_rng, server_rng, expected }
    }
}

/// Runs database, server and clients until the last client has its last answer.
pub fn web_server<S: LocalSubject>(shop: Shop) {
    let Shop { clients, steps, to_database, requests, database_rng, server_rng, expected } = shop;

    let ex = Rc::new(S::new());
    S::block_on(&ex, async {
        let database = S::spawn(&ex, serve_data(requests, database_rng));
        let spawner = Rc::clone(&ex);
        let server = S::spawn(&ex, async move {
            let mut rng = server_rng;
            let mut handles = Vec::new();
            for number in 0..clients {
                if server_pauses(&mut rng) {
                    yield_now().await;
                }
                let visit = visit(rng.fork(), steps, to_database.clone());
                handles.push(S::spawn(&spawner, visit));
                if number & 16 == 0 {
                    yield_now().await;
                }
            }
            handles
        });
        let handles = server.await;
        database.await;
        join::<S, _>(handles).await;
    });
    drop_last(ex);
    tally::expect(expected + clients);
}

/// The database: answers one request after the other until nobody can send any more.
async fn serve_data(requests: Receiver<Request>, mut rng: Rng) {
    while let Ok(answer) = requests.recv().await {
        for _ in 0..rng.usize(..10) {
            yield_now().await;
        }
        answer.send(rng.usize(..)).await.expect("a client that waits for its answer");
        tally::add(1);
    }
}

/// A client: served from the cache, or by many questions to the database.
async fn visit(mut rng: Rng, steps: usize, to_database: Sender<Request>) {
    match questions(&mut rng, steps) {
        None => yield_now().await,
        Some(questions) => {
            for _ in 0..questions {
                let (send, recv) = bounded(1);
                to_database.send(send).await.expect("a database that still serves");
                black_box(recv.recv().await.expect("a database that answers"));
            }
            for _ in 0..rng.usize(3..16) {
                yield_now().await;
            }
        }
    }
    tally::add(1);
}

/// How often a client asks the database; `None` if the cache has what it wants.
fn questions(rng: &mut Rng, steps: usize) -> Option<usize> {
    (!rng.bool()).then(|| rng.usize(steps / 2..steps))
}

/// Whether the server is held up before the next client.
fn server_pauses(rng: &mut Rng) -> bool {
    rng.usize(..=16) == 16
}
