//! Children of different types, found by a match on their index.

use core::convert::Infallible;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::Stream;
use pin_project_lite::pin_project;
use selvedge_wakers::WakerArray;

use super::containers::{IntoFutures, IntoRows, IntoStreams};
use super::futures::{FutureSet, Mode, Polled};
use super::rows::{RowSet, RowStep, least};
use super::slot::Slot;
use super::streams::{SizeHint, StreamSet, add_hints};
use crate::future::ListErrors;
use crate::stream::IntoStream;

/// The one error type of a tuple, for each child.
macro_rules! error {
    ($Child:ident) => {
        E
    };
}

/// A set of slots for one length of tuple. Only dispatch: what happens in a slot is said there.
macro_rules! tuple {
    (
        $Slots:ident $len:literal:
        $First:ident $first:ident $first_index:tt
        $($Child:ident $child:ident $index:tt)*
    ) => {
        pin_project! {
            #[doc = concat!("The children of a tuple of ", $len, ".")]
            pub struct $Slots<$First $(, $Child)*> {
                #[pin]
                $first: $First,
                $(#[pin] $child: $Child,)*
            }
        }

        impl<M, $First, $($Child,)*> FutureSet<M> for $Slots<
            Slot<$First, <M as Mode<$First::Output>>::Keep>,
            $(Slot<$Child, <M as Mode<$Child::Output>>::Keep>,)*
        >
        where
            $First: Future,
            $($Child: Future,)*
            M: Mode<$First::Output>
                $(+ Mode<$Child::Output, Stop = <M as Mode<$First::Output>>::Stop>)*,
        {
            type Kept = (
                <M as Mode<$First::Output>>::Keep,
                $(<M as Mode<$Child::Output>>::Keep,)*
            );
            type Stop = <M as Mode<$First::Output>>::Stop;
            type Wakers = WakerArray<$len>;

            #[inline]
            fn len(&self) -> usize {
                $len
            }

            fn is_live(&self, index: usize) -> bool {
                match index {
                    $first_index => self.$first.is_live(),
                    $($index => self.$child.is_live(),)*
                    _ => false,
                }
            }

            #[inline]
            fn poll_child(
                self: Pin<&mut Self>,
                index: usize,
                cx: &mut Context<'_>,
            ) -> Polled<Self::Stop> {
                let this = self.project();
                match index {
                    $first_index => this.$first.poll_future::<M>(cx),
                    $($index => this.$child.poll_future::<M>(cx),)*
                    _ => Polled::Pending,
                }
            }

            fn take_kept(self: Pin<&mut Self>) -> Self::Kept {
                let this = self.project();
                (this.$first.take_kept(), $(this.$child.take_kept(),)*)
            }

            fn release(mut self: Pin<&mut Self>) {
                self.set($Slots { $first: Slot::empty(), $($child: Slot::empty(),)* });
            }
        }

        impl<M, $First, $($Child,)*> IntoFutures<M> for ($First, $($Child,)*)
        where
            $First: IntoFuture,
            $($Child: IntoFuture,)*
            M: Mode<$First::Output>
                $(+ Mode<$Child::Output, Stop = <M as Mode<$First::Output>>::Stop>)*,
        {
            type Set = $Slots<
                Slot<$First::IntoFuture, <M as Mode<$First::Output>>::Keep>,
                $(Slot<$Child::IntoFuture, <M as Mode<$Child::Output>>::Keep>,)*
            >;

            #[inline]
            fn into_futures(self) -> Self::Set {
                let ($first, $($child,)*) = self;
                $Slots {
                    $first: Slot::new($first.into_future()),
                    $($child: Slot::new($child.into_future()),)*
                }
            }
        }

        impl<Item, $First, $($Child,)*> StreamSet for $Slots<
            Slot<$First, Infallible>,
            $(Slot<$Child, Infallible>,)*
        >
        where
            $First: Stream<Item = Item>,
            $($Child: Stream<Item = Item>,)*
        {
            type Item = Item;
            type Wakers = WakerArray<$len>;

            #[inline]
            fn len(&self) -> usize {
                $len
            }

            #[inline]
            fn poll_child(
                self: Pin<&mut Self>,
                index: usize,
                cx: &mut Context<'_>,
            ) -> Poll<Option<Item>> {
                let this = self.project();
                match index {
                    $first_index => this.$first.poll_stream(cx),
                    $($index => this.$child.poll_stream(cx),)*
                    _ => Poll::Pending,
                }
            }

            fn size_hint(&self) -> SizeHint {
                let hint = self.$first.size_hint();
                $(let hint = add_hints(hint, self.$child.size_hint());)*
                hint
            }
        }

        impl<Item, $First, $($Child,)*> IntoStreams for ($First, $($Child,)*)
        where
            $First: IntoStream<Item = Item>,
            $($Child: IntoStream<Item = Item>,)*
        {
            type Item = Item;
            type Set = $Slots<
                Slot<$First::IntoStream, Infallible>,
                $(Slot<$Child::IntoStream, Infallible>,)*
            >;
            type InOrder = Self::Set;

            #[inline]
            fn into_streams(self) -> Self::Set {
                let ($first, $($child,)*) = self;
                $Slots {
                    $first: Slot::new($first.into_stream()),
                    $($child: Slot::new($child.into_stream()),)*
                }
            }

            #[inline]
            fn into_streams_in_order(self) -> Self::InOrder {
                self.into_streams()
            }
        }

        impl<$First: Stream, $($Child: Stream,)*> RowSet for $Slots<
            Slot<$First, $First::Item>,
            $(Slot<$Child, $Child::Item>,)*
        > {
            type Row = ($First::Item, $($Child::Item,)*);
            type Wakers = WakerArray<$len>;

            #[inline]
            fn len(&self) -> usize {
                $len
            }

            #[inline]
            fn poll_child(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> RowStep {
                let this = self.project();
                match index {
                    $first_index => this.$first.poll_row(cx),
                    $($index => this.$child.poll_row(cx),)*
                    _ => RowStep::Pending,
                }
            }

            fn take_row(self: Pin<&mut Self>) -> Self::Row {
                let this = self.project();
                (this.$first.take_kept(), $(this.$child.take_kept(),)*)
            }

            fn release(mut self: Pin<&mut Self>) {
                self.set($Slots { $first: Slot::empty(), $($child: Slot::empty(),)* });
            }

            fn size_hint(&self) -> SizeHint {
                least([self.$first.row_hint(), $(self.$child.row_hint(),)*].into_iter())
            }
        }

        impl<$First: IntoStream, $($Child: IntoStream,)*> IntoRows for ($First, $($Child,)*) {
            type Row = ($First::Item, $($Child::Item,)*);
            type Set = $Slots<
                Slot<$First::IntoStream, $First::Item>,
                $(Slot<$Child::IntoStream, $Child::Item>,)*
            >;

            #[inline]
            fn into_rows(self) -> Self::Set {
                let ($first, $($child,)*) = self;
                $Slots {
                    $first: Slot::new($first.into_stream()),
                    $($child: Slot::new($child.into_stream()),)*
                }
            }
        }

        impl<E> ListErrors for (E, $(error!($Child),)*) {
            type List = [E; $len];

            fn into_list(self) -> Self::List {
                let ($first, $($child,)*) = self;
                [$first, $($child,)*]
            }
        }
    };
}
tuple! { Slots1 1: A a 0 }
tuple! { Slots2 2: A a 0 B b 1 }
tuple! { Slots3 3: A a 0 B b 1 C c 2 }
tuple! { Slots4 4: A a 0 B b 1 C c 2 D d 3 }
tuple! { Slots5 5: A a 0 B b 1 C c 2 D d 3 E e 4 }
tuple! { Slots6 6: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 }
tuple! { Slots7 7: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 }
tuple! { Slots8 8: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 }
tuple! { Slots9 9: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 }
tuple! { Slots10 10: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 }
tuple! { Slots11 11: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10 }
tuple! { Slots12 12: A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10 L l 11 }
