//! The owner's hand on a block: the root, and the pages behind it.

use core::iter::StepBy;
use core::ops::RangeInclusive;
use core::ptr::NonNull;

use crate::block::Grown;
use crate::layout::{GROUP, PAGE, SLOTS, from_bit, slots_below};
use crate::owner_word::OwnerWord;
use crate::page::{Note, Page, flag, group_head};
use crate::root::Root;
use crate::shape::Shape;

/// Pages `1..=shape.pages`, and what the owner has noted about them. `&self` is a shared borrow of
/// the owner, `&mut self` an exclusive one.
#[derive(Debug)]
pub(crate) struct Pages {
    root: NonNull<Root>,
    /// Where something of the snapshot is left. If all pages are one group: in which of them, as in
    /// a group's word. Else: in how many.
    left: usize,
}

/// Whether all pages are one group, whose word for `Note::Taken` is the owner's own.
#[inline(always)]
fn one_group(shape: Shape) -> bool {
    shape.pages <= GROUP
}

/// Reads a word of the owner's.
#[inline(always)]
fn get(word: &OwnerWord) -> usize {
    // SAFETY: called under a borrow of the owner, from methods of `Pages`.
    unsafe { word.get() }
}

/// Writes a word of the owner's; gives what was there.
#[inline(always)]
fn replace(word: &OwnerWord, value: usize) -> usize {
    // SAFETY: called under an exclusive borrow of the owner, from methods of `Pages` with `&mut self`.
    unsafe { word.replace(value) }
}

impl Pages {
    /// The owner's hand on a block.
    ///
    /// # Safety
    ///
    /// No other owner uses the block, it is alive as long as this one is used, and every shape that
    /// is passed to the methods is right.
    #[inline]
    pub(crate) unsafe fn new(root: NonNull<Root>) -> Self {
        Self { root, left: 0 }
    }

    /// The block.
    #[inline]
    pub(crate) fn block(&self) -> NonNull<Root> {
        self.root
    }

    #[inline]
    pub(crate) fn root(&self) -> &Root {
        // SAFETY: alive as long as this owner is used.
        unsafe { self.root.as_ref() }
    }

    /// The address of page `number`.
    #[inline]
    pub(crate) fn address(&self, shape: Shape, number: usize) -> NonNull<Page> {
        debug_assert!(number >= 1 && number <= shape.pages);
        if !shape.grown || number <= self.root().pages as usize {
            // SAFETY: the page lies in the root's block.
            unsafe { self.root.byte_add(number * PAGE) }.cast()
        } else {
            self.grown_address(number)
        }
    }

    /// The address of a page in a block that was added later. The newest block holds at least half
    /// of all pages.
    fn grown_address(&self, number: usize) -> NonNull<Page> {
        // SAFETY: only the owner writes the list, and it is borrowed.
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

    /// Page `number`. The lifetime is not that of `self`, so that `self` can change meanwhile;
    /// callers use it for less long than the owner is borrowed.
    #[inline]
    fn page<'a>(&self, shape: Shape, number: usize) -> &'a Page {
        // SAFETY: pages live as long as the root.
        unsafe { self.address(shape, number).as_ref() }
    }

    fn groups(shape: Shape) -> StepBy<RangeInclusive<usize>> {
        (1..=shape.pages).step_by(GROUP)
    }

    /// The word that says which pages of this one's group have something noted.
    #[inline(always)]
    fn group<'a>(&self, shape: Shape, note: Note, number: usize) -> &'a OwnerWord {
        &self.page(shape, group_head(number)).group[note as usize]
    }

    /// Enters a page in its group's word.
    #[inline]
    fn enter(&mut self, shape: Shape, note: Note, number: usize) {
        if note == Note::Taken {
            if one_group(shape) {
                self.left |= flag(number);
                return;
            }
            self.left += 1;
        }
        let group = self.group(shape, note, number);
        replace(group, get(group) | flag(number));
    }

    /// Takes a page out of its group's word.
    #[inline]
    fn strike(&mut self, shape: Shape, note: Note, number: usize) {
        if note == Note::Taken {
            if one_group(shape) {
                self.left &= !flag(number);
                return;
            }
            self.left -= 1;
        }
        let group = self.group(shape, note, number);
        replace(group, get(group) & !flag(number));
    }

    /// Notes the page's slots, of which there is at least one.
    #[inline]
    pub(crate) fn put(&mut self, shape: Shape, note: Note, number: usize, slots: usize) {
        let word = &self.page(shape, number).noted[note as usize];
        let before = replace(word, get(word) | slots);
        if before == 0 {
            self.enter(shape, note, number);
        }
    }

    /// Drops the page's slots from those noted. Whether any of them was there.
    pub(crate) fn erase(&mut self, shape: Shape, note: Note, number: usize, slots: usize) -> bool {
        let word = &self.page(shape, number).noted[note as usize];
        let before = get(word);
        if before & slots == 0 {
            return false;
        }
        replace(word, before & !slots);
        if before & !slots == 0 {
            self.strike(shape, note, number);
        }
        true
    }

    /// The array has got its second group: what the owner had of the first one goes where those of all
    /// groups are.
    #[cold]
    pub(crate) fn leave_one_group(&mut self, shape: Shape) {
        replace(self.group(shape, Note::Taken, 1), self.left);
        self.left = self.left.count_ones() as usize;
    }

    /// Drops the page's slots from its ready word. Whether any of them was there.
    pub(crate) fn withdraw(&mut self, shape: Shape, number: usize, slots: usize) -> bool {
        self.page(shape, number).ready.withdraw(slots)
    }

    /// Completes the snapshot: what the owner set, then what was woken.
    #[inline(never)]
    pub(crate) fn collect(&mut self, shape: Shape) {
        let mut head = 1;
        while head <= shape.pages {
            let group = self.group(shape, Note::Added, head);
            let mut added = get(group);
            if added != 0 {
                replace(group, 0);
            }
            while added != 0 {
                let number = head + added.trailing_zeros() as usize;
                added &= added - 1;
                let word = &self.page(shape, number).noted[Note::Added as usize];
                self.put(shape, Note::Taken, number, replace(word, 0));
            }
            head += GROUP;
        }
        let mut top = self.root().top.take();
        while top != 0 {
            let first = 1 + top.trailing_zeros() as usize;
            top &= top - 1;
            // Usually one page: every `GROUP`th has the same flag.
            let mut number = first;
            while number <= shape.pages {
                let page = self.page(shape, number);
                let woken = page.ready.take_flagged() & slots_below(shape.len, number);
                if woken != 0 {
                    self.put(shape, Note::Taken, number, woken);
                }
                number += GROUP;
            }
        }
    }

    /// Pops the first slot of the snapshot from `index` on, of those behind the root.
    #[inline]
    pub(crate) fn pop_taken(&mut self, shape: Shape, index: usize) -> Option<usize> {
        let first = index / SLOTS;
        if !one_group(shape) {
            return self.pop_from_groups(shape, index);
        }
        let group = self.left & from_bit(first - 1);
        self.pop_from_group(shape, 1, group, index)
    }

    /// Pops the first slot of the snapshot from `index` on, of pages of a group.
    #[inline]
    fn pop_from_group(
        &mut self,
        shape: Shape,
        head: usize,
        mut group: usize,
        index: usize,
    ) -> Option<usize> {
        while group != 0 {
            let number = head + group.trailing_zeros() as usize;
            let word = &self.page(shape, number).noted[Note::Taken as usize];
            let slots = get(word);
            let here = if number == index / SLOTS { slots & !0 << (index % SLOTS) } else { slots };
            if here != 0 {
                let rest = slots & !(here & here.wrapping_neg());
                replace(word, rest);
                if rest == 0 {
                    self.strike(shape, Note::Taken, number);
                }
                return Some(number * SLOTS + here.trailing_zeros() as usize);
            }
            group &= group - 1;
        }
        None
    }

    #[inline(never)]
    fn pop_from_groups(&mut self, shape: Shape, index: usize) -> Option<usize> {
        let first = index / SLOTS;
        if first > shape.pages {
            return None;
        }
        let mut head = group_head(first);
        let mut pages = from_bit(first - head);
        while head <= shape.pages {
            let group = get(self.group(shape, Note::Taken, head)) & pages;
            if let Some(index) = self.pop_from_group(shape, head, group, index) {
                return Some(index);
            }
            head += GROUP;
            pages = !0;
        }
        None
    }

    /// Whether something of the snapshot is left.
    #[inline(always)]
    pub(crate) fn any_taken(&self) -> bool {
        self.left != 0
    }

    /// Whether any slot is ready.
    pub(crate) fn any_ready(&self, shape: Shape) -> bool {
        let added = |head| get(self.group(shape, Note::Added, head)) != 0;
        if self.any_taken() || Self::groups(shape).any(added) {
            return true;
        }
        let top = self.root().top.look();
        top != 0
            && (1..=shape.pages).any(|number| {
                top & flag(number) != 0
                    && self.page(shape, number).ready.look() & slots_below(shape.len, number) != 0
            })
    }

    /// Whether one slot is ready.
    pub(crate) fn is_ready(&self, shape: Shape, number: usize, slot: usize) -> bool {
        let page = self.page(shape, number);
        page.noted.iter().any(|word| get(word) & slot != 0) || page.ready.look() & slot != 0
    }
}
