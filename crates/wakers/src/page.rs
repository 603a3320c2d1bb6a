//! A page behind the root: its header, over the addresses of its slots.

use core::ptr::NonNull;

use crate::layout::GROUP;
use crate::owner_word::OwnerWord;
use crate::ready_word::ReadyWord;
use crate::root::Root;

/// Pages are numbered from 1, the root is page 0; slot `i` lies in page `i / SLOTS`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Page {
    /// Which slots were woken since the last snapshot.
    pub(crate) ready: ReadyWord,
    /// Where the news of a wake goes.
    pub(crate) root: NonNull<Root>,
    /// The bit of this page in `Root::top`.
    pub(crate) flag: usize,
    /// What the owner has noted about the slots, by `Note`.
    pub(crate) noted: [OwnerWord; 2],
    /// Which slots were part of this poll's snapshot. In the first group only, and if `Pages` says so.
    pub(crate) seen: OwnerWord,
    /// In the first page of each group but the first: which pages of it have something noted.
    pub(crate) group: [OwnerWord; 2],
}

/// What the owner notes about slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// What is left of the snapshot.
    Taken,
    /// What the owner set since the snapshot.
    Added,
}

impl Page {
    /// An idle page.
    pub(crate) fn new(root: NonNull<Root>, number: usize) -> Self {
        Self {
            ready: ReadyWord::new(),
            root,
            flag: flag(number),
            noted: [OwnerWord::new(), OwnerWord::new()],
            seen: OwnerWord::new(),
            group: [OwnerWord::new(), OwnerWord::new()],
        }
    }
}

/// The bit of page `number` in `Root::top` and in the words of its group.
#[inline]
pub(crate) const fn flag(number: usize) -> usize {
    1 << (number % GROUP)
}

/// The first page of the group to which page `number` belongs.
#[inline]
pub(crate) const fn group_head(number: usize) -> usize {
    number - number % GROUP
}
