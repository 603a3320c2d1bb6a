//! A parent whose wakers notice when they are used after their end, or twice, or leaked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
}

/// One waker. Its memory stays until the parent goes, so that a late use is seen and harmless.
struct Token {
    state: *const State,
    alive: AtomicBool,
}

// SAFETY: the state outlives all tokens, and is `Sync` itself.
unsafe impl Send for Token {}
// SAFETY: as above.
unsafe impl Sync for Token {}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn token<'a>(data: *const ()) -> &'a Token {
    // SAFETY: tokens live as long as their parent.
    let token = unsafe { &*data.cast::<Token>() };
    assert!(token.alive.load(Ordering::Relaxed), "a parent's waker was used after its end");
    token
}

fn new_token(state: *const State) -> RawWaker {
    let token = Memory::new(Token { state, alive: AtomicBool::new(true) });
    // SAFETY: the parent is alive.
    let state = unsafe { &*state };
    state.live.fetch_add(1, Ordering::Relaxed);
    let data = Memory::as_ptr(&token).cast::<()>();
    state.tokens.lock().unwrap().push(token);
    RawWaker::new(data, &VTABLE)
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: passed on.
    new_token(unsafe { token(data) }.state)
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
    token.alive.store(false, Ordering::Relaxed);
    // SAFETY: the parent is alive.
    unsafe { &*token.state }.live.fetch_sub(1, Ordering::Relaxed);
}

/// A parent that counts. All its wakers have to be gone before it.
pub(crate) struct Parent {
    state: Memory<State>,
    waker: Option<Waker>,
}

impl Parent {
    pub(crate) fn new() -> Self {
        Self::with_hook(None)
    }

    /// A parent whose wakes run `hook`.
    pub(crate) fn with_hook(hook: Option<Hook>) -> Self {
        let state = Memory::new(State {
            wakes: AtomicUsize::new(0),
            live: AtomicUsize::new(0),
            tokens: Mutex::default(),
            hook,
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
