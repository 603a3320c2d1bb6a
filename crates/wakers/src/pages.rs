//! The owner's view of the pages behind the root.

use core::iter::StepBy;
use core::ops::RangeInclusive;
use core::ptr::NonNull;

use crate::block::Grown;
use crate::layout::{GROUP, PAGE, SLOTS, from_bit, slots_below};
use crate::owner_word::OwnerWord;
use crate::page::{Page, flag, group_head};
use crate::root::Root;

/// Pages `1..=count`. The owner's words in them: a page's bit in its group's word is set exactly
/// while the page's own word is not empty.
pub(crate) struct Pages {
    root: NonNull<Root>,
    count: usize,
}

impl Pages {
    /// A view of the pages.
    ///
    /// # Safety
    ///
    /// There are so many pages. The caller borrows their owner as long as it keeps the view, and
    /// exclusively if it calls anything that takes `&mut self`.
    #[inline]
    pub(crate) unsafe fn new(root: NonNull<Root>, count: usize) -> Self {
        Self { root, count }
    }

    fn root(&self) -> &Root {
        // SAFETY: alive while its owner is borrowed.
        unsafe { self.root.as_ref() }
    }

    /// The address of page `number`.
    #[inline]
    pub(crate) fn address(&self, number: usize) -> NonNull<Page> {
        debug_assert!(number >= 1 && number <= self.count);
        if number <= self.root().pages as usize {
            // SAFETY: the page lies in the root's block.
            unsafe { self.root.byte_add(number * PAGE) }.cast()
        } else {
            self.grown_address(number)
        }
    }

    /// The address of a page in a block that was added later. The newest block holds at least half
    /// of all pages.
    fn grown_address(&self, number: usize) -> NonNull<Page> {
        // SAFETY: only the owner writes the list, and the caller borrows it.
        let mut block = self.root().growth.with(|newest| unsafe { *newest });
        loop {
            let address: NonNull<Grown> = NonNull::new(block).expect("the page exists");
            // SAFETY: blocks live as long as the root, and their headers never change.
            let grown = unsafe { address.as_ref() };
            if number >= grown.first {
                // SAFETY: the page lies in this block, behind the header page.
                return unsafe { address.byte_add((number - grown.first + 1) * PAGE) }.cast();
            }
            block = grown.older;
        }
    }

    #[inline]
    fn page(&self, number: usize) -> &Page {
        // SAFETY: pages live as long as the root.
        unsafe { self.address(number).as_ref() }
    }

    fn groups(&self) -> StepBy<RangeInclusive<usize>> {
        (1..=self.count).step_by(GROUP)
    }

    /// Reads a word.
    #[inline]
    fn get(&self, word: impl FnOnce(&Self) -> &OwnerWord) -> usize {
        // SAFETY: the caller of `new` borrows the owner.
        unsafe { word(self).get() }
    }

    /// Changes a word of page `number`; gives what was there.
    #[inline]
    fn change(
        &mut self,
        number: usize,
        word: impl FnOnce(&Page) -> &OwnerWord,
        change: impl FnOnce(usize) -> usize,
    ) -> usize {
        let word = word(self.page(number));
        // SAFETY: the caller of `new` borrows the owner exclusively.
        let before = unsafe { word.get() };
        // SAFETY: as above.
        unsafe { word.replace(change(before)) }
    }

    /// Sets the page's slots in `taken`.
    fn put_taken(&mut self, number: usize, slots: usize) {
        self.change(number, |page| &page.taken, |taken| taken | slots);
        self.change(group_head(number), |page| &page.group_taken, |group| group | flag(number));
    }

    /// Sets the page's slots in `added`. Whether any of them was there.
    pub(crate) fn put_added(&mut self, number: usize, slots: usize) -> bool {
        let before = self.change(number, |page| &page.added, |added| added | slots);
        self.change(group_head(number), |page| &page.group_added, |group| group | flag(number));
        before & slots != 0
    }

    /// Drops the page's slots from `taken`. Whether any of them was there.
    #[inline]
    pub(crate) fn drop_taken(&mut self, number: usize, slots: usize) -> bool {
        let before = self.change(number, |page| &page.taken, |taken| taken & !slots);
        if before & !slots == 0 && before != 0 {
            self.change(
                group_head(number),
                |page| &page.group_taken,
                |group| group & !flag(number),
            );
        }
        before & slots != 0
    }

    /// Drops the page's slots from `added`. Whether any of them was there.
    pub(crate) fn drop_added(&mut self, number: usize, slots: usize) -> bool {
        let before = self.change(number, |page| &page.added, |added| added & !slots);
        if before & !slots == 0 && before != 0 {
            self.change(
                group_head(number),
                |page| &page.group_added,
                |group| group & !flag(number),
            );
        }
        before & slots != 0
    }

    /// Drops the page's slots from its ready word. Whether any of them was there.
    pub(crate) fn withdraw(&mut self, number: usize, slots: usize) -> bool {
        self.page(number).ready.withdraw(slots)
    }

    /// Completes the snapshot: what the owner set, then what was woken.
    pub(crate) fn collect(&mut self, len: usize) {
        for head in self.groups() {
            let mut group = self.change(head, |page| &page.group_added, |_| 0);
            while group != 0 {
                let number = head + group.trailing_zeros() as usize;
                group &= group - 1;
                let added = self.change(number, |page| &page.added, |_| 0);
                self.put_taken(number, added);
            }
        }
        let mut top = self.root().top.take();
        while top != 0 {
            let first = 1 + top.trailing_zeros() as usize;
            top &= top - 1;
            // Usually one page: every `GROUP`th has the same flag.
            for number in (first..=self.count).step_by(GROUP) {
                let woken = self.page(number).ready.take_flagged() & slots_below(len, number);
                if woken != 0 {
                    self.put_taken(number, woken);
                }
            }
        }
    }

    /// The first slot of the snapshot from `index` on, which lies behind the root.
    pub(crate) fn first_taken(&self, index: usize) -> Option<usize> {
        let number = index / SLOTS;
        if number > self.count {
            return None;
        }
        let here = self.get(|pages| &pages.page(number).taken) & from_bit(index % SLOTS);
        if here != 0 {
            return Some(number * SLOTS + here.trailing_zeros() as usize);
        }
        let own = group_head(number);
        let mut rest = from_bit(number - own + 1);
        for head in (own..=self.count).step_by(GROUP) {
            let group = self.get(|pages| &pages.page(head).group_taken) & rest;
            rest = !0;
            if group != 0 {
                let number = head + group.trailing_zeros() as usize;
                let taken = self.get(|pages| &pages.page(number).taken);
                return Some(number * SLOTS + taken.trailing_zeros() as usize);
            }
        }
        None
    }

    /// Whether something of the snapshot is left.
    pub(crate) fn any_taken(&self) -> bool {
        self.groups().any(|head| self.get(|pages| &pages.page(head).group_taken) != 0)
    }

    /// Whether any slot below `len` is ready.
    pub(crate) fn any_ready(&self, len: usize) -> bool {
        let added = |head| self.get(|pages: &Self| &pages.page(head).group_added) != 0;
        if self.any_taken() || self.groups().any(added) {
            return true;
        }
        let top = self.root().top.look();
        top != 0
            && (1..=self.count).any(|number| {
                top & flag(number) != 0
                    && self.page(number).ready.look() & slots_below(len, number) != 0
            })
    }

    /// Whether one slot is ready.
    pub(crate) fn is_ready(&self, number: usize, slot: usize) -> bool {
        let owned = self.get(|pages| &pages.page(number).taken)
            | self.get(|pages| &pages.page(number).added);
        owned & slot != 0 || self.page(number).ready.look() & slot != 0
    }
}
