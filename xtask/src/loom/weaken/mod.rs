//! Weakened orderings: every ordering stronger than relaxed loses one half, one site at a time.
//!
//! A site is named by what survives edits elsewhere: file, function, and how often the ordering came
//! before in functions of that name. All sites are rewritten at once, in a scratch copy of the tree:
//! a variable of the environment then tells the models which one is weak, and one build serves all.

mod operation;
mod scratch;
mod sites;

#[cfg(test)]
pub(crate) use sites::of_text;
pub(crate) use sites::{Weakening, of_package};

pub(crate) use scratch::{Scratch, VARIABLE};
