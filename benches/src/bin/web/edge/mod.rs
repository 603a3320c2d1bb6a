//! A small reactor on mio, edge-triggered as tokio's, that the threads of an executor drive themselves.
//!
//! A socket is registered once. Its `Source` keeps what it is ready for; what clears that is a read or a
//! write that came back short, or was refused. A thread that has nothing to run waits in the reactor, if
//! no other does, and else parks.

mod attendance;
mod block_on;
mod reactor;
mod registered;
mod socket;
mod source;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use reactor::Reactor;
pub(crate) use socket::accept;
