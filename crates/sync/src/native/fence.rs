//! Sequentially consistent fences, at the price that the processor asks.

use core::sync::atomic::Ordering;
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use core::sync::atomic::fence;

/// A sequentially consistent fence: of two threads that each write one thing, fence, and read what
/// the other wrote, one at least sees the other's write.
///
/// On x86 a locked instruction on the own stack, which orders everything that `mfence` orders for
/// ordinary memory, in a third of its time.
#[inline(always)]
pub fn full_fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut place = 0_usize;
        let place = &raw mut place;
        // SAFETY: `place` is a live word of this frame. Without `nomem` the compiler keeps memory
        // accesses on their side of the instruction.
        unsafe {
            core::arch::asm!(
                "lock not qword ptr [{place}]",
                place = in(reg) place,
                options(nostack, preserves_flags)
            );
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // ORDERING: SeqCst, with the fence of whichever thread reads what was written before.
    fence(Ordering::SeqCst);
}

/// [`full_fence`] right after a read-modify-write of this thread, whatever its ordering.
///
/// Free of charge on x86, where that instruction was a full fence already; the compiler is all that is
/// held back.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(miri)),
    expect(clippy::disallowed_methods, reason = "the model's side of this is a real fence")
)]
pub fn full_fence_after_rmw() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // ORDERING: SeqCst for the compiler, with the fence of whichever thread reads what was written before.
    core::sync::atomic::compiler_fence(Ordering::SeqCst);
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // ORDERING: SeqCst, with the fence of whichever thread reads what was written before.
    fence(Ordering::SeqCst);
}
