//! Memory of heap blocks: made, added to, released.

use core::ptr::{self, NonNull};

use selvedge_sync::memory::{Layout, alloc, dealloc};

use crate::layout::{PAGE, SLOTS};
use crate::page::Page;
use crate::ref_count::Released;
use crate::root::Root;

/// Header of a block that was added later; takes a page of its own, in front of its pages.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Grown {
    /// The block added before this one, or null.
    pub(crate) older: *mut Grown,
    /// Number of the first page.
    pub(crate) first: usize,
    pages: u32,
    skew: u16,
}

/// What every allocator gives at the price of an ordinary allocation.
const ALIGN: usize = 16;

/// The request for a header page and `pages` more, with bytes to spare for the alignment.
fn layout(pages: usize) -> Layout {
    pages
        .checked_add(1)
        .and_then(|pages| pages.checked_mul(PAGE))
        .and_then(|size| size.checked_add(SLOTS.saturating_sub(ALIGN)))
        .and_then(|size| Layout::from_size_align(size, ALIGN).ok())
        .filter(|_| u32::try_from(pages).is_ok())
        .expect("more wakers than the address space holds")
}

/// Memory for a header page and `pages` more, aligned for one, and the bytes left out before it.
fn allocate(pages: usize) -> (NonNull<u8>, u16) {
    let layout = layout(pages);
    // SAFETY: the size is at least that of a page.
    let start = unsafe { alloc(layout) };
    let Some(start) = NonNull::new(start) else {
        alloc::alloc::handle_alloc_error(layout);
    };
    // By hand: see "Rejected designs".
    let skew = start.addr().get().wrapping_neg() % SLOTS;
    // SAFETY: both are multiples of `ALIGN`, so the skew is at most the bytes to spare.
    (unsafe { start.byte_add(skew) }, skew as u16)
}

/// A block with `pages` further pages, nothing ready, one reference.
pub(crate) fn new(pages: usize) -> NonNull<Root> {
    let (memory, skew) = allocate(pages);
    let root = memory.cast::<Root>();
    // SAFETY: the memory is a page, aligned, and nobody else's.
    unsafe { root.write(Root::new(pages as u32, skew)) };
    // SAFETY: so many pages lie behind the root.
    unsafe { write_pages(root.cast(), root, 1, pages) };
    root
}

/// Adds a block of pages, whose numbers start at `first`.
///
/// # Safety
///
/// The caller borrows the owner exclusively, and `first` follows the pages that are there.
pub(crate) unsafe fn grow(root: NonNull<Root>, first: usize, pages: usize) {
    let (memory, skew) = allocate(pages);
    let grown = memory.cast::<Grown>();
    // SAFETY: so many pages lie behind the header.
    unsafe { write_pages(grown.cast(), root, first, pages) };
    // SAFETY: the root is alive while its owner is.
    let root = unsafe { root.as_ref() };
    root.growth.with_mut(|newest| {
        // SAFETY: only the owner, exclusively borrowed, touches the list.
        let older = unsafe { newest.replace(grown.as_ptr()) };
        // SAFETY: the memory is a page, aligned, and nobody else's.
        unsafe { grown.write(Grown { older, first, pages: pages as u32, skew }) };
    });
}

/// Writes the headers of pages `first..` behind a header page.
///
/// # Safety
///
/// The memory behind `header` holds so many pages, and nobody else's.
pub(crate) unsafe fn write_pages(
    header: NonNull<()>,
    root: NonNull<Root>,
    first: usize,
    pages: usize,
) {
    for index in 0..pages {
        // SAFETY: the page lies in the block.
        let page = unsafe { header.byte_add((index + 1) * PAGE) }.cast::<Page>();
        // SAFETY: the memory is a page, aligned, and nobody else's.
        unsafe { page.write(Page::new(root, first + index)) };
    }
}

/// Gives a reference back, and releases the block if it was the last.
///
/// # Safety
///
/// The caller holds a reference and does not use it again.
#[inline]
pub(crate) unsafe fn release(root: NonNull<Root>) {
    // SAFETY: alive until the reference is given back. The borrow ends with the call.
    let released = unsafe { root.as_ref() }.refs.release();
    if released == Released::Last {
        // SAFETY: nobody else holds the block.
        unsafe { free(root) };
    }
}

/// Gives the owner's reference back. Without a read-modify-write where no clone is left.
///
/// # Safety
///
/// As for [`release`]; the caller is the owner.
#[inline]
pub(crate) unsafe fn release_owner(root: NonNull<Root>) {
    // SAFETY: alive until the reference is given back.
    if unsafe { root.as_ref() }.refs.is_sole() {
        // SAFETY: nobody else holds the block, and only holders make new ones.
        unsafe { free(root) };
    } else {
        // SAFETY: passed on.
        unsafe { release(root) };
    }
}

/// # Safety
///
/// Nobody holds the block.
unsafe fn free(root: NonNull<Root>) {
    // SAFETY: the memory is there until the end of this function.
    let header = unsafe { root.as_ref() };
    header.alive.with_mut(|_| ());
    let (pages, skew) = (header.pages, header.skew);
    // SAFETY: nobody else is left to touch the list.
    let mut grown = header.growth.with(|newest| unsafe { *newest });
    while !grown.is_null() {
        // SAFETY: blocks of the list are alive until released here, once each.
        let Grown { older, pages, skew, .. } = unsafe { ptr::read(grown) };
        // SAFETY: as above.
        unsafe { deallocate(grown.cast(), pages, skew) };
        grown = older;
    }
    // SAFETY: nobody holds the block.
    unsafe { deallocate(root.as_ptr().cast(), pages, skew) };
}

/// # Safety
///
/// `header` comes from [`allocate`] with so many pages and that skew.
unsafe fn deallocate(header: *mut u8, pages: u32, skew: u16) {
    // SAFETY: the allocation starts so many bytes before.
    let start = unsafe { header.byte_sub(skew as usize) };
    // SAFETY: passed on; the layout is the one it was made with.
    unsafe { dealloc(start, layout(pages as usize)) };
}
