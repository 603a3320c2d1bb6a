//! A sub-waker on loan from its array.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::task::Waker;

/// The waker of one slot, borrowed from its owner: no reference is counted for it.
///
/// It derefs to [`Waker`]; a clone of that lives as long as you like, and costs one atomic operation (none in a
/// [`StaticWakers`](crate::StaticWakers)). More than `isize::MAX` clones, which can only have been forgotten, abort the
/// process.
///
/// ```
/// use core::task::{Context, Waker};
/// use selvedge_wakers::WakerArray;
///
/// let array = WakerArray::<2>::new();
/// let lent = array.waker(1);
/// let cx = Context::from_waker(&lent);
/// let kept: Waker = cx.waker().clone();
/// drop(array);
/// kept.wake(); // does nothing any more
/// ```
///
/// It cannot outlive the owner:
///
/// ```compile_fail,E0505
/// use selvedge_wakers::WakerArray;
///
/// let array = WakerArray::<2>::new();
/// let lent = array.waker(1);
/// drop(array);
/// lent.wake_by_ref();
/// ```
///
/// And the waker cannot be moved out of it:
///
/// ```compile_fail,E0507
/// use selvedge_wakers::WakerArray;
///
/// let array = WakerArray::<2>::new();
/// let lent = array.waker(1);
/// lent.wake();
/// ```
pub struct WakerRef<'a> {
    waker: ManuallyDrop<Waker>,
    owner: PhantomData<&'a ()>,
}

impl WakerRef<'_> {
    /// Lends `waker`, whose destructor must not run.
    #[inline]
    pub(crate) fn new(waker: Waker) -> Self {
        Self { waker: ManuallyDrop::new(waker), owner: PhantomData }
    }
}

impl Deref for WakerRef<'_> {
    type Target = Waker;

    #[inline]
    fn deref(&self) -> &Waker {
        &self.waker
    }
}

impl AsRef<Waker> for WakerRef<'_> {
    fn as_ref(&self) -> &Waker {
        self
    }
}

impl fmt::Debug for WakerRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WakerRef").field(&*self.waker).finish()
    }
}
