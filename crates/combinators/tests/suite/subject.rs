//! Every combinator over every container, behind one face.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::{FusedFuture, FusedStream, Stream};
use selvedge_combinators::future::{FutureGroup, Join, Race, RaceOk, TryJoin};
use selvedge_combinators::stream::{Chain, Merge, StreamGroup, Zip};

use crate::support::{Child, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Join,
    TryJoin,
    Race,
    RaceOk,
    Merge,
    Zip,
    Chain,
    FutureGroup,
    StreamGroup,
}

impl Op {
    pub(crate) const ALL: [Self; 9] = [
        Self::Join,
        Self::TryJoin,
        Self::Race,
        Self::RaceOk,
        Self::Merge,
        Self::Zip,
        Self::Chain,
        Self::FutureGroup,
        Self::StreamGroup,
    ];

    pub(crate) fn is_stream(self) -> bool {
        !matches!(self, Self::Join | Self::TryJoin | Self::Race | Self::RaceOk)
    }

    pub(crate) fn is_group(self) -> bool {
        matches!(self, Self::FutureGroup | Self::StreamGroup)
    }

    /// Whether a poll may end at the first thing that a child gives, with more to come.
    pub(crate) fn waits_for_items(self) -> bool {
        self.is_group() || self == Self::Merge
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Array,
    Vec,
    Boxed,
    Slice,
    Tuple,
}

impl Container {
    pub(crate) const ALL: [Self; 5] =
        [Self::Array, Self::Vec, Self::Boxed, Self::Slice, Self::Tuple];
}

/// What a poll of a combinator came to.
pub(crate) enum Event {
    Pending,
    /// An output or an item: what kind, and everything in it.
    Given(&'static str, Vec<Token>),
    /// A stream's end.
    End,
}

impl Event {
    /// Without the tokens, which are dropped.
    pub(crate) fn seen(self) -> Seen {
        match self {
            Self::Pending => Seen::Pending,
            Self::End => Seen::End,
            Self::Given(kind, tokens) => {
                Seen::Given(kind, tokens.iter().map(|token| token.id).collect())
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Pending,
    Given(&'static str, Vec<usize>),
    End,
}

/// A combinator.
pub(crate) trait Subject {
    fn poll(&mut self, cx: &mut Context<'_>) -> Event;
    fn is_terminated(&self) -> bool;
    /// Of a stream.
    fn size_hint(&self) -> (usize, Option<usize>);
}

/// Turns an output into what is seen of it.
trait Tokens {
    fn tokens(self) -> (&'static str, Vec<Token>);
}

fn plain(result: Result<Token, Token>) -> Token {
    result.unwrap_or_else(|token| token)
}

impl Tokens for Token {
    fn tokens(self) -> (&'static str, Vec<Token>) {
        ("one", vec![self])
    }
}

struct OfFuture<F>(Pin<Box<F>>);

impl<F> Subject for OfFuture<F>
where
    F: FusedFuture<Output: Tokens>,
{
    fn poll(&mut self, cx: &mut Context<'_>) -> Event {
        match self.0.as_mut().poll(cx) {
            Poll::Pending => Event::Pending,
            Poll::Ready(output) => {
                let (kind, tokens) = output.tokens();
                Event::Given(kind, tokens)
            }
        }
    }

    fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        unreachable!("a future has none")
    }
}

struct OfStream<S>(Pin<Box<S>>);

impl<S> Subject for OfStream<S>
where
    S: FusedStream<Item: Tokens>,
{
    fn poll(&mut self, cx: &mut Context<'_>) -> Event {
        match self.0.as_mut().poll_next(cx) {
            Poll::Pending => Event::Pending,
            Poll::Ready(None) => Event::End,
            Poll::Ready(Some(item)) => {
                let (kind, tokens) = item.tokens();
                Event::Given(kind, tokens)
            }
        }
    }

    fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// Children that are lent to a subject.
struct Lent {
    subject: Option<Box<dyn Subject>>,
    owner: *mut [Child],
}

impl Subject for Lent {
    fn poll(&mut self, cx: &mut Context<'_>) -> Event {
        self.subject.as_mut().unwrap().poll(cx)
    }

    fn is_terminated(&self) -> bool {
        self.subject.as_ref().unwrap().is_terminated()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.subject.as_ref().unwrap().size_hint()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.subject = None;
        // SAFETY: the subject, which borrowed the children, is gone.
        drop(unsafe { Box::from_raw(self.owner) });
    }
}

macro_rules! of {
    ($Wrap:ident, $Trait:ident :: $method:ident, $container:expr, $children:expr) => {{
        let children: Vec<Child> = $children;
        let boxed: Box<dyn Subject> = match $container {
            Container::Vec => Box::new($Wrap(Box::pin($Trait::$method(children)))),
            Container::Boxed => {
                Box::new($Wrap(Box::pin($Trait::$method(children.into_boxed_slice()))))
            }
            Container::Array => {
                let children: [Child; 3] = children.try_into().ok().unwrap();
                Box::new($Wrap(Box::pin($Trait::$method(children))))
            }
            Container::Tuple => {
                let [a, b, c]: [Child; 3] = children.try_into().ok().unwrap();
                Box::new($Wrap(Box::pin($Trait::$method((a, b, c)))))
            }
            Container::Slice => {
                let owner = Box::into_raw(children.into_boxed_slice());
                // SAFETY: the children live until `Lent` drops them, and are not moved.
                let lent: Pin<&'static mut [Child]> = unsafe { Pin::new_unchecked(&mut *owner) };
                let subject: Box<dyn Subject> = Box::new($Wrap(Box::pin($Trait::$method(lent))));
                Box::new(Lent { subject: Some(subject), owner })
            }
        };
        boxed
    }};
}

/// A combinator over a container of these children: three of them for arrays and tuples.
pub(crate) fn subject(op: Op, container: Container, children: Vec<Child>) -> Box<dyn Subject> {
    match op {
        Op::Join => of!(OfFuture, Join::join, container, children),
        Op::TryJoin => of!(OfFuture, TryJoin::try_join, container, children),
        Op::Race => of!(OfFuture, Race::race, container, children),
        Op::RaceOk => of!(OfFuture, RaceOk::race_ok, container, children),
        Op::Merge => of!(OfStream, Merge::merge, container, children),
        Op::Zip => of!(OfStream, Zip::zip, container, children),
        Op::Chain => of!(OfStream, Chain::chain, container, children),
        Op::FutureGroup => Box::new(OfStream(Box::pin(FutureGroup::from_iter(children)))),
        Op::StreamGroup => Box::new(OfStream(Box::pin(StreamGroup::from_iter(children)))),
    }
}

/// Whether this combination is another one.
pub(crate) fn is_distinct(op: Op, container: Container) -> bool {
    !op.is_group() || container == Container::Vec
}

macro_rules! outputs {
    ($([$($generics:tt)*] $List:ty => $array:ident, $all:expr, $tokens:expr;)*) => {$(
        impl<$($generics)*> Tokens for $List {
            fn tokens(self) -> (&'static str, Vec<Token>) {
                let $array = self;
                ($all, $tokens)
            }
        }
    )*};
}

type Out = Result<Token, Token>;
type Errors<L> = selvedge_combinators::future::AggregateError<L>;

outputs! {
    [const N: usize] [Out; N] => all, "all", all.into_iter().map(plain).collect();
    [] Vec<Out> => all, "all", all.into_iter().map(plain).collect();
    [] Box<[Out]> => all, "all", all.into_vec().into_iter().map(plain).collect();
    [] (Out, Out, Out) => all, "all", vec![plain(all.0), plain(all.1), plain(all.2)];
    [const N: usize] [Token; N] => row, "row", row.into();
    [] Vec<Token> => row, "row", row;
    [] Box<[Token]> => row, "row", row.into_vec();
    [] (Token, Token, Token) => row, "row", vec![row.0, row.1, row.2];
}

impl<L: Tokens> Tokens for Result<L, Token> {
    fn tokens(self) -> (&'static str, Vec<Token>) {
        match self {
            Ok(output) => ("ok", output.tokens().1),
            Err(token) => ("err", vec![token]),
        }
    }
}

impl<L: IntoIterator<Item = Token>> Tokens for Result<Token, Errors<L>> {
    fn tokens(self) -> (&'static str, Vec<Token>) {
        match self {
            Ok(token) => ("ok", vec![token]),
            Err(errors) => ("all err", errors.into_inner().into_iter().collect()),
        }
    }
}
