//! No children at all (W6).

use std::future::{Ready, ready};
use std::num::NonZeroUsize;
use std::pin::{Pin, pin};

use futures_lite::future::block_on;
use futures_lite::stream;
use futures_lite::{Stream, StreamExt};
use selvedge_combinators::prelude::*;

type Fut = Ready<Result<u8, u8>>;
type Str = stream::Once<u8>;

fn none() -> Vec<Fut> {
    Vec::new()
}

fn ends<S: Stream>(stream: S) {
    let mut stream = pin!(stream);
    assert_eq!(stream.size_hint(), (0, Some(0)));
    for _ in 0..2 {
        assert!(block_on(stream.next()).is_none());
    }
}

#[test]
fn join_and_try_join_complete_at_once() {
    block_on(async {
        assert_eq!(none().join().await, []);
        assert_eq!(none().into_boxed_slice().join().await.len(), 0);
        assert_eq!(<[Fut; 0]>::join([]).await, []);
        let slice: Pin<&mut [Fut]> = pin!([]);
        assert_eq!(slice.join().await, []);
        let () = ().join().await;
        assert_eq!(none().try_join().await, Ok(vec![]));
        assert_eq!(<[Fut; 0]>::try_join([]).await, Ok([]));
        let Ok(()) = ().try_join().await;
    });
}

#[test]
fn race_ok_gives_no_errors() {
    block_on(async {
        let errors = none().race_ok().await.unwrap_err();
        assert!(errors.is_empty());
        assert_eq!(errors.to_string(), "there were no futures to race");
        assert!(<[Fut; 0]>::race_ok([]).await.unwrap_err().is_empty());
    });
}

#[test]
#[should_panic(expected = "race requires at least one future")]
fn race_of_a_vec_panics_when_called() {
    drop(none().race());
}

#[test]
#[should_panic(expected = "race requires at least one future")]
fn race_of_an_array_panics_when_called() {
    drop(<[Fut; 0]>::race([]));
}

#[test]
fn streams_end_at_once() {
    ends(Vec::<Str>::new().merge());
    ends(Vec::<Str>::new().zip());
    ends(Vec::<Str>::new().chain());
    ends(<[Str; 0]>::merge([]));
    ends(<[Str; 0]>::zip([]));
    ends(<[Str; 0]>::chain([]));
    ends(Box::<[Str]>::from([]).zip());
    ends(().merge());
    ends(().chain());
    ends(selvedge_combinators::future::FutureGroup::<Fut>::new());
    ends(selvedge_combinators::stream::StreamGroup::<Str>::new());
}

#[test]
fn concurrent_streams_of_nothing_complete() {
    block_on(async {
        let limit = NonZeroUsize::new(1);
        let all: Vec<u8> = Vec::<u8>::new().into_co_stream().limit(limit).collect().await;
        assert_eq!(all, []);
        let all: Vec<u8> = stream::repeat(1).co().take(0).collect_in_order().await;
        assert_eq!(all, []);
        stream::empty::<()>().co().for_each(ready).await;
    });
}
