//! Whether this process is still the one in which a dispatcher was made.

#[cfg(not(all(unix, feature = "fork")))]
pub(crate) use self::unwatched::Stamp;
#[cfg(all(unix, feature = "fork"))]
pub(crate) use self::watched::Stamp;

/// With the feature: a handler counts on at each fork that led to this process.
#[cfg(all(unix, feature = "fork"))]
mod watched {
    use selvedge_sync::atomic::Ordering;
    // The handler runs outside of every model.
    use selvedge_sync::unmodelled::AtomicU64;

    /// Greater in a forked child than in its parent, if that watched.
    static AGE: AtomicU64 = AtomicU64::new(1);
    /// Whether the handler is registered: one if it is.
    static WATCHED: AtomicU64 = AtomicU64::new(0);

    extern "C" fn in_the_child() {
        // Relaxed: the child has one thread at this moment.
        AGE.fetch_add(1, Ordering::Relaxed);
    }

    /// Registers the handler, unless that is done. It waits for no other thread, for in the child of a
    /// fork meanwhile that thread would not be there. So two may register it, and each fork counts as
    /// two from then on: it only has to count as some.
    fn watch() {
        // Relaxed: a fork comes before or after a registration by the lock of the C library, and a
        // thread that reads this has not looked at any stamp yet.
        if WATCHED.load(Ordering::Relaxed) == 0 {
            // SAFETY: the handler does one atomic addition, which is allowed in a forked child.
            let failed = unsafe { libc::pthread_atfork(None, None, Some(in_the_child)) };
            assert_eq!(failed, 0, "the fork handler needs a little memory");
            WATCHED.store(1, Ordering::Relaxed);
        }
    }

    /// The process in which something was made. Zero until then.
    #[derive(Debug)]
    pub(crate) struct Stamp(AtomicU64);

    impl Stamp {
        /// Stamped at the first look.
        pub(crate) const fn unset() -> Self {
            Self(AtomicU64::new(0))
        }

        /// The process as it is now.
        pub(crate) fn now() -> Self {
            let stamp = Self::unset();
            stamp.set();
            stamp
        }

        /// Whether this process is a forked child of the one of the stamp.
        #[inline]
        pub(crate) fn is_foreign(&self) -> bool {
            // Relaxed: both change between processes only, or from unset to set.
            let stamp = self.0.load(Ordering::Relaxed);
            stamp != AGE.load(Ordering::Relaxed) && !self.is_new(stamp)
        }

        #[cold]
        fn is_new(&self, stamp: u64) -> bool {
            let new = stamp == 0;
            if new {
                self.set();
            }
            new
        }

        fn set(&self) {
            watch();
            // Relaxed: as in `is_foreign`; every thread of a process stores the same number.
            self.0.store(AGE.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Without the feature nothing is known of forks.
#[cfg(not(all(unix, feature = "fork")))]
mod unwatched {
    /// Nothing.
    #[derive(Debug)]
    pub(crate) struct Stamp(());

    impl Stamp {
        pub(crate) const fn unset() -> Self {
            Self(())
        }

        pub(crate) const fn now() -> Self {
            Self(())
        }

        #[inline]
        pub(crate) const fn is_foreign(&self) -> bool {
            false
        }
    }
}
