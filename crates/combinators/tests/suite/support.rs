//! Children that follow a plan and watch what is done to them, and a waker that counts.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_core::Stream;

/// Counts how often it was woken.
#[derive(Default)]
pub(crate) struct Parent {
    wakes: AtomicUsize,
}

impl Parent {
    pub(crate) fn new() -> (Arc<Self>, Waker) {
        let parent = Arc::new(Self::default());
        (parent.clone(), parent.into())
    }

    pub(crate) fn wakes(&self) -> usize {
        self.wakes.load(Ordering::SeqCst)
    }
}

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.wakes.fetch_add(1, Ordering::SeqCst);
    }
}

/// What a child does when it is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Stores its waker and waits.
    Wait,
    /// Gives an item, or completes with `Ok`.
    Good,
    /// Ends, or completes with `Err`.
    Bad,
    /// Panics.
    Panic,
}

#[derive(Default)]
pub(crate) struct Kid {
    plan: VecDeque<Step>,
    pub(crate) waker: Option<Waker>,
    pub(crate) polls: usize,
    pub(crate) drops: usize,
    finished: bool,
    address: Option<usize>,
    pub(crate) drop_panics: bool,
}

/// What is known of all children of one test.
#[derive(Default)]
pub(crate) struct Board {
    pub(crate) kids: Vec<Kid>,
    /// Children in the order in which they were polled.
    pub(crate) log: Vec<usize>,
    /// How often each token was dropped.
    pub(crate) tokens: Vec<usize>,
}

/// A board, shared with the children.
#[derive(Clone, Default)]
pub(crate) struct Shared(Rc<RefCell<Board>>);

impl Shared {
    /// A board, and a child for each plan. A child whose plan is used up waits.
    pub(crate) fn with(plans: &[&[Step]]) -> (Self, Vec<Child>) {
        let shared = Self::default();
        let children = plans.iter().map(|plan| shared.child(plan)).collect();
        (shared, children)
    }

    pub(crate) fn child(&self, plan: &[Step]) -> Child {
        let mut board = self.0.borrow_mut();
        board.kids.push(Kid { plan: plan.iter().copied().collect(), ..Kid::default() });
        Child { index: board.kids.len() - 1, board: self.clone(), pinned: PhantomPinned }
    }

    pub(crate) fn board<R>(&self, look: impl FnOnce(&mut Board) -> R) -> R {
        look(&mut self.0.borrow_mut())
    }

    pub(crate) fn polls(&self, child: usize) -> usize {
        self.board(|board| board.kids[child].polls)
    }

    pub(crate) fn drops(&self, child: usize) -> usize {
        self.board(|board| board.kids[child].drops)
    }

    pub(crate) fn all_drops(&self) -> Vec<usize> {
        self.board(|board| board.kids.iter().map(|kid| kid.drops).collect())
    }

    pub(crate) fn take_log(&self) -> Vec<usize> {
        self.board(|board| std::mem::take(&mut board.log))
    }

    /// Wakes a child by the waker that it stored last. Whether it had one.
    pub(crate) fn wake(&self, child: usize) -> bool {
        let waker = self.board(|board| board.kids[child].waker.clone());
        waker.inspect(Waker::wake_by_ref).is_some()
    }

    fn token(&self) -> Token {
        self.board(|board| board.tokens.push(0));
        Token { id: self.board(|board| board.tokens.len() - 1), board: self.clone() }
    }

    /// Every child was dropped once, and everything that children gave.
    pub(crate) fn assert_all_dropped_once(&self, what: &str) {
        self.board(|board| {
            for (index, kid) in board.kids.iter().enumerate() {
                assert_eq!(kid.drops, 1, "{what}: drops of child {index}");
            }
            for (id, &drops) in board.tokens.iter().enumerate() {
                assert_eq!(drops, 1, "{what}: drops of token {id}");
            }
        });
    }
}

/// What a child gives: it is missed if it is dropped twice or not at all.
pub(crate) struct Token {
    pub(crate) id: usize,
    board: Shared,
}

impl Drop for Token {
    fn drop(&mut self) {
        self.board.board(|board| board.tokens[self.id] += 1);
    }
}

/// A future and a stream that follows its plan. It must not be moved once it was polled.
pub(crate) struct Child {
    pub(crate) index: usize,
    board: Shared,
    #[expect(dead_code, reason = "makes the child `!Unpin`")]
    pinned: PhantomPinned,
}

impl Child {
    fn step(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Step {
        let address = &raw const *self as usize;
        let index = self.index;
        let step = self.board.board(|board| {
            board.log.push(index);
            let kid = &mut board.kids[index];
            kid.polls += 1;
            assert_eq!(kid.drops, 0, "child {index} was polled after its drop");
            assert!(!kid.finished, "child {index} was polled after it had finished");
            assert_eq!(*kid.address.get_or_insert(address), address, "child {index} was moved");
            let step = kid.plan.pop_front().unwrap_or(Step::Wait);
            if step == Step::Wait {
                kid.waker = Some(cx.waker().clone());
            }
            step
        });
        assert!(step != Step::Panic, "planned panic of child {index}");
        step
    }

    fn finish(&self) {
        self.board.board(|board| board.kids[self.index].finished = true);
    }
}

impl Future for Child {
    type Output = Result<Token, Token>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let step = self.as_mut().step(cx);
        if step == Step::Wait {
            return Poll::Pending;
        }
        self.finish();
        let token = self.board.token();
        Poll::Ready(if step == Step::Good { Ok(token) } else { Err(token) })
    }
}

impl Stream for Child {
    type Item = Token;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Token>> {
        match self.as_mut().step(cx) {
            Step::Wait | Step::Panic => Poll::Pending,
            Step::Good => Poll::Ready(Some(self.board.token())),
            Step::Bad => {
                self.finish();
                Poll::Ready(None)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.board.board(|board| {
            let kid = &board.kids[self.index];
            let good = kid.plan.iter().take_while(|&&step| step != Step::Bad);
            let good = good.filter(|&&step| step == Step::Good).count();
            (good, kid.plan.contains(&Step::Bad).then_some(good))
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let address = &raw const *self as usize;
        let index = self.index;
        let panics = self.board.board(|board| {
            let kid = &mut board.kids[index];
            kid.drops += 1;
            assert!(kid.address.is_none_or(|polled| polled == address), "child {index} was moved");
            kid.drop_panics
        });
        assert!(!panics, "planned panic in the destructor of child {index}");
    }
}

/// Runs a test on a thread, and fails if it does not end.
pub(crate) fn within_a_minute(test: impl FnOnce() + Send + 'static) {
    let (done, wait) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        test();
        let _ = done.send(());
    });
    match wait.recv_timeout(std::time::Duration::from_secs(60)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the test hangs"),
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}
