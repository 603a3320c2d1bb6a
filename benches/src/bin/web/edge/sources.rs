//! The sockets that are registered, by the numbers that events carry.

use std::sync::Arc;

use super::source::Source;

/// A table whose numbers are used again. An event that comes late then meets another socket, which finds
/// itself ready for an attempt that is refused.
#[derive(Debug, Default)]
pub(super) struct Sources {
    entries: Vec<Option<Arc<Source>>>,
    free: Vec<usize>,
}

impl Sources {
    pub(super) fn insert(&mut self, source: Arc<Source>) -> usize {
        let number = self.free.pop().unwrap_or(self.entries.len());
        if number == self.entries.len() {
            self.entries.push(None);
        }
        self.entries[number] = Some(source);
        number
    }

    /// The caller drops the source when the table is not locked: it may hold the last waker of a task.
    pub(super) fn remove(&mut self, number: usize) -> Option<Arc<Source>> {
        self.free.push(number);
        self.entries[number].take()
    }

    pub(super) fn get(&self, number: usize) -> Option<&Source> {
        self.entries.get(number)?.as_deref()
    }
}
