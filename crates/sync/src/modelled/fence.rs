//! Sequentially consistent fences, which loom does model.

use loom::sync::atomic::{Ordering, fence};

/// A sequentially consistent fence.
pub fn full_fence() {
    fence(Ordering::SeqCst);
}

/// A sequentially consistent fence after a read-modify-write of this thread.
pub fn full_fence_after_rmw() {
    fence(Ordering::SeqCst);
}
