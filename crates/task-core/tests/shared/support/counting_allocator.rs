//! A global allocator that counts for each thread by itself, so that parallel tests do not disturb.
#![allow(dead_code, reason = "no test uses all of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: everything is left to the system's allocator; counting touches constant thread-locals only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        BYTES.with(|bytes| bytes.set(bytes.get() + layout.size() as isize));
        // SAFETY: passed on to the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.with(|bytes| bytes.set(bytes.get() - layout.size() as isize));
        // SAFETY: passed on to the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// What `body` allocated on this thread.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// How often it allocated.
    pub(crate) allocations: usize,
    /// How many bytes it left allocated, less what it freed.
    pub(crate) bytes: isize,
}

/// What `body` costs, and what it gives.
pub(crate) fn cost<T>(body: impl FnOnce() -> T) -> (Cost, T) {
    let (allocations, bytes) = (ALLOCATIONS.get(), BYTES.get());
    let result = body();
    let allocations = ALLOCATIONS.get() - allocations;
    (Cost { allocations, bytes: BYTES.get() - bytes }, result)
}

/// How many allocations `body` makes.
pub(crate) fn allocations<T>(body: impl FnOnce() -> T) -> usize {
    cost(body).0.allocations
}

/// How many bytes `body` leaves allocated.
pub(crate) fn bytes<T>(body: impl FnOnce() -> T) -> isize {
    cost(body).0.bytes
}
