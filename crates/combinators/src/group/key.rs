//! What names a child of a group.

/// Names one child of a group, as long as that child is there and after.
///
/// It carries a generation: the key of a child that is gone never names a later one that has taken
/// its place. A key means nothing in another group. It is ordered by place, not by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub(super) index: u32,
    pub(super) generation: u32,
}
