//! Scripts that do not end by themselves, ended, while those that called them go on. In: a limit of
//! time, a question. Out: the script ends by an exception that no `catch` and no `finally` of
//! JavaScript sees, and whoever asked is told. Guards stand within each other. Where the engine's
//! parts lie otherwise than expected nothing ends. Absent: a whole VM that is to end for good; that
//! is `halt`.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::halt::Stopper;
use crate::scope::Scope;

/// How long it takes until a question is asked again, and a script that has a new one around it is
/// stopped once more.
const LOOK: Duration = Duration::from_millis(10);

/// What may end a script.
#[derive(Clone, Copy, Default)]
pub struct Guard {
    /// After which it has to be over.
    pub time: Option<Duration>,
    /// Asked again and again, on a thread of its own.
    pub is_over: Option<fn() -> bool>,
}

/// What has ended a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its time was over.
    Late,
    /// The question was answered.
    Asked,
}

/// What the script's thread and the one that watches it have in common. Whoever stops the script
/// holds the lock, so that nothing is stopped that comes behind it.
#[derive(Default)]
struct Watch {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_done: bool,
    ended: Option<Ended>,
}

impl Scope {
    /// Whether scripts can be ended on this engine.
    pub fn is_guardable(&self) -> bool {
        Stopper::of(self.shared().group, self.shared().global).is_some()
    }

    /// Runs `body`; what it evaluates and calls ends as `guard` says, with an exception. Told is
    /// what has ended it; without that, the exceptions that `body` sees are others' or
    /// JavaScript's. Without `is_guardable` nothing ends it.
    pub fn guarded<R>(&self, guard: &Guard, body: impl for<'s> FnOnce(&'s Scope) -> R) -> (R, Option<Ended>) {
        let shared = self.shared();
        let Some(stopper) = Stopper::of(shared.group, shared.global) else { return (body(self), None) };
        let (watch, guard) = (Arc::new(Watch::default()), *guard);
        let watching = watch.clone();
        let began = Instant::now();
        let watcher = thread::Builder::new().spawn(move || watching.run(guard, began, stopper));
        let result = body(self);
        let ended = watch.finish();
        // Without a thread nothing ends; one that panics has told so.
        let _ = watcher.map(thread::JoinHandle::join);
        if ended.is_some() {
            stopper.forgive();
            // A VM that is halted stays so.
            if let Some(halt) = shared.halt.get() {
                halt.remind();
            }
        }
        (result, ended)
    }
}

impl Watch {
    /// Until the script is done. What was stopped may have been a script within the one that is
    /// meant, so it is stopped again.
    fn run(&self, guard: Guard, began: Instant, stopper: Stopper) {
        let mut state = self.lock();
        while !state.is_done {
            state.ended = state.ended.or_else(|| guard.ended(began));
            if state.ended.is_some() {
                stopper.stop();
            }
            let wait = if state.ended.is_some() { Some(LOOK) } else { guard.next_look(began) };
            state = match wait {
                Some(wait) => {
                    self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn finish(&self) -> Option<Ended> {
        let mut state = self.lock();
        state.is_done = true;
        self.changed.notify_all();
        state.ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guard {
    fn ended(&self, began: Instant) -> Option<Ended> {
        if self.time.is_some_and(|time| began.elapsed() >= time) {
            return Some(Ended::Late);
        }
        self.is_over.is_some_and(|is_over| is_over()).then_some(Ended::Asked)
    }

    /// `None`: nothing can end it.
    fn next_look(&self, began: Instant) -> Option<Duration> {
        let rest = self.time.map(|time| time.saturating_sub(began.elapsed()));
        rest.into_iter().chain(self.is_over.map(|_| LOOK)).min()
    }
}
