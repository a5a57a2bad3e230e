//! Work that blocks, on other threads: files above all. In: a closure that may go to another thread, and one that takes its result
//! in the loop. Out: results, as they come. Absent: order among them, and stopping work that has begun.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rusk_base::sys;
use rusk_base::sys::epoll;
use rusk_jsc::{Exception, Scope};

/// As many as Node has: work that waits for a disk does not need a processor each.
const THREADS_MAX: usize = 4;

type Job = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;
type Result = thread::Result<Box<dyn Any + Send>>;

/// What takes a result, in the loop.
pub(crate) type Then = Box<dyn for<'s> FnOnce(&'s Scope, Box<dyn Any + Send>) -> Outcome<'s>>;
pub(crate) type Outcome<'s> = std::result::Result<(), Exception<'s>>;

pub(crate) struct Pool {
    shared: Arc<Shared>,
    waiting: RefCell<Waiting>,
}

#[derive(Default)]
struct Waiting {
    number: u64,
    takers: HashMap<u64, Then>,
}

struct Shared {
    state: Mutex<State>,
    has_jobs: Condvar,
    /// Ready while results wait.
    waker: OwnedFd,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<(u64, Job)>,
    results: Vec<(u64, Result)>,
    threads: usize,
    idle: usize,
    is_over: bool,
}

impl Pool {
    pub fn new() -> sys::Result<Pool> {
        let shared = Shared { state: Mutex::default(), has_jobs: Condvar::new(), waker: epoll::waker()? };
        Ok(Pool { shared: Arc::new(shared), waiting: RefCell::default() })
    }

    pub fn waker(&self) -> BorrowedFd<'_> {
        self.shared.waker.as_fd()
    }

    /// Whether a result is still to come, which keeps the loop going.
    pub fn keeps_going(&self) -> bool {
        self.count() > 0
    }

    /// How many results are still to come.
    pub fn count(&self) -> usize {
        self.waiting.borrow().takers.len()
    }

    pub fn begin(&self, job: Job, then: Then) {
        let mut waiting = self.waiting.borrow_mut();
        let number = waiting.number;
        waiting.number += 1;
        waiting.takers.insert(number, then);
        let mut state = self.shared.lock();
        state.jobs.push_back((number, job));
        if state.idle < state.jobs.len() && state.threads < THREADS_MAX {
            let shared = Arc::clone(&self.shared);
            let started = thread::Builder::new().name("rusk-work".to_owned()).spawn(move || shared.serve());
            state.threads += usize::from(started.is_ok());
            if state.threads == 0 {
                // No thread to be had: the loop does it, rather than nobody.
                drop(state);
                self.shared.run_one();
                return;
            }
        }
        let has_idle = state.idle > 0;
        drop(state);
        // Waking costs a call even where nobody sleeps, and who works takes the next job by itself.
        if has_idle {
            self.shared.has_jobs.notify_one();
        }
    }

    /// Nobody takes what is still to come.
    pub fn clear(&self) {
        let takers = std::mem::take(&mut self.waiting.borrow_mut().takers);
        drop(takers);
    }

    /// What has come, with who takes it. A panic of the work goes on here.
    pub fn take(&self) -> sys::Result<Vec<(Then, Box<dyn Any + Send>)>> {
        epoll::calm(self.waker())?;
        let results = std::mem::take(&mut self.shared.lock().results);
        let mut waiting = self.waiting.borrow_mut();
        let taken = results.into_iter().map(|(number, result)| {
            let then = waiting.takers.remove(&number).expect("every job has one who takes it");
            (then, result.unwrap_or_else(|panic| resume_unwind(panic)))
        });
        Ok(taken.collect())
    }
}

impl Drop for Pool {
    /// Threads end when they have finished what they do; nobody waits for them.
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_over = true;
        state.jobs.clear();
        drop(state);
        self.shared.has_jobs.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        let mut state = self.lock();
        while !state.is_over {
            match state.jobs.pop_front() {
                Some((number, job)) => {
                    drop(state);
                    self.finish(number, job);
                    state = self.lock();
                }
                None => {
                    state.idle += 1;
                    state = self.has_jobs.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.idle -= 1;
                }
            }
        }
    }

    fn run_one(&self) {
        let job = self.lock().jobs.pop_front();
        if let Some((number, job)) = job {
            self.finish(number, job);
        }
    }

    fn finish(&self, number: u64, job: Job) {
        let result = catch_unwind(AssertUnwindSafe(job));
        let mut state = self.lock();
        state.results.push((number, result));
        // Those before it have woken the loop, which takes all at once.
        let is_first = state.results.len() == 1;
        drop(state);
        if is_first {
            epoll::wake(self.waker.as_fd()).expect("an eventfd of our own takes a count");
        }
    }
}
