#![cfg(selvedge_loom)]
//! Models.
