//! Page 0 of a block: the header that all pages share, over the addresses of the first slots.

use core::ptr;

use selvedge_sync::atomic::{AtomicBool, Ordering};
use selvedge_sync::cell::UnsafeCell;

use crate::block::Grown;
use crate::parent::Parent;
use crate::ready_word::ReadyWord;
use crate::ref_count::RefCount;

/// What is shared by the owner and all wakers.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Root {
    /// Which slots of page 0 were woken since the last snapshot.
    pub(crate) ready: ReadyWord,
    /// Holders of the block. Unused in a static one.
    pub(crate) refs: RefCount,
    /// Whom to wake.
    pub(crate) parent: Parent,
    /// Which pages (their number modulo the group) have something in their word. This one is among
    /// them if there are others.
    pub(crate) top: ReadyWord,
    /// Pages behind this one in the same block.
    pub(crate) pages: u32,
    /// Bytes before this page in the allocation.
    pub(crate) skew: u16,
    /// Whether this page has a flag in `top`: there are others.
    flagged: AtomicBool,
    /// The newest of the blocks added later, or null. Written by the owner.
    pub(crate) growth: UnsafeCell<*mut Grown>,
    /// Costs nothing in a build. In a model, reading it races with the release of the block if
    /// nothing orders the two.
    pub(crate) alive: UnsafeCell<()>,
}

impl Root {
    selvedge_sync::const_fn! {
        /// The root of a block with so many further pages, at so many bytes from its start.
        pub(crate) const fn new(pages: u32, skew: u16) -> Self {
            Self {
                ready: ReadyWord::new(),
                refs: RefCount::new(),
                parent: Parent::new(),
                top: ReadyWord::new(),
                pages,
                skew,
                flagged: AtomicBool::new(pages > 0),
                growth: UnsafeCell::new(ptr::null_mut()),
                alive: UnsafeCell::new(()),
            }
        }
    }

    /// For a waker that has made the edge of `ready`: whether the news goes to `top` first.
    #[inline]
    pub(crate) fn is_flagged(&self) -> bool {
        // Relaxed: who raises `ready` after the take in `Slots::flag_root` has acquired it, and sees the flag.
        self.flagged.load(Ordering::Relaxed)
    }

    /// The first pages behind this one have come.
    pub(crate) fn flag(&self) {
        // Relaxed: published by the take of `ready` that the owner does next.
        self.flagged.store(true, Ordering::Relaxed);
    }
}
