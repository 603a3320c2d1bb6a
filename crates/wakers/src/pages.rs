//! The owner's hand on a block: the root, and the pages behind it.

use core::iter::StepBy;
use core::ops::RangeInclusive;
use core::ptr::NonNull;

use crate::block::Grown;
use crate::layout::{GROUP, PAGE, SLOTS, from_bit, slots_below};
use crate::owner_word::OwnerWord;
use crate::page::{Page, flag, group_head};
use crate::root::Root;
use crate::shape::Shape;

/// Pages `1..=shape.pages`, and what the owner has noted about them. `&self` is a shared borrow of
/// the owner, `&mut self` an exclusive one.
///
/// A page's bit in its group's word is set exactly while the page's own word is not empty.
#[derive(Debug)]
pub(crate) struct Pages {
    root: NonNull<Root>,
    /// Pages of which something is left in the snapshot.
    left: u32,
    /// Whether the owner may have set slots of pages since the snapshot.
    added: bool,
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
        Self { root, left: 0, added: false }
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

    /// Sets the page's slots in `taken`.
    #[inline]
    fn put_taken(&mut self, shape: Shape, number: usize, slots: usize) {
        let page = self.page(shape, number);
        let before = get(&page.taken);
        replace(&page.taken, before | slots);
        if before == 0 {
            self.left += 1;
            let group = &self.page(shape, group_head(number)).group_taken;
            replace(group, get(group) | flag(number));
        }
    }

    /// Drops the page's slots from `taken`. Whether any of them was there.
    #[inline]
    pub(crate) fn drop_taken(&mut self, shape: Shape, number: usize, slots: usize) -> bool {
        let page = self.page(shape, number);
        let before = get(&page.taken);
        if before & slots == 0 {
            return false;
        }
        replace(&page.taken, before & !slots);
        if before & !slots == 0 {
            self.left -= 1;
            let group = &self.page(shape, group_head(number)).group_taken;
            replace(group, get(group) & !flag(number));
        }
        true
    }

    /// Sets the page's slots in `added`.
    pub(crate) fn put_added(&mut self, shape: Shape, number: usize, slots: usize) {
        let page = self.page(shape, number);
        let before = replace(&page.added, get(&page.added) | slots);
        if before == 0 {
            self.added = true;
            let group = &self.page(shape, group_head(number)).group_added;
            replace(group, get(group) | flag(number));
        }
    }

    /// Drops the page's slots from `added`. Whether any of them was there.
    pub(crate) fn drop_added(&mut self, shape: Shape, number: usize, slots: usize) -> bool {
        let page = self.page(shape, number);
        let before = get(&page.added);
        if before & slots == 0 {
            return false;
        }
        replace(&page.added, before & !slots);
        if before & !slots == 0 {
            let group = &self.page(shape, group_head(number)).group_added;
            replace(group, get(group) & !flag(number));
        }
        true
    }

    /// Drops the page's slots from its ready word. Whether any of them was there.
    pub(crate) fn withdraw(&mut self, shape: Shape, number: usize, slots: usize) -> bool {
        self.page(shape, number).ready.withdraw(slots)
    }

    /// Completes the snapshot: what the owner set, then what was woken.
    #[inline(never)]
    pub(crate) fn collect(&mut self, shape: Shape) {
        if self.added {
            self.collect_added(shape);
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
                    self.put_taken(shape, number, woken);
                }
                number += GROUP;
            }
        }
    }

    fn collect_added(&mut self, shape: Shape) {
        self.added = false;
        for head in Self::groups(shape) {
            let mut group = replace(&self.page(shape, head).group_added, 0);
            while group != 0 {
                let number = head + group.trailing_zeros() as usize;
                group &= group - 1;
                let added = replace(&self.page(shape, number).added, 0);
                self.put_taken(shape, number, added);
            }
        }
    }

    /// Pops the first slot of the snapshot from `index` on, of those behind the root.
    #[inline]
    pub(crate) fn pop_taken(&mut self, shape: Shape, index: usize) -> Option<usize> {
        let first = index / SLOTS;
        if first > shape.pages {
            return None;
        }
        let mut head = group_head(first);
        let mut group = get(&self.page(shape, head).group_taken) & from_bit(first - head);
        loop {
            while group != 0 {
                let number = head + group.trailing_zeros() as usize;
                let mut slots = get(&self.page(shape, number).taken);
                if number == first {
                    slots &= from_bit(index % SLOTS);
                }
                if slots != 0 {
                    self.drop_taken(shape, number, slots & slots.wrapping_neg());
                    return Some(number * SLOTS + slots.trailing_zeros() as usize);
                }
                group &= group - 1;
            }
            head += GROUP;
            if head > shape.pages {
                return None;
            }
            group = get(&self.page(shape, head).group_taken);
        }
    }

    /// Whether something of the snapshot is left.
    #[inline]
    pub(crate) fn any_taken(&self) -> bool {
        self.left != 0
    }

    /// Whether any slot is ready.
    pub(crate) fn any_ready(&self, shape: Shape) -> bool {
        let added = |head| get(&self.page(shape, head).group_added) != 0;
        if self.any_taken() || self.added && Self::groups(shape).any(added) {
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
        (get(&page.taken) | get(&page.added)) & slot != 0 || page.ready.look() & slot != 0
    }
}
