//! The models' stand-ins and bodies.

pub(crate) mod bodies;
pub(crate) mod lent;
pub(crate) mod parent;
