//! The pages beyond the first group, of arrays with more than 4,096 slots.

use crate::layout::{GROUP, SLOTS, from_bit};
use crate::page::{Note, group_head};
use crate::pages::{Pages, get, pop, replace};
use crate::shape::Shape;

impl Pages {
    #[inline(never)]
    pub(crate) fn collect_far_added(&mut self, shape: Shape) {
        self.far[Note::Added as usize] = 0;
        for head in (GROUP..=shape.pages).step_by(GROUP) {
            let mut added = replace(self.group(shape, Note::Added, head), 0);
            while let Some(bit) = pop(&mut added) {
                let number = head + bit;
                let word = &self.page(shape, number).noted[Note::Added as usize];
                self.put(shape, Note::Taken, number, replace(word, 0));
            }
        }
    }

    /// Pops the first slot of the snapshot from `index` on that lies behind the root.
    pub(crate) fn pop_from(&mut self, shape: Shape, index: usize) -> Option<usize> {
        if let Some(found) = self.near_from(shape, index) {
            return Some(self.pop_near(shape, found));
        }
        let (first, from) = (index / SLOTS, index % SLOTS);
        let mut next = first;
        while let Some(number) = self.far_taken_from(shape, next) {
            let slots = self.taken(shape, number);
            let here = if number == first { slots & !0 << from } else { slots };
            if here != 0 {
                self.erase(shape, Note::Taken, number, here & here.wrapping_neg());
                return Some(number * SLOTS + here.trailing_zeros() as usize);
            }
            next = number + 1;
        }
        None
    }

    /// The first page of other groups from `number` on with some of the snapshot left.
    fn far_taken_from(&self, shape: Shape, number: usize) -> Option<usize> {
        if self.far[Note::Taken as usize] == 0 {
            return None;
        }
        let first = number.max(GROUP);
        let mut head = group_head(first);
        let mut pages = from_bit(first - head);
        while head <= shape.pages {
            let group = get(self.group(shape, Note::Taken, head)) & pages;
            if group != 0 {
                return Some(head + group.trailing_zeros() as usize);
            }
            head += GROUP;
            pages = !0;
        }
        None
    }
}
