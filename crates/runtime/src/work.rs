//! Work that blocks, on other threads: files above all. In: a closure that may go to another
//! thread, and one that takes its result in the loop. Out: results, as they come. The threads are
//! of the process: loops share them. What another thread has to tell a loop once takes the same way
//! ([`Pool::expect`]). Absent: order among results, and stopping work that has begun.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
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

/// The threads, for all loops.
static CREW: Crew = Crew { state: Mutex::new(State::NONE), has_jobs: Condvar::new() };

/// One loop's part.
pub(crate) struct Pool {
    inbox: Arc<Inbox>,
    waiting: RefCell<Waiting>,
}

#[derive(Default)]
struct Waiting {
    number: u64,
    takers: HashMap<u64, Taker>,
    /// Those that keep the loop going.
    kept: usize,
}

struct Taker {
    then: Then,
    is_job: bool,
    is_kept: bool,
}

/// Where results of one loop come.
struct Inbox {
    results: Mutex<Vec<(u64, Result)>>,
    /// Made ready when results come, and by whoever else wakes the loop; nobody makes it calm
    /// again.
    waker: OwnedFd,
    /// The loop is gone.
    is_over: AtomicBool,
}

/// The place of one result that is still to come.
pub(crate) struct Expected(u64);

/// What gives it, on any thread.
pub(crate) struct Answer {
    inbox: Arc<Inbox>,
    number: u64,
}

struct Crew {
    state: Mutex<State>,
    has_jobs: Condvar,
}

struct State {
    jobs: VecDeque<(Answer, Job)>,
    threads: usize,
    idle: usize,
}

impl Pool {
    pub fn new() -> sys::Result<Pool> {
        let waker = epoll::waker()?;
        let inbox = Inbox { results: Mutex::default(), waker, is_over: AtomicBool::new(false) };
        Ok(Pool { inbox: Arc::new(inbox), waiting: RefCell::default() })
    }

    /// What is to be told of each wake once: [`crate::descriptors::Descriptors::add_waker`].
    pub fn waker(&self) -> BorrowedFd<'_> {
        self.inbox.waker.as_fd()
    }

    /// What wakes the loop from any thread for something that is not of the pool.
    pub fn wake(&self) -> impl Fn() + Send + Sync + 'static {
        let inbox = Arc::clone(&self.inbox);
        move || inbox.wake()
    }

    /// Whether a result is still to come that keeps the loop going.
    pub fn keeps_going(&self) -> bool {
        self.waiting.borrow().kept > 0
    }

    /// How many results of jobs are still to come.
    pub fn count(&self) -> usize {
        self.waiting.borrow().takers.values().filter(|taker| taker.is_job).count()
    }

    pub fn begin(&self, job: Job, then: Then) {
        let answer = self.add(Taker { then, is_job: true, is_kept: true });
        CREW.take_on(answer, job);
    }

    /// A result that some thread will give. It keeps the loop going until then.
    pub fn expect(&self, then: Then) -> (Expected, Answer) {
        let answer = self.add(Taker { then, is_job: false, is_kept: true });
        (Expected(answer.number), answer)
    }

    fn add(&self, taker: Taker) -> Answer {
        let mut waiting = self.waiting.borrow_mut();
        let number = waiting.number;
        waiting.number += 1;
        waiting.takers.insert(number, taker);
        waiting.kept += 1;
        Answer { inbox: Arc::clone(&self.inbox), number }
    }

    /// Whether what is expected keeps the loop going.
    pub fn set_kept(&self, expected: &Expected, is_kept: bool) {
        let mut waiting = self.waiting.borrow_mut();
        let Some(taker) = waiting.takers.get_mut(&expected.0) else { return };
        match (std::mem::replace(&mut taker.is_kept, is_kept), is_kept) {
            (false, true) => waiting.kept += 1,
            (true, false) => waiting.kept -= 1,
            _ => {}
        }
    }

    /// Nobody will give it.
    pub fn give_up(&self, expected: Expected) {
        let mut waiting = self.waiting.borrow_mut();
        let taker = waiting.takers.remove(&expected.0);
        waiting.kept -= usize::from(taker.as_ref().is_some_and(|taker| taker.is_kept));
    }

    /// Whether this loop takes it.
    pub fn is_of(&self, answer: &Answer) -> bool {
        Arc::ptr_eq(&self.inbox, &answer.inbox)
    }

    /// What did not keep the loop going does so from now on, where it is this loop's: it is about
    /// to come.
    pub fn keep_for(&self, answer: &Answer) {
        if self.is_of(answer) {
            self.set_kept(&Expected(answer.number), true);
        }
    }

    /// Nobody takes what is still to come.
    pub fn clear(&self) {
        let waiting = self.waiting.take();
        drop(waiting);
    }

    /// What has come, with who takes it. A panic of the work goes on here.
    pub fn take(&self) -> Vec<(Then, Box<dyn Any + Send>)> {
        let results = std::mem::take(&mut *self.inbox.lock());
        let mut waiting = self.waiting.borrow_mut();
        let taken = results.into_iter().map(|(number, result)| {
            let taker = waiting.takers.remove(&number).expect("every result has one who takes it");
            waiting.kept -= usize::from(taker.is_kept);
            (taker.then, result.unwrap_or_else(|panic| resume_unwind(panic)))
        });
        taken.collect()
    }
}

impl Drop for Pool {
    /// What has not begun is not done; nobody waits for what has.
    fn drop(&mut self) {
        self.inbox.is_over.store(true, Ordering::Relaxed);
        let mut jobs = Vec::new();
        let mut state = CREW.lock();
        for index in (0..state.jobs.len()).rev() {
            if Arc::ptr_eq(&state.jobs[index].0.inbox, &self.inbox) {
                jobs.extend(state.jobs.remove(index));
            }
        }
        // What a job owns may need the lock to go.
        drop(state);
        drop(jobs);
    }
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Result)>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        epoll::wake(self.waker.as_fd()).expect("an eventfd of our own takes a count");
    }
}

impl Answer {
    /// Gives it; the loop takes it when it looks outside. A loop that is gone takes nothing.
    pub fn give(self, value: Box<dyn Any + Send>) {
        self.finish(Ok(value));
    }

    fn finish(self, result: Result) {
        if self.inbox.is_over.load(Ordering::Relaxed) {
            return;
        }
        let mut results = self.inbox.lock();
        results.push((self.number, result));
        // Those before it have woken the loop, which takes all at once.
        let is_first = results.len() == 1;
        drop(results);
        if is_first {
            self.inbox.wake();
        }
    }
}

impl State {
    const NONE: State = State { jobs: VecDeque::new(), threads: 0, idle: 0 };
}

impl Crew {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_on(&'static self, answer: Answer, job: Job) {
        let mut state = self.lock();
        state.jobs.push_back((answer, job));
        if state.idle < state.jobs.len() && state.threads < THREADS_MAX {
            let started = thread::Builder::new().name("rusk-work".to_owned()).spawn(|| self.serve());
            state.threads += usize::from(started.is_ok());
            if state.threads == 0 {
                // No thread to be had: the loop does it, rather than nobody.
                let next = state.jobs.pop_front();
                drop(state);
                if let Some((answer, job)) = next {
                    perform(answer, job);
                }
                return;
            }
        }
        let has_idle = state.idle > 0;
        drop(state);
        // Waking costs a call even where nobody sleeps, and who works takes the next job by itself.
        if has_idle {
            self.has_jobs.notify_one();
        }
    }

    fn serve(&self) {
        let mut state = self.lock();
        loop {
            match state.jobs.pop_front() {
                Some((answer, job)) => {
                    drop(state);
                    perform(answer, job);
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
}

fn perform(answer: Answer, job: Job) {
    answer.finish(catch_unwind(AssertUnwindSafe(job)));
}
