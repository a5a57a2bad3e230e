//! Callbacks: JavaScript functions that C code calls. In: a signature, and a function that reads
//! its arguments from the slots and writes its result there. Out: an address. One that is
//! thread-safe may be called from any thread: its arguments are queued, and the event loop calls it
//! later. Any other one must be called on its own thread, or the process ends.

use std::collections::VecDeque;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusk_base::sys::{self, epoll};
use rusk_ffi::{Callback, Handler};
use rusk_jsc::{Call, Exception, Outcome, Root, Scope, with_vm_of_thread};
use rusk_runtime::{IoHandle, LoopHandle, Readiness, RuntimeState};

use crate::calls::no_libffi;
use crate::signature;
use crate::state::{self, FfiState, layout};

/// Calls that wait for the event loop; a thread that makes more waits, so that memory is bounded.
const QUEUE_MAX: usize = 65_536;

/// A callback that is not closed.
pub struct OpenCallback {
    callback: Callback,
    function: Root,
}

impl OpenCallback {
    /// Leaves the C function where it is, for threads that may still call it.
    pub fn leak(self) {
        mem::forget(self.callback);
    }
}

/// Calls from other threads.
pub struct CallbackQueue {
    calls: Mutex<Calls>,
    has_room: Condvar,
    waker: OwnedFd,
}

#[derive(Default)]
struct Calls {
    waiting: VecDeque<(u32, Vec<u64>)>,
    is_closed: bool,
}

/// The receiving end, of one event loop.
pub struct Receiver {
    queue: Arc<CallbackQueue>,
    _io: IoHandle,
}

/// Arguments: codes of the arguments, code of the result, the function, whether it is
/// thread-safe. Out: [id, address].
pub fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = signature::types(scope, call.argument(scope, 0))?;
    let returns = signature::of_code(scope, call.argument(scope, 1))?;
    let function = Root::new(scope, call.argument(scope, 2));
    let state = state::get();
    let id = state.next_callback.replace(state.next_callback.get() + 1);
    let handler: Handler = if call.argument(scope, 3).is_truthy(scope) {
        let queue = queue(&state).map_err(|error| {
            Exception::new(scope, rusk_jsc::ErrorKind::Error, &format!("eventfd: {error}"))
        })?;
        Box::new(move |words| {
            queue.push(id, words.to_vec());
            0
        })
    } else {
        let owner = thread_token();
        Box::new(move |words| run_now(owner, id, words))
    };
    let callback = Callback::new(&arguments, returns, handler).map_err(|_| no_libffi(scope))?;
    let address = callback.address();
    state.callbacks.borrow_mut().insert(id, OpenCallback { callback, function });
    scope.array(&[scope.number(id.into()), scope.number(address as f64)]).map(|pair| pair.value())
}

/// Argument: an id. C code must not call it any more, but may be in it now.
pub fn close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let id = call.argument(scope, 0).to_number(scope)? as u32;
    let state = state::get();
    if let Some(callback) = state.callbacks.borrow_mut().remove(&id) {
        state.closed.borrow_mut().push(callback);
    }
    Ok(scope.undefined())
}

/// After each callback of the event loop: none of C's functions is on the stack then.
pub fn drop_closed() {
    if let Some(state) = state::find()
        && state.depth.get() == 0
    {
        let closed = state.closed.take();
        drop(closed);
    }
}

/// A number that is this thread's while it lives.
fn thread_token() -> usize {
    thread_local! {
        static TOKEN: u8 = const { 0 };
    }
    TOKEN.with(|token| std::ptr::from_ref(token).addr())
}

/// Runs a callback for the C code that calls it. What it throws is thrown by the function of C that
/// JavaScript called.
fn run_now(owner: usize, id: u32, words: &[u64]) -> u64 {
    assert!(
        owner == thread_token(),
        "a JSCallback was called on another thread; make it with `threadsafe: true`"
    );
    let Some(state) = state::find() else { return 0 };
    let result = with_vm_of_thread(|scope| match run(scope, &state, id, words) {
        Ok(()) => state.read(layout::RESULT as usize),
        Err(exception) => {
            state.set_thrown(scope, exception);
            0
        }
    });
    result.unwrap_or(0)
}

fn run<'s>(scope: &'s Scope, state: &FfiState, id: u32, words: &[u64]) -> Result<(), Exception<'s>> {
    let function = {
        let callbacks = state.callbacks.borrow();
        callbacks.get(&id).and_then(|callback| callback.function.value(scope).as_function(scope))
    };
    // It was closed after the call was queued.
    let Some(function) = function else { return Ok(()) };
    for (slot, word) in words.iter().enumerate() {
        state.write(slot, *word);
    }
    state.depth.set(state.depth.get() + 1);
    let result = function.call(scope, &[]);
    state.depth.set(state.depth.get() - 1);
    result.map(|_| ())
}

/// The queue of this thread's event loop. It does not keep the loop alive.
fn queue(state: &FfiState) -> sys::Result<Arc<CallbackQueue>> {
    let mut receiver = state.receiver.borrow_mut();
    if receiver.is_none() {
        *receiver = Some(Rc::new(Receiver::new(&RuntimeState::current().handle)?));
    }
    Ok(Arc::clone(&receiver.as_ref().expect("made above").queue))
}

impl Receiver {
    fn new(handle: &LoopHandle) -> sys::Result<Receiver> {
        let waker = epoll::waker()?;
        let watched = Rc::new(sys::fd::duplicate(waker.as_raw_fd())?);
        let queue = Arc::new(CallbackQueue { calls: Mutex::default(), has_room: Condvar::new(), waker });
        let (own, again) = (Arc::clone(&queue), handle.clone());
        let io = handle.add_io(watched, Readiness::READ, move |scope, _| {
            // One call at a time, each with its ticks and microtasks.
            let (next, has_more) = own.take();
            if has_more {
                again.call_again();
            }
            match (next, state::find()) {
                (Some((id, words)), Some(state)) => run(scope, &state, id, &words),
                _ => Ok(()),
            }
        })?;
        io.unref();
        Ok(Receiver { queue, _io: io })
    }

    /// No call is taken any more; threads do not wait.
    pub fn close(&self) {
        let mut calls = self.queue.lock();
        calls.is_closed = true;
        calls.waiting.clear();
        self.queue.has_room.notify_all();
    }
}

impl CallbackQueue {
    fn push(&self, id: u32, words: Vec<u64>) {
        let mut calls = self.lock();
        while calls.waiting.len() >= QUEUE_MAX && !calls.is_closed {
            calls = self.has_room.wait(calls).unwrap_or_else(PoisonError::into_inner);
        }
        if calls.is_closed {
            return;
        }
        calls.waiting.push_back((id, words));
        // The descriptor is an eventfd of this process, so writing to it cannot fail.
        let _ = epoll::wake(self.waker.as_fd());
    }

    /// The next call, and whether there are more.
    fn take(&self) -> (Option<(u32, Vec<u64>)>, bool) {
        let mut calls = self.lock();
        let next = calls.waiting.pop_front();
        if calls.waiting.is_empty() {
            let _ = epoll::reset_waker(self.waker.as_fd());
        }
        self.has_room.notify_one();
        (next, !calls.waiting.is_empty())
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
