//! A parent whose wakers notice when they are used after their end, or twice, or leaked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc as Memory, Mutex};
use std::task::{RawWaker, RawWakerVTable, Waker};

type Hook = Box<dyn Fn() + Send + Sync>;

/// What all wakers of one parent share. Plain memory to the model checker: it adds no order between
/// threads and no step to interleave.
struct State {
    wakes: AtomicUsize,
    live: AtomicUsize,
    tokens: Mutex<Vec<Memory<Token>>>,
    /// Runs inside each wake.
    hook: Option<Hook>,
    /// As of most parents; otherwise each clone is watched on its own.
    clones_are_equal: bool,
}

/// One waker, or all equal ones of a parent. Its memory stays until the parent goes, so that a late
/// use is seen and harmless.
struct Token {
    state: *const State,
    alive: AtomicUsize,
}

// SAFETY: the state outlives all tokens, and is `Sync` itself.
unsafe impl Send for Token {}
// SAFETY: as above.
unsafe impl Sync for Token {}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn token<'a>(data: *const ()) -> &'a Token {
    // SAFETY: tokens live as long as their parent.
    let token = unsafe { &*data.cast::<Token>() };
    assert!(token.alive.load(Ordering::Relaxed) > 0, "a parent's waker was used after its end");
    token
}

fn new_token(state: *const State) -> RawWaker {
    let token = Memory::new(Token { state, alive: AtomicUsize::new(1) });
    // SAFETY: the parent is alive.
    let state = unsafe { &*state };
    state.live.fetch_add(1, Ordering::Relaxed);
    let data = Memory::as_ptr(&token).cast::<()>();
    state.tokens.lock().unwrap().push(token);
    RawWaker::new(data, &VTABLE)
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: passed on.
    let token = unsafe { token(data) };
    // SAFETY: the parent is alive.
    let state = unsafe { &*token.state };
    if !state.clones_are_equal {
        return new_token(token.state);
    }
    state.live.fetch_add(1, Ordering::Relaxed);
    token.alive.fetch_add(1, Ordering::Relaxed);
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: passed on.
    unsafe { wake_by_ref(data) };
    // SAFETY: passed on.
    unsafe { drop_waker(data) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: passed on.
    let token = unsafe { token(data) };
    // SAFETY: the parent is alive.
    let state = unsafe { &*token.state };
    state.wakes.fetch_add(1, Ordering::Relaxed);
    if let Some(hook) = &state.hook {
        hook();
    }
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: passed on.
    let token = unsafe { token(data) };
    token.alive.fetch_sub(1, Ordering::Relaxed);
    // SAFETY: the parent is alive.
    unsafe { &*token.state }.live.fetch_sub(1, Ordering::Relaxed);
}

/// A parent that counts. All its wakers have to be gone before it.
pub(crate) struct Parent {
    state: Memory<State>,
    waker: Option<Waker>,
}

impl Parent {
    /// A parent whose clones are told apart by `will_wake`, and each watched.
    pub(crate) fn watchful() -> Self {
        Self::build(None, false)
    }

    /// A parent whose clones are equal.
    pub(crate) fn new() -> Self {
        Self::build(None, true)
    }

    /// A parent whose clones are equal, and whose wakes run `hook`.
    pub(crate) fn with_hook(hook: impl Fn() + Send + Sync + 'static) -> Self {
        Self::build(Some(Box::new(hook)), true)
    }

    fn build(hook: Option<Hook>, clones_are_equal: bool) -> Self {
        let state = Memory::new(State {
            wakes: AtomicUsize::new(0),
            live: AtomicUsize::new(0),
            tokens: Mutex::default(),
            hook,
            clones_are_equal,
        });
        // SAFETY: the table's functions keep the contract, and check that their callers do.
        let waker = unsafe { Waker::from_raw(new_token(Memory::as_ptr(&state))) };
        Self { state, waker: Some(waker) }
    }

    pub(crate) fn waker(&self) -> &Waker {
        self.waker.as_ref().unwrap()
    }

    /// Wakes so far.
    pub(crate) fn wakes(&self) -> usize {
        self.state.wakes.load(Ordering::Relaxed)
    }

    /// Clones that are alive.
    pub(crate) fn held(&self) -> usize {
        self.state.live.load(Ordering::Relaxed) - 1
    }
}

impl Drop for Parent {
    fn drop(&mut self) {
        self.waker = None;
        if !std::thread::panicking() {
            assert_eq!(self.state.live.load(Ordering::Relaxed), 0, "a parent's waker was leaked");
        }
    }
}
