//! Who keeps the shared part alive, and who works for it.

use core::cell::Cell;
use core::ops::Deref;

use selvedge_sync::atomic::Ordering;
use selvedge_sync::sync::Arc;
use selvedge_sync::unmodelled::AtomicU64 as Counter;

use super::Shared;
use crate::fork::Stamp;

/// Keeps the shared part alive.
#[derive(Clone, Debug)]
pub(crate) enum Owner {
    /// That of a `Dispatcher`, freed by the last owner.
    Counted(Arc<Shared>),
    /// That of a `GlobalDispatcher`, never freed.
    Static(&'static Shared),
}

impl Deref for Owner {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        match self {
            Self::Counted(shared) => shared,
            Self::Static(shared) => shared,
        }
    }
}

static LAST: Counter = Counter::new(0);

selvedge_sync::thread_local! {
    // The dispatcher that this thread is, or was, the worker of. Without a destructor, so that it can
    // be read at any moment of a thread's life.
    static WORKS_FOR: Cell<u64> = const { Cell::new(0) };
}

impl Shared {
    /// The number of this dispatcher, which no other has or will have.
    fn id(&self) -> u64 {
        // Relaxed, here and below: only the number matters, and the exchange decides which.
        match self.id.load(Ordering::Relaxed) {
            0 => self.assign_id(),
            id => id,
        }
    }

    #[cold]
    fn assign_id(&self) -> u64 {
        let new = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        match self.id.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => new,
            Err(first) => first,
        }
    }

    /// Makes the calling thread the worker.
    pub(super) fn employ(&self) {
        WORKS_FOR.with(|works_for| works_for.set(self.id()));
    }

    /// Whether the calling thread is the worker, or was the one of an earlier generation.
    pub(crate) fn is_worker(&self) -> bool {
        // Relaxed: a worker sees what it stored itself.
        is_worker_of(self.id.load(Ordering::Relaxed))
    }

    /// What a handle has to know of its dispatcher.
    pub(crate) fn origin(&self) -> Origin {
        Origin { id: self.id(), stamp: Stamp::now() }
    }
}

fn is_worker_of(id: u64) -> bool {
    id != 0 && WORKS_FOR.with(Cell::get) == id
}

/// What a handle has to know of its dispatcher.
#[derive(Debug)]
pub(crate) struct Origin {
    id: u64,
    stamp: Stamp,
}

impl Origin {
    /// Whether the calling thread is the worker.
    pub(crate) fn is_worker(&self) -> bool {
        is_worker_of(self.id)
    }

    /// Whether this is a forked child of the process of the worker.
    pub(crate) fn is_foreign(&self) -> bool {
        self.stamp.is_foreign()
    }
}
