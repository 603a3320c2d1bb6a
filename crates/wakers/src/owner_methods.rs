//! What every owner of sub-wakers can do, written once.

/// Implements the owner's methods on a type with a field `slots` and a function `shape`, and the
/// traits that all owners share.
macro_rules! owner_methods {
    ([$($generics:tt)*] $owner:ty, counted: $counted:literal) => {
        impl<$($generics)*> $owner {
            /// How many sub-wakers there are.
            #[inline]
            pub fn len(&self) -> usize {
                self.shape().len
            }

            /// Whether there is no sub-waker at all.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Starts a poll: registers `parent` as the one to wake, then takes the snapshot of the
            /// slots that are ready.
            ///
            /// The snapshot holds what was left of the one before, what was set by the owner, and
            /// what was woken. A wake that comes too late for it wakes `parent`.
            ///
            /// `parent` is cloned unless it is registered already (by [`will_wake`]) and was not
            /// woken since.
            ///
            /// # Panics
            ///
            /// Only if the clone of `parent` or the drop of its predecessor does; the array stays
            /// usable.
            ///
            /// [`will_wake`]: core::task::Waker::will_wake
            ///
            /// # Examples
            ///
            /// ```
            /// use core::task::Waker;
            /// use selvedge_wakers::WakerArray;
            ///
            /// let mut wakers = WakerArray::<3>::idle();
            /// wakers.waker(2).wake_by_ref();
            /// wakers.begin_poll(Waker::noop());
            /// wakers.waker(0).wake_by_ref(); // too late for this snapshot
            /// assert_eq!(wakers.next_ready(), Some(2));
            /// assert_eq!(wakers.next_ready(), None);
            /// wakers.begin_poll(Waker::noop());
            /// assert_eq!(wakers.next_ready(), Some(0));
            /// ```
            #[inline]
            pub fn begin_poll(&mut self, parent: &core::task::Waker) {
                self.slots.begin_poll(self.shape(), parent);
            }

            /// Starts a poll as [`begin_poll`](Self::begin_poll) does, but registers nobody.
            ///
            /// For a poll that will probably give something, and then needs nobody to be woken. If it
            /// gives nothing after all, it calls [`register`](Self::register) before it returns.
            ///
            /// Where nothing is left of the snapshot before and nothing seems to be woken it does
            /// nothing, and returns `false`: such a poll has to start by `begin_poll`, for what the owner
            /// set would wait for ever.
            ///
            /// A parent that was registered before and is not `parent` is let go: it polls no more.
            /// No read-modify-write where nothing was woken and the parent is the same.
            ///
            /// The [guide](crate::guide#the-parent-is-registered-after-the-look) has such a poll in full.
            ///
            /// # Panics
            ///
            /// Only if the drop of the parent before does; the array stays usable.
            #[inline]
            #[must_use = "where it returns `false` no poll has begun: call `begin_poll`"]
            pub fn begin_poll_unregistered(&mut self, parent: &core::task::Waker) -> bool {
                self.slots.begin_poll_unregistered(self.shape(), parent)
            }

            /// Registers `parent` in the middle of a poll, and then adds to the snapshot what was woken
            /// meanwhile: the end of a poll that was begun
            /// [unregistered](Self::begin_poll_unregistered).
            ///
            /// A slot that was part of this poll already, and was woken again, stays for the next one.
            /// If anything stays for it, `parent` is woken at once.
            ///
            /// The [guide](crate::guide#the-parent-is-registered-after-the-look) shows where it stands.
            ///
            /// # Panics
            ///
            /// Only if the parent's clone, wake or drop does; the array stays usable.
            pub fn register(&mut self, parent: &core::task::Waker) {
                self.slots.register(self.shape(), parent);
            }

            /// Adds to the snapshot what was woken since, and returns whether anything was added.
            ///
            /// A slot that was part of this poll already stays for the next one, so a loop over
            /// [`next_ready`](Self::next_ready) and this returns every slot once at most. Beyond the
            /// first 4,096 slots all stay for the next poll. The parent that this poll has registered is
            /// told of every wake that comes too late for it, whether or not this finds it.
            ///
            /// Costs a load where nothing was woken.
            ///
            /// ```
            /// use core::task::Waker;
            /// use selvedge_wakers::WakerArray;
            ///
            /// let mut wakers = WakerArray::<3>::idle();
            /// wakers.waker(0).wake_by_ref();
            /// wakers.begin_poll(Waker::noop());
            /// assert_eq!(wakers.next_ready(), Some(0));
            /// wakers.waker(0).wake_by_ref(); // had its turn
            /// wakers.waker(2).wake_by_ref();
            /// assert!(wakers.extend_poll());
            /// assert_eq!(wakers.next_ready(), Some(2));
            /// assert_eq!(wakers.next_ready(), None);
            /// assert!(wakers.is_ready(0));
            /// ```
            #[inline]
            pub fn extend_poll(&mut self) -> bool {
                self.slots.extend_poll(self.shape())
            }

            /// Drops the registered parent, if no wake has taken it: until the next
            /// [`begin_poll`](Self::begin_poll) nobody is woken, and the parent's task is not kept.
            ///
            /// For an owner that rests between two rounds of work. At most one read-modify-write.
            ///
            /// # Panics
            ///
            /// Only if the drop of the parent does; the array stays usable.
            pub fn release_parent(&mut self) {
                drop(self.slots.take_parent());
            }

            /// Pops the next slot of the snapshot that [`begin_poll`](Self::begin_poll) took.
            ///
            /// Goes in index order and wraps once. The first poll starts at slot 0, each later one at
            /// the slot after the start of the one before, or, where that poll left part of its
            /// snapshot, after the last slot it returned (at its own start, if it returned none).
            /// What is left stays ready for the next poll.
            ///
            /// ```
            /// use core::task::Waker;
            /// use selvedge_wakers::WakerArray;
            ///
            /// let mut wakers = WakerArray::<3>::new();
            /// let mut poll = |most| {
            ///     wakers.begin_poll(Waker::noop());
            ///     let polled: Vec<_> = core::iter::from_fn(|| wakers.next_ready()).take(most).collect();
            ///     polled.iter().for_each(|&index| wakers.make_ready(index));
            ///     polled
            /// };
            /// assert_eq!(poll(3), [0, 1, 2]);
            /// assert_eq!(poll(3), [1, 2, 0]); // one further
            /// assert_eq!(poll(1), [2]);
            /// assert_eq!(poll(3), [0, 1, 2]); // where the one before left off
            /// ```
            #[inline]
            pub fn next_ready(&mut self) -> Option<usize> {
                self.slots.next_ready(self.shape())
            }

            /// The waker of a slot, on loan. No reference is counted for it; a clone counts one (none in
            /// a static).
            ///
            /// Clones of the waker of one slot are equal by [`will_wake`]; wakers of different slots
            /// or arrays never are.
            ///
            /// # Panics
            ///
            /// If there is no such slot.
            ///
            /// [`will_wake`]: core::task::Waker::will_wake
            #[inline]
            #[track_caller]
            pub fn waker(&self, index: usize) -> $crate::WakerRef<'_> {
                self.slots.waker(self.shape(), $counted, index)
            }

            /// Whether the slot was woken or set since it was last reported or cleared: the next
            /// snapshot, or what is left of this one, will report it.
            ///
            /// # Panics
            ///
            /// If there is no such slot.
            #[track_caller]
            pub fn is_ready(&self, index: usize) -> bool {
                self.slots.is_ready(self.shape(), index)
            }

            /// Whether [`is_ready`](Self::is_ready) holds for any slot.
            pub fn any_ready(&self) -> bool {
                self.slots.any_ready(self.shape())
            }

            /// Makes a slot ready, for the next snapshot, and returns whether it was ready before.
            ///
            /// Acts for the owner: it never wakes the parent, and never keeps a wake from doing so.
            ///
            /// ```
            /// use core::task::Waker;
            /// use selvedge_wakers::WakerArray;
            ///
            /// let mut wakers = WakerArray::<3>::idle();
            /// assert!(!wakers.set_ready(1));
            /// assert!(wakers.set_ready(1) && wakers.any_ready());
            /// wakers.begin_poll(Waker::noop());
            /// assert_eq!(wakers.next_ready(), Some(1));
            /// ```
            ///
            /// # Panics
            ///
            /// If there is no such slot.
            #[track_caller]
            pub fn set_ready(&mut self, index: usize) -> bool {
                self.slots.set_ready(self.shape(), index)
            }

            /// Makes a slot ready, for the next snapshot, as [`set_ready`](Self::set_ready) does.
            ///
            /// Says nothing about what was before, and so never looks at what wakers write: the
            /// cheaper one of the two.
            ///
            /// # Panics
            ///
            /// If there is no such slot.
            #[inline]
            #[track_caller]
            pub fn make_ready(&mut self, index: usize) {
                self.slots.make_ready(self.shape(), index);
            }

            /// Makes every slot ready, as by [`set_ready`](Self::set_ready).
            pub fn set_all_ready(&mut self) {
                self.slots.set_ready_from(self.shape(), 0);
            }

            /// Forgets that a slot was set, woken, or is waiting in the snapshot, and returns whether
            /// it was ready before. The next wake of the slot is a new one.
            ///
            /// The parent may have been told already, and then polls for nothing.
            ///
            /// ```
            /// use core::task::Waker;
            /// use selvedge_wakers::WakerArray;
            ///
            /// let mut wakers = WakerArray::<3>::new();
            /// assert!(wakers.clear_ready(0));
            /// assert!(!wakers.clear_ready(0));
            /// wakers.begin_poll(Waker::noop());
            /// assert_eq!(wakers.next_ready(), Some(1));
            /// ```
            ///
            /// # Panics
            ///
            /// If there is no such slot.
            #[track_caller]
            pub fn clear_ready(&mut self, index: usize) -> bool {
                self.slots.clear_ready(self.shape(), index)
            }
        }

        impl<$($generics)*> core::fmt::Debug for $owner {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($owner).split('<').next().unwrap_or_default().trim_end())
                    .field("len", &self.len())
                    .field("any_ready", &self.any_ready())
                    .finish_non_exhaustive()
            }
        }

        // User code runs before the first change and after the last one.
        impl<$($generics)*> core::panic::UnwindSafe for $owner {}
        impl<$($generics)*> core::panic::RefUnwindSafe for $owner {}
    };
}

pub(crate) use owner_methods;
