//! A page behind the root: its header, over the addresses of its slots.

use core::ptr::NonNull;

use crate::layout::GROUP;
use crate::owner_word::OwnerWord;
use crate::ready_word::ReadyWord;
use crate::root::Root;

/// Pages are numbered from 1; slot `i` lies in page `i / SLOTS`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Page {
    /// Which slots were woken since the last snapshot.
    pub(crate) ready: ReadyWord,
    /// Where the news of a wake goes.
    pub(crate) root: NonNull<Root>,
    /// The bit of this page in `Root::top`.
    pub(crate) flag: usize,
    /// What is left of the snapshot.
    pub(crate) taken: OwnerWord,
    /// What the owner set since the snapshot.
    pub(crate) added: OwnerWord,
    /// In the first page of each group: which pages of it have something in `taken`.
    pub(crate) group_taken: OwnerWord,
    /// The same for `added`.
    pub(crate) group_added: OwnerWord,
}

impl Page {
    /// An idle page.
    pub(crate) fn new(root: NonNull<Root>, number: usize) -> Self {
        Self {
            ready: ReadyWord::new(),
            root,
            flag: flag(number),
            taken: OwnerWord::new(),
            added: OwnerWord::new(),
            group_taken: OwnerWord::new(),
            group_added: OwnerWord::new(),
        }
    }
}

/// The bit of page `number` in `Root::top` and in the words of its group.
#[inline]
pub(crate) const fn flag(number: usize) -> usize {
    1 << ((number - 1) % GROUP)
}

/// The first page of the group to which page `number` belongs.
#[inline]
pub(crate) const fn group_head(number: usize) -> usize {
    number - (number - 1) % GROUP
}
