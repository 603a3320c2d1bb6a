//! Sequentially consistent fences, which loom does model.

use loom::sync::atomic::{Ordering, fence};

/// A sequentially consistent fence.
pub fn full_fence() {
    // ORDERING: SeqCst, with the fence of whichever thread reads what was written before.
    fence(Ordering::SeqCst);
}

/// A sequentially consistent fence after a read-modify-write of this thread.
pub fn full_fence_after_rmw() {
    // ORDERING: SeqCst, with the fence of whichever thread reads what was written before.
    fence(Ordering::SeqCst);
}
