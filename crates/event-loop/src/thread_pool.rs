//! Thread pool for blocking work, above all of files (libuv's `uv_queue_work`). In: a closure that
//! may run on another thread, and a completion that takes its result on the loop's thread. Out:
//! results, as they are done. The threads belong to the process: loops share them. What another
//! thread has to report to a loop once goes the same way ([`ThreadPool::pending`], a oneshot
//! channel). Absent: an order among results, and cancelling work that has begun.

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

use crate::Context;

/// As many as Node has: work that waits for a disk does not need a processor each.
const THREADS_MAX: usize = 4;

type Work = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;
type WorkResult = thread::Result<Box<dyn Any + Send>>;

/// Takes a result on the loop's thread.
pub type Completion<C> = Box<
    dyn for<'s> FnOnce(
        &'s <C as Context>::Scope,
        Box<dyn Any + Send>,
    ) -> Result<(), <C as Context>::Error<'s>>,
>;

/// The threads, for all loops of the process.
static THREADS: Threads = Threads { queue: Mutex::new(Queue::EMPTY), has_work: Condvar::new() };

/// One loop's part of the pool.
pub struct ThreadPool<C: Context> {
    completed: Arc<CompletionQueue>,
    requests: RefCell<Requests<C>>,
}

struct Requests<C: Context> {
    next_id: u64,
    by_id: HashMap<u64, Request<C>>,
    /// Number of those that keep the loop alive.
    ref_count: usize,
}

struct Request<C: Context> {
    completion: Completion<C>,
    is_work: bool,
    is_ref: bool,
    /// Its result is taken even when the program has ended.
    outlives_program: bool,
}

/// Results of one loop, which other threads push.
struct CompletionQueue {
    results: Mutex<Vec<(u64, WorkResult)>>,
    /// Written when results are pushed, and by other wakeups of the loop; its counter is
    /// never read.
    waker: OwnedFd,
    /// The loop is gone.
    is_closed: AtomicBool,
}

/// The receiving half of one result that is pending.
pub struct Pending(u64);

/// The sending half, for any thread.
pub struct Completer {
    completed: Arc<CompletionQueue>,
    id: u64,
}

struct Threads {
    queue: Mutex<Queue>,
    has_work: Condvar,
}

struct Queue {
    work: VecDeque<(Completer, Work)>,
    threads: usize,
    idle: usize,
}

impl<C: Context> ThreadPool<C> {
    pub fn new() -> sys::Result<ThreadPool<C>> {
        let waker = epoll::waker()?;
        let completed =
            CompletionQueue { results: Mutex::default(), waker, is_closed: AtomicBool::new(false) };
        Ok(ThreadPool { completed: Arc::new(completed), requests: RefCell::new(Requests::new()) })
    }

    /// The eventfd for [`crate::Reactor::add_waker`].
    pub fn waker(&self) -> BorrowedFd<'_> {
        self.completed.waker.as_fd()
    }

    /// Wakes the loop from any thread for a reason outside of the pool.
    pub fn wake(&self) -> impl Fn() + Send + Sync + 'static {
        let completed = Arc::clone(&self.completed);
        move || completed.wake()
    }

    /// Whether a result is still to come that keeps the loop alive.
    pub fn is_alive(&self) -> bool {
        self.requests.borrow().ref_count > 0
    }

    /// Number of work items whose results are still to come.
    pub fn work_count(&self) -> usize {
        self.requests.borrow().by_id.values().filter(|request| request.is_work).count()
    }

    /// Runs `work` on another thread, then `completion` on the loop's.
    pub fn queue_work(&self, work: Work, completion: Completion<C>) {
        let completer =
            self.add(Request { completion, is_work: true, is_ref: true, outlives_program: false });
        THREADS.push(completer, work);
    }

    /// A result that another thread will send. It keeps the loop alive until then.
    pub fn pending(&self, completion: Completion<C>) -> (Pending, Completer) {
        let completer =
            self.add(Request { completion, is_work: false, is_ref: true, outlives_program: false });
        (Pending(completer.id), completer)
    }

    fn add(&self, request: Request<C>) -> Completer {
        let mut requests = self.requests.borrow_mut();
        let id = requests.next_id;
        requests.next_id += 1;
        requests.by_id.insert(id, request);
        requests.ref_count += 1;
        Completer { completed: Arc::clone(&self.completed), id }
    }

    /// Sets whether a pending result keeps the loop alive.
    pub fn set_ref(&self, pending: &Pending, is_ref: bool) {
        let mut requests = self.requests.borrow_mut();
        let Some(request) = requests.by_id.get_mut(&pending.0) else { return };
        match (std::mem::replace(&mut request.is_ref, is_ref), is_ref) {
            (false, true) => requests.ref_count += 1,
            (true, false) => requests.ref_count -= 1,
            _ => {}
        }
    }

    /// Has the result taken even when the program has ended ([`ThreadPool::take_last_completed`]).
    pub fn set_outlives_program(&self, pending: &Pending) {
        if let Some(request) = self.requests.borrow_mut().by_id.get_mut(&pending.0) {
            request.outlives_program = true;
        }
    }

    /// Forgets a result that will never be sent, or that is not taken any more.
    pub fn cancel(&self, pending: Pending) {
        let mut requests = self.requests.borrow_mut();
        let request = requests.by_id.remove(&pending.0);
        requests.ref_count -= usize::from(request.as_ref().is_some_and(|request| request.is_ref));
    }

    /// Whether the result goes to this loop.
    pub fn owns(&self, completer: &Completer) -> bool {
        Arc::ptr_eq(&self.completed, &completer.completed)
    }

    /// Refs a result of this loop that is about to be sent.
    pub fn ref_for(&self, completer: &Completer) {
        if self.owns(completer) {
            self.set_ref(&Pending(completer.id), true);
        }
    }

    /// Drops all completions; results that are still to come are ignored.
    pub fn clear(&self) {
        let next_id = self.requests.borrow().next_id;
        // Numbers are not used again: results of earlier requests may come.
        let requests = self.requests.replace(Requests { next_id, ..Requests::new() });
        drop(requests);
    }

    /// Results that have come, with their completions. A panic of the work continues here.
    pub fn take_completed(&self) -> Vec<(Completion<C>, Box<dyn Any + Send>)> {
        let taken = self.take_requests().into_iter().map(|(request, result)| {
            (request.completion, result.unwrap_or_else(|panic| resume_unwind(panic)))
        });
        taken.collect()
    }

    /// As [`ThreadPool::take_completed`], when the program has ended: only those that outlive it.
    pub fn take_last_completed(&self) -> Vec<(Completion<C>, Box<dyn Any + Send>)> {
        let taken = self.take_requests().into_iter().filter(|(request, _)| request.outlives_program);
        taken.filter_map(|(request, result)| Some((request.completion, result.ok()?))).collect()
    }

    fn take_requests(&self) -> Vec<(Request<C>, WorkResult)> {
        let results = std::mem::take(&mut *self.completed.lock());
        let mut requests = self.requests.borrow_mut();
        let taken = results.into_iter().filter_map(|(id, result)| {
            // A result may have been sent before it was cancelled.
            let request = requests.by_id.remove(&id)?;
            requests.ref_count -= usize::from(request.is_ref);
            Some((request, result))
        });
        taken.collect()
    }
}

impl<C: Context> Requests<C> {
    fn new() -> Requests<C> {
        Requests { next_id: 0, by_id: HashMap::new(), ref_count: 0 }
    }
}

impl<C: Context> Drop for ThreadPool<C> {
    /// Work that has not begun is dropped; nothing waits for work that has.
    fn drop(&mut self) {
        self.completed.is_closed.store(true, Ordering::Relaxed);
        let mut dropped = Vec::new();
        let mut queue = THREADS.lock();
        for index in (0..queue.work.len()).rev() {
            if Arc::ptr_eq(&queue.work[index].0.completed, &self.completed) {
                dropped.extend(queue.work.remove(index));
            }
        }
        // Dropping what a closure owns may need the lock.
        drop(queue);
        drop(dropped);
    }
}

impl CompletionQueue {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, WorkResult)>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        epoll::wake(self.waker.as_fd()).expect("an eventfd of our own takes a count");
    }
}

impl Completer {
    /// Sends the result; the loop takes it in its next poll phase. A loop that is gone ignores it.
    pub fn send(self, value: Box<dyn Any + Send>) {
        self.finish(Ok(value));
    }

    fn finish(self, result: WorkResult) {
        if self.completed.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let mut results = self.completed.lock();
        results.push((self.id, result));
        // Earlier ones have woken the loop, which takes all at once.
        let is_first = results.len() == 1;
        drop(results);
        if is_first {
            self.completed.wake();
        }
    }
}

impl Queue {
    const EMPTY: Queue = Queue { work: VecDeque::new(), threads: 0, idle: 0 };
}

impl Threads {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&'static self, completer: Completer, work: Work) {
        let mut queue = self.lock();
        queue.work.push_back((completer, work));
        if queue.idle < queue.work.len() && queue.threads < THREADS_MAX {
            let started = thread::Builder::new().name("rusk-work".to_owned()).spawn(|| self.run());
            queue.threads += usize::from(started.is_ok());
            if queue.threads == 0 {
                // The kernel refuses a thread: the loop's own runs it.
                let next = queue.work.pop_front();
                drop(queue);
                if let Some((completer, work)) = next {
                    perform(completer, work);
                }
                return;
            }
        }
        let has_idle = queue.idle > 0;
        drop(queue);
        // A wake-up costs a system call even if no thread sleeps; a busy thread takes the next work
        // by itself.
        if has_idle {
            self.has_work.notify_one();
        }
    }

    fn run(&self) {
        let mut queue = self.lock();
        loop {
            match queue.work.pop_front() {
                Some((completer, work)) => {
                    drop(queue);
                    perform(completer, work);
                    queue = self.lock();
                }
                None => {
                    queue.idle += 1;
                    queue = self.has_work.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    queue.idle -= 1;
                }
            }
        }
    }
}

fn perform(completer: Completer, work: Work) {
    completer.finish(catch_unwind(AssertUnwindSafe(work)));
}
