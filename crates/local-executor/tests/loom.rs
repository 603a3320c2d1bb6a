#![cfg(selvedge_loom)]
