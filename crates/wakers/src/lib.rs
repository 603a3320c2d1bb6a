#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

extern crate alloc;

mod block;
mod claim;
mod far_pages;
mod layout;
mod lazy_wakers;
mod owner_methods;
mod owner_word;
mod page;
mod pages;
mod parent;
mod raw_waker;
mod ready_word;
mod ref_count;
mod root;
mod shape;
mod slots;
mod static_owner;
mod static_wakers;
mod waker_array;
mod waker_ref;
mod waker_vec;

pub use crate::lazy_wakers::LazyWakers;
pub use crate::static_owner::StaticOwner;
pub use crate::static_wakers::StaticWakers;
pub use crate::waker_array::WakerArray;
pub use crate::waker_ref::WakerRef;
pub use crate::waker_vec::WakerVec;

// For readers: no program can name it.
#[cfg(doc)]
#[doc = include_str!("guide.md")]
pub mod guide {}

/// Who may touch what, and why no wake-up is lost.
#[doc = include_str!("DESIGN.md")]
mod design {}
