//! The models' stand-ins and bodies.

pub(crate) mod bodies;
pub(crate) mod growing;
pub(crate) mod late;
pub(crate) mod lent;
pub(crate) mod parent;
