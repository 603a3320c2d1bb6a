#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

pub mod array;
pub mod concurrent_stream;
pub mod future;
mod group;
// For readers: no program can name it.
#[cfg(doc)]
pub mod guide;
pub mod prelude;
mod set;
mod stage;
pub mod stream;
pub mod vec;
