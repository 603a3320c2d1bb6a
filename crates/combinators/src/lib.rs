#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod future;
pub mod prelude;
mod set;
mod stage;
pub mod stream;
