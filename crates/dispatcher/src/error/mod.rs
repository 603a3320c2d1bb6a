//! What can be refused, and what can become of a task.

mod dispatch;
mod launch;
mod launch_kind;
mod panic_payload;
mod task;
mod timed_out;

pub use self::dispatch::DispatchError;
pub use self::launch::LaunchError;
pub use self::launch_kind::LaunchErrorKind;
pub use self::panic_payload::PanicPayload;
pub use self::task::TaskError;
pub use self::timed_out::TimedOut;
