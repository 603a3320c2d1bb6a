//! Auto traits and sizes.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

use std::future::Ready;
use std::pin::Pin;

use selvedge_combinators::future::{FutureGroup, Join, Race};
use selvedge_combinators::stream::{Merge, StreamGroup, Zip};
use static_assertions::{assert_impl_all, assert_not_impl_any};

type Of<C> = <C as Join>::Future;
type Local = Ready<std::rc::Rc<()>>;
type Stream = futures_lite::stream::Once<u8>;

assert_impl_all!(Of<[Ready<u8>; 3]>: Send, Sync, Unpin);
assert_impl_all!(Of<Vec<Ready<u8>>>: Send, Sync, Unpin);
assert_impl_all!(Of<Box<[Ready<u8>]>>: Send, Sync, Unpin);
assert_impl_all!(Of<Pin<&'static mut [Ready<u8>]>>: Send, Sync, Unpin);
assert_impl_all!(Of<(Ready<u8>, Ready<u16>)>: Send, Sync, Unpin);
assert_impl_all!(<Vec<Ready<u8>> as Race>::Future: Send, Sync);
assert_impl_all!(<[Stream; 2] as Merge>::Stream: Send, Sync);
assert_impl_all!(<(Stream, Stream) as Zip>::Stream: Send, Sync);
assert_impl_all!(FutureGroup<Ready<u8>>: Send, Sync, Unpin);
assert_impl_all!(StreamGroup<Stream>: Send, Sync, Unpin);
assert_not_impl_any!(Of<[Local; 3]>: Send, Sync);
assert_not_impl_any!(Of<(Local, Local)>: Send, Sync);
assert_not_impl_any!(FutureGroup<Local>: Send, Sync);

#[test]
fn bookkeeping_takes_few_words() {
    let words = |size: usize| size.div_ceil(size_of::<usize>());
    // 8 futures in 8 bytes; a waker array of 10 words and whether it is there; a count; a stage.
    assert!(words(size_of::<<[Ready<()>; 8] as Race>::Future>()) <= 1 + 11 + 1 + 1 + 1);
    assert!(words(size_of::<Of<(Ready<u8>, Ready<u8>)>>()) <= 15);
    assert!(words(size_of::<FutureGroup<Ready<u8>>>()) <= 20);
}
