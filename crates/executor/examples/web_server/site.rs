//! What is served: a page, its numbers, and an echo.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::http::{Handler, Request, Response};

/// The page.
pub(crate) const PAGE: &str = include_str!("index.html");

/// The site, and what it counts.
#[derive(Debug)]
pub(crate) struct Site {
    /// What serves it, for those who look at the numbers.
    server: &'static str,
    started: Instant,
    connections: AtomicU64,
    open: AtomicU64,
    answers: AtomicU64,
    errors: AtomicU64,
}

impl Site {
    pub(crate) fn new(server: &'static str) -> Self {
        let zero = AtomicU64::default;
        let (connections, open, answers, errors) = (zero(), zero(), zero(), zero());
        Self { server, started: Instant::now(), connections, open, answers, errors }
    }

    /// Counts a connection as open until what this gives is dropped.
    pub(crate) fn connected(&self) -> impl Drop + Send + use<'_> {
        struct Open<'s>(&'s Site);
        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.open.fetch_sub(1, Relaxed);
            }
        }
        self.connections.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        Open(self)
    }

    fn stats(&self) -> String {
        let Self { server, .. } = self;
        let uptime = self.started.elapsed().as_secs_f64();
        let of = |number: &AtomicU64| number.load(Relaxed);
        let (connections, open) = (of(&self.connections), of(&self.open));
        let (answers, errors) = (of(&self.answers), of(&self.errors));
        format!(
            "{{\"server\": \"{server}\", \"uptime_seconds\": {uptime:.3}, \"connections\": {connections}, \
             \"open\": {open}, \"answers\": {answers}, \"errors\": {errors}}}\n"
        )
    }
}

impl Handler for Site {
    fn answer(&self, request: &Request<'_>) -> Response {
        match (request.path, request.method) {
            ("/", "GET" | "HEAD") => Response::ok("text/html; charset=utf-8", PAGE.as_bytes()),
            ("/stats", "GET" | "HEAD") => {
                Response::ok("application/json", self.stats().into_bytes())
            }
            ("/echo", "POST") => Response::ok("application/octet-stream", request.body.to_vec()),
            ("/" | "/stats", _) => Response::wants("GET, HEAD"),
            ("/echo", _) => Response::wants("POST"),
            _ => Response::error(404),
        }
    }

    fn answered(&self, response: &Response) {
        self.answers.fetch_add(1, Relaxed);
        if response.status >= 400 {
            self.errors.fetch_add(1, Relaxed);
        }
    }
}
