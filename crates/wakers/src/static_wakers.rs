//! Sub-wakers in a `static`, without an allocator.

use core::cell::Cell;
use core::fmt;
use core::mem::{MaybeUninit, align_of, offset_of, size_of};
use core::ptr::NonNull;

use crate::block::write_pages;
use crate::claim::{Claim, Claimed};
use crate::layout::{PAGE, SLOTS, pages_for};
use crate::root::Root;
use crate::shape::Shape;
use crate::static_owner::StaticOwner;

/// `N` sub-wakers in a `static`: no allocation, and cloning a waker costs nothing.
///
/// [`claim`](Self::claim) gives the owner, one at a time. Wakers may outlive their owner here as
/// everywhere; they then wake the slot of the next one, for nothing.
///
/// ```
/// use core::task::Waker;
/// use selvedge_wakers::StaticWakers;
///
/// static WAKERS: StaticWakers<4> = StaticWakers::new();
///
/// let mut owner = WAKERS.claim().expect("claimed nowhere else");
/// assert!(WAKERS.claim().is_none());
/// owner.begin_poll(Waker::noop());
/// assert_eq!(owner.next_ready(), Some(0)); // all are ready at each claim
/// drop(owner);
/// assert!(WAKERS.claim().is_some());
/// ```
#[repr(C, align(64))]
pub struct StaticWakers<const N: usize> {
    root: RootPage,
    /// Used as pages, of which there are less than one per `SLOTS` slots.
    shares: [Share; N],
    claim: Claim,
}

/// A root that takes the room of a page.
#[repr(C)]
struct RootPage {
    root: Root,
    rest: [u8; PAGE - size_of::<Root>()],
}

/// One slot's part of a page, as raw memory that may change behind a shared reference.
// `core`'s cell and not the façade's: what a model watches are the pages written here.
struct Share(
    #[expect(dead_code, reason = "reached by address")] [Cell<MaybeUninit<u8>>; PAGE / SLOTS],
);

// SAFETY: the pages are reached like those of a heap block: what is shared in them is atomic, the
// rest belongs to the one owner.
unsafe impl<const N: usize> Sync for StaticWakers<N> {}
// SAFETY: as above. Moving it is possible before the first claim only.
unsafe impl<const N: usize> Send for StaticWakers<N> {}

impl<const N: usize> StaticWakers<N> {
    selvedge_sync::const_fn! {
        /// Sub-wakers that nobody has claimed.
        ///
        /// # Panics
        ///
        /// If memory for them would not fit the address space; in a `static` that is an error of the compiler.
        pub const fn new() -> Self {
            let pages = pages_for(N);
            assert!(pages <= u32::MAX as usize, "more wakers than the address space holds");
            Self {
                root: RootPage { root: Root::new(pages as u32, 0), rest: [0; PAGE - size_of::<Root>()] },
                shares: [const { Share([const { Cell::new(MaybeUninit::uninit()) }; PAGE / SLOTS]) }; N],
                claim: Claim::new(),
            }
        }
    }

    /// Becomes the owner, unless there is one: all slots are ready.
    ///
    /// The claim ends when the owner is dropped. An owner that is forgotten keeps it for ever.
    pub fn claim(&'static self) -> Option<StaticOwner> {
        const {
            assert!(offset_of!(Self, shares) == PAGE && align_of::<Self>() % SLOTS == 0);
            assert!(pages_for(N) * PAGE <= size_of::<[Share; N]>());
        }
        let root: NonNull<Root> = NonNull::from(self).cast();
        let shape = Shape { len: N, pages: pages_for(N) };
        match self.claim.claim() {
            Claimed::Refused => return None,
            // SAFETY: the pages take less memory than the shares, which nobody has used before.
            Claimed::First => unsafe { write_pages(root.cast(), root, 1, shape.pages) },
            Claimed::Again => {}
        }
        // SAFETY: the claim is ours, and a static block is alive for ever.
        Some(unsafe { StaticOwner::new(root, shape, &self.claim) })
    }
}

impl<const N: usize> Default for StaticWakers<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for StaticWakers<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticWakers")
            .field("len", &N)
            .field("claim", &self.claim)
            .finish_non_exhaustive()
    }
}
