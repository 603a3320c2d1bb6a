//! A global allocator that counts for each thread by itself, so that parallel tests do not disturb,
//! and the bytes of all of them.
#![allow(dead_code, reason = "no test uses all of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, Ordering};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

static TOTAL: AtomicIsize = AtomicIsize::new(0);

struct Counting;

impl Counting {
    fn add(bytes: isize) {
        BYTES.with(|own| own.set(own.get() + bytes));
        TOTAL.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: everything is left to the system's allocator; counting touches constant thread-locals and
// an atomic only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        Self::add(layout.size() as isize);
        // SAFETY: passed on to the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        Self::add(-(layout.size() as isize));
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

/// How many bytes all threads hold.
pub(crate) fn total_bytes() -> isize {
    TOTAL.load(Ordering::Relaxed)
}
