//! Execution limits of scripts: timeout and interrupt, as the options `timeout` and `breakOnSigint`
//! of `node:vm`. In: a timeout, an interrupt check. Out: the script ends with a termination
//! exception, which no `catch` or `finally` of JavaScript handles; its caller continues and gets
//! the reason. Limits may be nested. Without the unstable ABI no script is ended. Absent:
//! termination of a whole VM; see `termination`.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::scope::Scope;
use crate::termination::ExecutionTerminator;

/// Interval of interrupt checks, and of repeated terminations while a nested limit is active.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Limits for the execution of a script.
#[derive(Clone, Copy, Default)]
pub struct ExecutionLimit {
    /// The maximum time.
    pub timeout: Option<Duration>,
    /// Interrupt check, called repeatedly on another thread.
    pub is_interrupted: Option<fn() -> bool>,
}

/// Why a script was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReached {
    /// The timeout was reached.
    Timeout,
    /// The interrupt check returned true.
    Interrupt,
}

/// State shared by the script's thread and the watchdog thread. The watchdog terminates while it
/// holds the lock, so it cannot hit code that runs after the script.
#[derive(Default)]
struct Watchdog {
    state: Mutex<LimitState>,
    changed: Condvar,
}

#[derive(Default)]
struct LimitState {
    is_done: bool,
    ended: Option<LimitReached>,
}

impl Scope {
    /// Whether scripts can be ended on this engine.
    pub fn can_limit_execution(&self) -> bool {
        ExecutionTerminator::of(self.shared().group, self.shared().global()).is_some()
    }

    /// Runs `body` under a limit: scripts in it end with an exception when the limit is reached,
    /// and the reason is returned. Without one, exceptions in `body` are JavaScript's or those of
    /// other limits. Without `can_limit_execution` nothing is ended.
    pub fn with_execution_limit<R>(
        &self,
        limit: &ExecutionLimit,
        body: impl for<'s> FnOnce(&'s Scope) -> R,
    ) -> (R, Option<LimitReached>) {
        let shared = self.shared();
        let Some(terminator) = ExecutionTerminator::of(shared.group, shared.global()) else {
            return (body(self), None);
        };
        let (watch, limit) = (Arc::new(Watchdog::default()), *limit);
        let watching = watch.clone();
        let started = Instant::now();
        let watcher = thread::Builder::new().spawn(move || watching.run(limit, started, terminator));
        let result = body(self);
        let ended = watch.finish();
        // Without a thread there is no limit; a panic of the thread was printed already.
        let _ = watcher.map(thread::JoinHandle::join);
        if ended.is_some() {
            terminator.cancel_terminate_execution();
            // A terminated VM stays terminated.
            if let Some(termination) = shared.termination.get() {
                termination.reassert();
            }
        }
        (result, ended)
    }
}

impl Watchdog {
    /// Runs until the script is done. The termination may have hit a nested limit's script, so it
    /// is repeated.
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

    fn lock(&self) -> MutexGuard<'_, LimitState> {
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

    /// `None`: nothing can end the script.
    fn next_check(&self, started: Instant) -> Option<Duration> {
        let rest = self.timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
        rest.into_iter().chain(self.is_interrupted.map(|_| POLL_INTERVAL)).min()
    }
}
