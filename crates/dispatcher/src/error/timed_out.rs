//! A wait that ended with its time.

use core::error::Error;
use std::fmt;

/// The time was over before the task was. The handle is as good as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOut;

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task has not finished in time; wait again, or cancel it")
    }
}

impl Error for TimedOut {}
