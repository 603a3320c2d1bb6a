//! Sequentially consistent fences, which shuttle has no need of: every operation is one.

/// A sequentially consistent fence.
pub fn full_fence() {}

/// A sequentially consistent fence after a read-modify-write of this thread.
pub fn full_fence_after_rmw() {}
