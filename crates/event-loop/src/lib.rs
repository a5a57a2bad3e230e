//! Event loop without an engine: a reactor over epoll, I/O handles, a thread pool, signals, child
//! processes and a clock (libuv's role). In: file descriptors, blocking work, signals, children.
//! Out: the callbacks that are due. Absent: calling them, and the order of phases; the runtime
//! decides both, because ticks and microtasks run between callbacks.

mod child;
mod clock;
mod event_loop;
mod io_handle;
mod orphan_reaper;
mod reactor;
mod signals;
mod spin;
#[cfg(test)]
mod tests;
mod thread_pool;

pub use child::ChildHandle;
pub use clock::Clock;
pub use event_loop::EventLoop;
pub use io_handle::IoHandle;
pub use orphan_reaper::ORPHAN_REAPER;
pub use reactor::{CALLS_IN_A_ROW_MAX, Callback, LoopToken, Reactor, Readiness, Token};
pub use signals::{SignalCallback, SignalHandle, Signals};
pub use spin::{SPIN_TIME, Spin};
pub use thread_pool::{Completer, Completion, Pending, ThreadPool};

/// What callbacks run in: the scope of an engine, and what they may throw.
pub trait Context: 'static {
    type Scope: 'static;
    type Error<'s>;
}
