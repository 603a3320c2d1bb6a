//! The owner's hand on a block: the root, and the pages behind it.

use core::ptr::NonNull;

use crate::block::Grown;
use crate::layout::{GROUP, PAGE, SLOTS, from_bit, slots_below};
use crate::owner_word::OwnerWord;
use crate::page::{Note, Page, flag, group_head};
use crate::root::Root;
use crate::shape::Shape;

/// Pages `1..=shape.pages`, and what the owner has noted about them. `&self` is a shared borrow of
/// the owner, `&mut self` an exclusive one.
///
/// The first group is pages `1..GROUP`; what it has noted is said here, and of the other groups how
/// many of their pages have something.
#[derive(Debug)]
pub(crate) struct Pages {
    root: NonNull<Root>,
    /// By `Note`: the pages of the first group that have something noted.
    near: [usize; 2],
    /// By `Note`: how many pages of the other groups have something noted.
    pub(crate) far: [u32; 2],
    /// The pages of the first group that were part of this poll's snapshot: where `Page::seen` counts.
    seen: usize,
}

/// Whether page `number` is one of the first group.
#[inline(always)]
fn is_near(number: usize) -> bool {
    number < GROUP
}

/// Reads a word of the owner's.
#[inline(always)]
pub(crate) fn get(word: &OwnerWord) -> usize {
    // SAFETY: called under a borrow of the owner, from methods of `Pages`.
    unsafe { word.get() }
}

/// Writes a word of the owner's; gives what was there.
#[inline(always)]
pub(crate) fn replace(word: &OwnerWord, value: usize) -> usize {
    // SAFETY: called under an exclusive borrow of the owner, from methods of `Pages` with `&mut self`.
    unsafe { word.replace(value) }
}

/// Takes the lowest bit out of a set.
#[inline(always)]
pub(crate) fn pop(set: &mut usize) -> Option<usize> {
    let bit = (*set != 0).then(|| set.trailing_zeros() as usize)?;
    *set &= *set - 1;
    Some(bit)
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
        Self { root, near: [0; 2], far: [0; 2], seen: 0 }
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
    #[inline(always)]
    pub(crate) fn page<'a>(&self, shape: Shape, number: usize) -> &'a Page {
        // SAFETY: pages live as long as the root.
        unsafe { self.address(shape, number).as_ref() }
    }

    /// The word that says which pages of this one's group, not the first, have something noted.
    #[inline]
    pub(crate) fn group<'a>(&self, shape: Shape, note: Note, number: usize) -> &'a OwnerWord {
        &self.page(shape, group_head(number)).group[note as usize]
    }

    /// Says that a page has something noted.
    #[inline(always)]
    fn enter(&mut self, shape: Shape, note: Note, number: usize) {
        if is_near(number) {
            self.near[note as usize] |= flag(number);
        } else {
            self.far[note as usize] += 1;
            let group = self.group(shape, note, number);
            replace(group, get(group) | flag(number));
        }
    }

    /// Says that a page has nothing noted any more.
    #[inline(always)]
    fn strike(&mut self, shape: Shape, note: Note, number: usize) {
        if is_near(number) {
            self.near[note as usize] &= !flag(number);
        } else {
            self.far[note as usize] -= 1;
            let group = self.group(shape, note, number);
            replace(group, get(group) & !flag(number));
        }
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

    /// Drops the page's slots from its ready word. Whether any of them was there.
    pub(crate) fn withdraw(&mut self, shape: Shape, number: usize, slots: usize) -> bool {
        self.page(shape, number).ready.withdraw(slots)
    }

    /// A new poll, whose snapshot is what is left.
    #[inline(never)]
    pub(crate) fn restart(&mut self, shape: Shape) {
        self.seen = self.near[Note::Taken as usize];
        let mut left = self.seen;
        while let Some(number) = pop(&mut left) {
            let page = self.page(shape, number);
            replace(&page.seen, get(&page.noted[Note::Taken as usize]));
        }
    }

    /// A new poll, with nothing in the snapshot.
    #[inline(always)]
    pub(crate) fn start(&mut self) {
        self.seen = 0;
    }

    /// Adds slots, at least one, to the snapshot. `page` is page `number`.
    #[inline(always)]
    pub(crate) fn take_in(&mut self, shape: Shape, page: &Page, number: usize, slots: usize) {
        let taken = &page.noted[Note::Taken as usize];
        if !is_near(number) {
            return self.put(shape, Note::Taken, number, slots);
        }
        if self.seen & flag(number) == 0 {
            // No part of the snapshot yet: nothing is taken either.
            replace(taken, slots);
            replace(&page.seen, slots);
            self.seen |= flag(number);
        } else {
            replace(taken, get(taken) | slots);
            replace(&page.seen, get(&page.seen) | slots);
        }
        self.near[Note::Taken as usize] |= flag(number);
    }

    /// Puts what the owner set into the snapshot.
    #[inline(never)]
    pub(crate) fn collect_added(&mut self, shape: Shape) {
        let mut near = core::mem::take(&mut self.near[Note::Added as usize]);
        while let Some(number) = pop(&mut near) {
            let page = self.page(shape, number);
            let added = replace(&page.noted[Note::Added as usize], 0);
            self.take_in(shape, page, number, added);
        }
        if self.far[Note::Added as usize] > 0 {
            self.collect_far_added(shape);
        }
    }

    /// Gives what was woken behind the root, page by page, to `each`; where it found something in `top`.
    #[inline(always)]
    pub(crate) fn take_woken(
        &mut self,
        shape: Shape,
        mut flags: usize,
        mut each: impl FnMut(&mut Self, &Page, usize, usize),
    ) {
        while let Some(bit) = pop(&mut flags) {
            // Usually one page: every `GROUP`th has the same flag, and page 0 is the root.
            let mut number = if bit == 0 { GROUP } else { bit };
            while number <= shape.pages {
                let page = self.page(shape, number);
                let woken = page.ready.take_flagged() & slots_below(shape.len, number);
                if woken != 0 {
                    each(self, page, number, woken);
                }
                if shape.pages < GROUP {
                    break;
                }
                number += GROUP;
            }
        }
    }

    /// Sorts what was woken on a page in the middle of a poll. Whether any of it belongs to this poll.
    #[inline]
    pub(crate) fn put_late(
        &mut self,
        shape: Shape,
        page: &Page,
        number: usize,
        woken: usize,
    ) -> bool {
        let seen = if !is_near(number) {
            // Not noted for other groups: all of it is for the next poll.
            !0
        } else if self.seen & flag(number) != 0 {
            get(&page.seen)
        } else {
            0
        };
        let (fresh, again) = (woken & !seen, woken & seen);
        if fresh != 0 {
            self.take_in(shape, page, number, fresh);
        }
        let again = again & !get(&page.noted[Note::Taken as usize]);
        if again != 0 {
            self.put(shape, Note::Added, number, again);
        }
        fresh != 0
    }

    /// The one page that has some of the snapshot left, if it is one, and of the first group.
    #[inline(always)]
    pub(crate) fn single(&self, shape: Shape) -> Option<usize> {
        let near = self.near[Note::Taken as usize];
        let one = near.is_power_of_two() && !self.any_far_taken(shape);
        one.then(|| near.trailing_zeros() as usize)
    }

    /// Pops the first slot of that page from `index` on, and wraps.
    #[inline(always)]
    pub(crate) fn pop_single(&mut self, shape: Shape, number: usize, index: usize) -> usize {
        let slots = self.taken(shape, number);
        let ahead = if number == index / SLOTS { slots & !0 << (index % SLOTS) } else { 0 };
        self.pop_near(shape, (number, if ahead != 0 { ahead } else { slots }))
    }

    /// Whether pages beyond the first group have some of the snapshot left.
    #[inline(always)]
    pub(crate) fn any_far_taken(&self, shape: Shape) -> bool {
        shape.pages >= GROUP && self.far[Note::Taken as usize] != 0
    }

    /// The page of the first group with the first slot from `index` on, if there is one behind the
    /// root; and which of its slots that are left lie there.
    #[inline(always)]
    pub(crate) fn near_from(&self, shape: Shape, index: usize) -> Option<(usize, usize)> {
        let near = self.near[Note::Taken as usize];
        let first = index / SLOTS;
        if near & from_bit(first) == 0 {
            return None;
        }
        if near & from_bit(first) & !from_bit(first + 1) != 0 {
            let ahead = self.taken(shape, first) & !0 << (index % SLOTS);
            if ahead != 0 {
                return Some((first, ahead));
            }
        }
        let later = near & from_bit(first + 1);
        (later != 0).then(|| self.lowest(shape, later))
    }

    /// The first page of the first group with something left, and its slots.
    #[inline(always)]
    pub(crate) fn first_near(&self, shape: Shape) -> (usize, usize) {
        self.lowest(shape, self.near[Note::Taken as usize])
    }

    #[inline(always)]
    fn lowest(&self, shape: Shape, near: usize) -> (usize, usize) {
        let number = near.trailing_zeros() as usize;
        (number, self.taken(shape, number))
    }

    #[inline(always)]
    pub(crate) fn taken(&self, shape: Shape, number: usize) -> usize {
        get(&self.page(shape, number).noted[Note::Taken as usize])
    }

    /// Pops the first of these slots of a page of the first group.
    #[inline(always)]
    pub(crate) fn pop_near(&mut self, shape: Shape, (number, slots): (usize, usize)) -> usize {
        let taken = &self.page(shape, number).noted[Note::Taken as usize];
        let rest = get(taken) & !(slots & slots.wrapping_neg());
        replace(taken, rest);
        if rest == 0 {
            self.near[Note::Taken as usize] &= !flag(number);
        }
        number * SLOTS + slots.trailing_zeros() as usize
    }

    /// Whether something of the snapshot is left.
    #[inline(always)]
    pub(crate) fn any_taken(&self, shape: Shape) -> bool {
        self.any(shape, Note::Taken)
    }

    /// Whether anything is noted.
    #[inline(always)]
    pub(crate) fn any(&self, shape: Shape, note: Note) -> bool {
        self.near[note as usize]
            | if shape.pages < GROUP { 0 } else { self.far[note as usize] as usize }
            != 0
    }

    /// Whether any slot was woken since the snapshot.
    pub(crate) fn any_woken(&self, shape: Shape) -> bool {
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
