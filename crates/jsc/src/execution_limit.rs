//! Scripts that do not end by themselves, ended, while those that called them go on. In: a limit of
//! time, a question. Out: the script ends by an exception that no `catch` and no `finally` of
//! JavaScript sees, and whoever asked is told. Guards stand within each other. Where the engine's
//! parts lie otherwise than expected nothing ends. Absent: a whole VM that is to end for good; that
//! is `halt`.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::scope::Scope;
use crate::termination::ExecutionTerminator;

/// How long it takes until a question is asked again, and a script that has a new one around it is
/// stopped once more.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What may end a script.
#[derive(Clone, Copy, Default)]
pub struct ExecutionLimit {
    /// After which it has to be over.
    pub timeout: Option<Duration>,
    /// Asked again and again, on a thread of its own.
    pub is_interrupted: Option<fn() -> bool>,
}

/// What has ended a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// Its time was over.
    Timeout,
    /// The question was answered.
    Interrupt,
}

/// What the script's thread and the one that watches it have in common. Whoever stops the script
/// holds the lock, so that nothing is stopped that comes behind it.
#[derive(Default)]
struct Watchdog {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_done: bool,
    ended: Option<LimitReached>,
}

impl Scope {
    /// Whether scripts can be ended on this engine.
    pub fn can_limit_execution(&self) -> bool {
        ExecutionTerminator::of(self.shared().group, self.shared().global).is_some()
    }

    /// Runs `body`; what it evaluates and abi ends as `limit` says, with an exception. Told is
    /// what has ended it; without that, the exceptions that `body` sees are others' or
    /// JavaScript's. Without `can_limit_execution` nothing ends it.
    pub fn with_execution_limit<R>(
        &self,
        limit: &ExecutionLimit,
        body: impl for<'s> FnOnce(&'s Scope) -> R,
    ) -> (R, Option<LimitReached>) {
        let shared = self.shared();
        let Some(terminator) = ExecutionTerminator::of(shared.group, shared.global) else {
            return (body(self), None);
        };
        let (watch, limit) = (Arc::new(Watchdog::default()), *limit);
        let watching = watch.clone();
        let started = Instant::now();
        let watcher = thread::Builder::new().spawn(move || watching.run(limit, started, terminator));
        let result = body(self);
        let ended = watch.finish();
        // Without a thread nothing ends; one that panics has told so.
        let _ = watcher.map(thread::JoinHandle::join);
        if ended.is_some() {
            terminator.cancel_terminate_execution();
            // A VM that is halted stays so.
            if let Some(termination) = shared.termination.get() {
                termination.reassert();
            }
        }
        (result, ended)
    }
}

impl Watchdog {
    /// Until the script is done. What was stopped may have been a script within the one that is
    /// meant, so it is stopped again.
    fn run(&self, limit: ExecutionLimit, started: Instant, terminator: ExecutionTerminator) {
        let mut state = self.lock();
        while !state.is_done {
            state.ended = state.ended.or_else(|| limit.ended(started));
            if state.ended.is_some() {
                terminator.terminate_execution();
            }
            let wait = if state.ended.is_some() { Some(POLL_INTERVAL) } else { limit.next_check(started) };
            state = match wait {
                Some(wait) => {
                    self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn finish(&self) -> Option<LimitReached> {
        let mut state = self.lock();
        state.is_done = true;
        self.changed.notify_all();
        state.ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExecutionLimit {
    fn ended(&self, started: Instant) -> Option<LimitReached> {
        if self.timeout.is_some_and(|timeout| started.elapsed() >= timeout) {
            return Some(LimitReached::Timeout);
        }
        self.is_interrupted.is_some_and(|is_interrupted| is_interrupted()).then_some(LimitReached::Interrupt)
    }

    /// `None`: nothing can end it.
    fn next_check(&self, started: Instant) -> Option<Duration> {
        let rest = self.timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
        rest.into_iter().chain(self.is_interrupted.map(|_| POLL_INTERVAL)).min()
    }
}
