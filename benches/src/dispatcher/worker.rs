//! Looks at the worker thread from outside, to know that it sleeps.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt as _,
    path::Path,
    sync::mpsc,
    thread,
};

use super::DispatcherSubject;

/// Room for one line of `/proc/<pid>/task/<tid>/stat`.
const LINE: usize = 512;

/// The worker thread of a dispatcher, as the kernel sees it.
#[derive(Debug)]
pub(super) struct Worker {
    stat: File,
}

impl Worker {
    /// Finds the worker.
    pub(super) fn of<S: DispatcherSubject>(guard: &S::Guard) -> Self {
        let (send, recv) = mpsc::channel();
        S::launch(guard, move || {
            let own = fs::read_link("/proc/thread-self").expect("a thread has a folder in /proc");
            send.send(own).expect("a producer that waits for the path");
        });
        let path = recv.recv().expect("a worker that runs the task");
        let stat = File::open(Path::new("/proc").join(path).join("stat"));
        Self { stat: stat.expect("the state of a live thread can be read") }
    }

    /// Waits until the worker sleeps. With an empty queue that means: until it is parked.
    pub(super) fn wait_until_asleep(&self) {
        while !self.is_asleep() {
            thread::yield_now();
        }
    }

    fn is_asleep(&self) -> bool {
        let mut line = [0; LINE];
        let read = self.stat.read_at(&mut line, 0).expect("the state of a live thread");
        state(&line[..read]) == Some(b'S')
    }
}

/// The state letter: the field behind the name, which is in parentheses and may hold anything.
fn state(line: &[u8]) -> Option<u8> {
    let name_end = line.iter().rposition(|byte| *byte == b')')?;
    line.get(name_end + 2).copied()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_state_stands_behind_the_name() {
        assert_eq!(state(b"12 (a) b (c) S 1 12"), Some(b'S'));
        assert_eq!(state(b"12 (worker) R 1"), Some(b'R'));
        assert_eq!(state(b"12 (worker)"), None);
        let own = File::open("/proc/thread-self/stat").map(|mut stat| {
            let mut text = Vec::new();
            stat.read_to_end(&mut text).map(|_| state(&text))
        });
        assert_eq!(own.unwrap().unwrap(), Some(b'R'));
    }
}
