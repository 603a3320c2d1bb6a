//! Sizes of pages, and the numbers that follow from them.

use core::mem::size_of;

use crate::page::Page;
use crate::root::Root;

/// Slots of one page, and bits in use of its ready word.
pub(crate) const SLOTS: usize = if selvedge_sync::MODELLED { 2 } else { usize::BITS as usize };

/// Bits in use of the word that says which pages have something ready.
pub(crate) const GROUP: usize = if selvedge_sync::MODELLED { 2 } else { usize::BITS as usize };

/// Size of a page: room for either header and for an address per slot. A page is aligned to
/// `SLOTS`, so that the low bits of a slot's address are the slot.
pub(crate) const PAGE: usize = {
    let mut size = SLOTS;
    if size_of::<Root>() > size {
        size = size_of::<Root>();
    }
    if size_of::<Page>() > size {
        size = size_of::<Page>();
    }
    size.next_multiple_of(64)
};

/// Every slot of a page.
pub(crate) const ALL: usize = if SLOTS < usize::BITS as usize { (1 << SLOTS) - 1 } else { !0 };

/// Pages beyond the root that `len` slots need.
pub(crate) const fn pages_for(len: usize) -> usize {
    if len <= SLOTS { 0 } else { (len - 1) / SLOTS }
}

/// The slots of page `number` that lie below `len`.
#[inline(always)]
pub(crate) const fn slots_below(len: usize, number: usize) -> usize {
    let here = len.saturating_sub(number * SLOTS);
    if here >= SLOTS { ALL } else { (1 << here) - 1 }
}

/// The bits from `bit` on; none where `bit` lies behind the word.
#[inline(always)]
pub(crate) const fn from_bit(bit: usize) -> usize {
    if bit >= usize::BITS as usize { 0 } else { !0 << bit }
}
