//! The names of the modules `array` and `vec`, and the methods of the extension traits.

use std::future::{Ready, ready};

use futures_lite::future::block_on;
use futures_lite::stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::{array, vec};

#[test]
fn futures_and_streams_can_be_named_by_their_container() {
    let join: array::Join<Ready<u8>, 2> = [ready(1), ready(2)].join();
    assert_eq!(block_on(join), [1, 2]);
    let join: vec::Join<Ready<u8>> = vec![ready(1), ready(2)].join();
    assert_eq!(block_on(join), [1, 2]);
    let errors: Result<u8, array::AggregateError<u8, 1>> = block_on([ready(Err(1))].race_ok());
    assert_eq!(*errors.unwrap_err(), [1]);
    let errors: Result<u8, vec::AggregateError<u8>> = block_on(vec![ready(Err(1))].race_ok());
    assert_eq!(errors.unwrap_err().into_inner(), [1]);
    let merge: vec::Merge<stream::Once<u8>> = vec![stream::once(1)].merge();
    let zip: array::Zip<stream::Once<u8>, 1> = [stream::once(1)].zip();
    assert_eq!(block_on(futures_lite::StreamExt::collect::<Vec<_>>(merge)), [1]);
    assert_eq!(block_on(futures_lite::StreamExt::collect::<Vec<_>>(zip)), [[1]]);
}

#[test]
fn futures_have_the_combinators_of_two_as_methods() {
    block_on(async {
        assert_eq!(ready(1).join(ready("a")).await, (1, "a"));
        assert_eq!(ready(Ok::<_, ()>(1)).try_join(ready(Ok("a"))).await, Ok((1, "a")));
        assert_eq!(ready(1).race(std::future::pending()).await, 1);
        assert_eq!(ready(Err("a")).race_ok(ready(Ok(2))).await.unwrap(), 2);
        assert_eq!(ready(1).wait_until(ready(())).await, 1);
    });
}

#[test]
fn the_type_of_an_endless_future_is_inferred_from_the_others() {
    block_on(async {
        assert_eq!((std::future::pending(), ready("world")).race().await, "world");
        let results = [ready(Ok("hello")), ready(Ok("world"))];
        let both: Result<[&str; 2], &str> = results.try_join().await;
        assert_eq!(both.unwrap(), ["hello", "world"]);
    });
}

#[test]
fn other_methods_of_these_names_still_work() {
    assert_eq!(Vec::from(["a", "b"]).join("-"), "a-b");
    assert_eq!(["a", "b"].join("-"), "a-b");
    assert_eq!([1].into_iter().zip([2]).chain([(3, 4)]).collect::<Vec<_>>(), [(1, 2), (3, 4)]);
    assert_eq!(std::path::PathBuf::from("a").join("b"), std::path::Path::new("a/b"));
    std::thread::spawn(|| ()).join().unwrap();
}
