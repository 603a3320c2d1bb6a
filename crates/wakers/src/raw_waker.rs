//! The wakers of slots: a data pointer that is a slot's address, and four vtables.

use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};

use crate::block;
use crate::layout::SLOTS;
use crate::page::{Page, flag};
use crate::ready_word::Raised;
use crate::root::Root;

// Statics, and not promoted constants of generic functions: `will_wake` compares addresses.
static ROOT: RawWakerVTable = vtable::<false, true>();
static PAGES: RawWakerVTable = vtable::<true, true>();
static STATIC_ROOT: RawWakerVTable = vtable::<false, false>();
static STATIC_PAGES: RawWakerVTable = vtable::<true, false>();

/// Functions for slots behind the root page (`FURTHER`) and of blocks with a count (`COUNTED`).
const fn vtable<const FURTHER: bool, const COUNTED: bool>() -> RawWakerVTable {
    RawWakerVTable::new(
        clone::<FURTHER, COUNTED>,
        wake::<FURTHER, COUNTED>,
        wake_by_ref::<FURTHER>,
        drop::<FURTHER, COUNTED>,
    )
}

/// The one vtable of its kind.
#[inline(always)]
pub(crate) fn vtable_of(further: bool, counted: bool) -> &'static RawWakerVTable {
    match (further, counted) {
        (false, true) => &ROOT,
        (true, true) => &PAGES,
        (false, false) => &STATIC_ROOT,
        (true, false) => &STATIC_PAGES,
    }
}

/// The page of a slot's address, with the provenance of the whole block.
#[inline(always)]
fn page_of(slot: *const ()) -> *const () {
    slot.map_addr(|address| address & !(SLOTS - 1))
}

/// The root of the slot's block.
///
/// # Safety
///
/// `slot` is a slot's address in a live block, and `FURTHER` says whether it lies behind the root.
#[inline(always)]
unsafe fn root_of<const FURTHER: bool>(slot: *const ()) -> NonNull<Root> {
    let page = page_of(slot).cast_mut();
    if FURTHER {
        // SAFETY: the page is alive, and its pointer to the root never changes.
        unsafe { (*page.cast::<Page>()).root }
    } else {
        // SAFETY: a block does not lie at address zero.
        unsafe { NonNull::new_unchecked(page.cast()) }
    }
}

/// Wakes a slot whose kind is known at run time only.
///
/// # Safety
///
/// As for [`root_of`], where `further` says whether the slot lies behind the root.
pub(crate) unsafe fn wake_slot(slot: *const (), further: bool) {
    if further {
        // SAFETY: passed on.
        unsafe { wake_by_ref::<true>(slot) };
    } else {
        // SAFETY: passed on.
        unsafe { wake_by_ref::<false>(slot) };
    }
}

/// Marks the slot ready. If the array leaves idle, gives the parent to wake.
///
/// # Safety
///
/// As for [`root_of`].
#[inline(always)]
unsafe fn raise<const FURTHER: bool>(slot: *const ()) -> Option<Waker> {
    let bit = 1 << (slot.addr() & (SLOTS - 1));
    // SAFETY: passed on.
    let root = unsafe { root_of::<FURTHER>(slot) };
    // SAFETY: the block is alive until the caller gives its reference back.
    let root = unsafe { root.as_ref() };
    root.alive.with(|_| ());
    let raised = if FURTHER {
        // SAFETY: the page is alive.
        let page = unsafe { &*page_of(slot).cast::<Page>() };
        if cfg!(selvedge_mutant = "page_flagged_first") {
            let raised = root.top.raise(page.flag);
            let _ = page.ready.raise(bit);
            raised
        } else {
            match page.ready.raise(bit) {
                Raised::Edge if cfg!(selvedge_mutant = "page_not_flagged") => Raised::Edge,
                Raised::Edge => root.top.raise(page.flag),
                Raised::Following => Raised::Following,
            }
        }
    } else {
        match root.ready.raise(bit) {
            Raised::Edge if cfg!(selvedge_mutant = "root_not_flagged") => Raised::Edge,
            Raised::Edge if root.is_flagged() => root.top.raise(flag(0)),
            raised => raised,
        }
    };
    match raised {
        Raised::Edge if cfg!(selvedge_mutant = "edge_not_told") => None,
        Raised::Edge => root.parent.take(),
        Raised::Following => None,
    }
}

/// # Safety
///
/// As for [`root_of`].
unsafe fn clone<const FURTHER: bool, const COUNTED: bool>(slot: *const ()) -> RawWaker {
    if COUNTED {
        // SAFETY: passed on.
        let root = unsafe { root_of::<FURTHER>(slot) };
        // SAFETY: the caller's waker keeps the block alive.
        let root = unsafe { root.as_ref() };
        root.alive.with(|_| ());
        root.refs.acquire();
    }
    RawWaker::new(slot, vtable_of(FURTHER, COUNTED))
}

/// # Safety
///
/// As for [`root_of`]; the caller gives up its reference.
unsafe fn wake<const FURTHER: bool, const COUNTED: bool>(slot: *const ()) {
    if cfg!(selvedge_mutant = "reference_given_back_first") {
        // SAFETY: none; this is what the mutant gets wrong.
        unsafe { drop::<FURTHER, COUNTED>(slot) };
        // SAFETY: as above.
        unsafe { raise::<FURTHER>(slot) };
        return;
    }
    // SAFETY: passed on.
    let parent = unsafe { raise::<FURTHER>(slot) };
    // Before the parent's own code, which may panic, or take long.
    // SAFETY: passed on.
    unsafe { drop::<FURTHER, COUNTED>(slot) };
    if let Some(parent) = parent {
        parent.wake();
    }
}

/// # Safety
///
/// As for [`root_of`].
unsafe fn wake_by_ref<const FURTHER: bool>(slot: *const ()) {
    // SAFETY: passed on.
    if let Some(parent) = unsafe { raise::<FURTHER>(slot) } {
        parent.wake();
    }
}

/// # Safety
///
/// As for [`root_of`]; the caller gives up its reference.
unsafe fn drop<const FURTHER: bool, const COUNTED: bool>(slot: *const ()) {
    if COUNTED {
        // SAFETY: passed on.
        let root = unsafe { root_of::<FURTHER>(slot) };
        // SAFETY: passed on.
        unsafe { block::release(root) };
    }
}
