//! What goes in and what comes out.

use std::future::{IntoFuture, Ready, ready};
use std::pin::{Pin, pin};

use futures_lite::future::block_on;
use futures_lite::stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::IntoStream;

#[derive(Clone, Copy)]
struct Number(u8);

impl IntoFuture for Number {
    type Output = u8;
    type IntoFuture = Ready<u8>;

    fn into_future(self) -> Ready<u8> {
        ready(self.0)
    }
}

struct Numbers(u8);

impl IntoStream for Numbers {
    type Item = u8;
    type IntoStream = stream::Iter<std::ops::Range<u8>>;

    fn into_stream(self) -> Self::IntoStream {
        stream::iter(0..self.0)
    }
}

#[test]
fn outputs_come_in_the_container_of_the_futures() {
    block_on(async {
        let array: [u8; 2] = [Number(1), Number(2)].join().await;
        let vec: Vec<u8> = vec![Number(1), Number(2)].join().await;
        let boxed: Box<[u8]> = Box::<[Number]>::from([Number(1), Number(2)]).join().await;
        let slice: Pin<&mut [Ready<u8>]> = pin!([ready(1), ready(2)]);
        let slice: Vec<u8> = slice.join().await;
        let tuple: (u8, u8) = (Number(1), ready(2)).join().await;
        assert_eq!(
            (array, &*vec, &*boxed, &*slice),
            ([1, 2], &[1, 2][..], &[1, 2][..], &[1, 2][..])
        );
        assert_eq!(tuple, (1, 2));
    });
}

#[test]
fn rows_come_in_the_container_of_the_streams() {
    use futures_lite::StreamExt;
    block_on(async {
        let mut array = pin!([Numbers(2), Numbers(3)].zip());
        assert_eq!(array.next().await, Some([0, 0]));
        assert_eq!(array.next().await, Some([1, 1]));
        assert_eq!(array.next().await, None);
        let mut vec = vec![Numbers(1), Numbers(3)].zip();
        assert_eq!(vec.next().await, Some(vec![0, 0]));
        let mut boxed = Box::<[Numbers]>::from([Numbers(1), Numbers(3)]).zip();
        assert_eq!(boxed.next().await, Some(Box::from([0, 0])));
        let mut tuple = pin!((Numbers(1), stream::once("a")).zip());
        assert_eq!(tuple.next().await, Some((0, "a")));
    });
}

macro_rules! numbers {
    ($($n:literal)*) => { ($(ready($n),)*) };
}

#[test]
fn tuples_of_every_length_up_to_twelve_work() {
    use futures_lite::StreamExt;
    block_on(async {
        assert_eq!(numbers!(1).join().await, (1,));
        assert_eq!(numbers!(1 2 3 4 5 6 7).join().await, (1, 2, 3, 4, 5, 6, 7));
        let twelve = numbers!(1 2 3 4 5 6 7 8 9 10 11 12).join().await;
        assert_eq!(twelve, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
        let s = |n: u8| stream::once(n);
        let twelve = (s(0), s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8), s(9), s(10), s(11));
        assert_eq!(twelve.merge().collect::<Vec<_>>().await, (0..12).collect::<Vec<_>>());
        let twelve = (s(0), s(1), s(2), s(3), s(4), s(5), s(6), s(7), s(8), s(9), s(10), s(11));
        assert_eq!(twelve.chain().collect::<Vec<_>>().await, (0..12).collect::<Vec<_>>());
        let e = |n: u8| ready(Err::<(), u8>(n));
        let twelve = (e(0), e(1), e(2), e(3), e(4), e(5), e(6), e(7), e(8), e(9), e(10), e(11));
        let errors = twelve.race_ok().await.unwrap_err();
        assert_eq!(errors.into_inner(), std::array::from_fn::<u8, 12, _>(|n| n as u8));
    });
}

#[test]
fn more_than_one_page_of_children_works() {
    for n in [63, 64, 65, 128, 129, 1000] {
        let numbers: Vec<usize> = (0..n).collect();
        let futures: Vec<_> = numbers.iter().map(|&n| ready(n)).collect();
        assert_eq!(block_on(futures.join()), numbers);
        let streams: Vec<_> = numbers.iter().map(|&n| stream::once(n)).collect();
        assert_eq!(block_on(futures_lite::StreamExt::collect::<Vec<_>>(streams.merge())), numbers);
        let streams: Vec<_> = numbers.iter().map(|&n| stream::once(n)).collect();
        assert_eq!(block_on(futures_lite::StreamExt::collect::<Vec<_>>(streams.chain())), numbers);
        let streams: Vec<_> = numbers.iter().map(|&n| stream::once(n)).collect();
        let rows: Vec<Vec<usize>> = block_on(futures_lite::StreamExt::collect(streams.zip()));
        assert_eq!(rows, [numbers]);
    }
}

#[test]
fn the_futures_of_a_slice_stay_with_their_owner() {
    let (shared, children) = crate::support::Shared::with(&[&[crate::support::Step::Good]]);
    let mut owner = Box::into_pin(children.into_boxed_slice());
    block_on(owner.as_mut().join());
    assert_eq!(shared.drops(0), 0);
    drop(owner);
    assert_eq!(shared.drops(0), 1);
}

#[test]
fn sets_on_the_heap_are_unpin_whatever_their_children_are() {
    fn unpin<T: Unpin>(_: &T) {}
    let (_, children) = crate::support::Shared::with(&[&[]]);
    unpin(&children.join());
    let (_, children) = crate::support::Shared::with(&[&[]]);
    unpin(&children.into_boxed_slice().merge());
    unpin(&selvedge_combinators::future::FutureGroup::<crate::support::Child>::new());
}
