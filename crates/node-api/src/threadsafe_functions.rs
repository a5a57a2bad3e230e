//! Thread-safe functions (`napi_create_threadsafe_function`): calls from any thread that run on the
//! loop's. In: items of the addon, on any thread, up to a limit (back-pressure). Out: one call for
//! each, as a job of the loop; a finalizer. Absent: an order among threads.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusk_jsc::{Exception, Root, Scope};
use rusk_runtime::{Completer, Pending};

use crate::abi::{EnvPointer, Finalize, Foreign, Handle, Out, Status};
use crate::async_contexts;
use crate::env::with_scope;
use crate::instance::{Instance, Operation};

type CallJs = unsafe extern "C" fn(EnvPointer, Handle, Foreign, Foreign);

/// Calls in one job of the loop, as in Node; then others have their turn.
const CALLS_MAX: usize = 1000;

/// What threads share.
pub struct ThreadsafeFunction {
    env: EnvPointer,
    state: Mutex<CallQueue>,
    has_room: Condvar,
    /// 0: no limit.
    queue_max: usize,
    /// Items that were queued and whose calls have not begun: the loop takes many at a time.
    size: AtomicUsize,
    /// Threads that wait for room.
    waiting: AtomicUsize,
    /// Changed under the lock.
    is_closing: AtomicBool,
    context: Foreign,
    call_js: Option<CallJs>,
    finalize: Option<Finalize>,
    finalize_data: Foreign,
}

/// `napi_threadsafe_function`.
pub type ThreadsafePointer = *const ThreadsafeFunction;

struct CallQueue {
    queue: VecDeque<Foreign>,
    /// Threads that may call it.
    threads: usize,
    /// The loop has closed it: the last thread that gives it up gives up the addon's reference.
    is_closed: bool,
    /// Wakes the loop; `None`: it was woken and has not come round yet.
    completer: Option<Completer>,
}

/// What only the loop's thread uses.
struct LoopPart {
    /// What is called: the addon's function, if it calls that itself, else one that calls it
    /// without a receiver.
    function: Option<Root>,
    pending: Option<Pending>,
    is_ref: bool,
}

/// Those of a runtime, by their address.
#[derive(Default)]
pub struct ThreadsafeFunctions(RefCell<HashMap<usize, LoopPart>>);

impl ThreadsafeFunction {
    fn lock(&self) -> MutexGuard<'_, CallQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Acquire)
    }

    fn is_full(&self) -> bool {
        self.queue_max != 0 && self.size.load(Ordering::SeqCst) >= self.queue_max && !self.is_closing()
    }

    /// Waits for room. The count of those that wait is raised before the size is read again, and
    /// the loop lowers the size before it reads the count.
    fn wait<'a>(&self, mut state: MutexGuard<'a, CallQueue>) -> MutexGuard<'a, CallQueue> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while self.is_full() {
            state = self.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        state
    }

    /// A call begins. Threads are woken when there is room for several of their items.
    fn take_one(&self) {
        let left = self.size.fetch_sub(1, Ordering::SeqCst) - 1;
        if left <= self.queue_max / 2 && self.waiting.load(Ordering::SeqCst) != 0 {
            drop(self.lock());
            self.has_room.notify_all();
        }
    }
}

impl CallQueue {
    fn wake(&mut self) {
        if let Some(completer) = self.completer.take() {
            completer.send(Box::new(()));
        }
    }
}

/// Another reference; `InvalidArg`: null.
fn share(function: ThreadsafePointer) -> Result<Arc<ThreadsafeFunction>, Status> {
    if function.is_null() {
        return Err(Status::InvalidArg);
    }
    // SAFETY: of `napi_create_threadsafe_function`; a thread uses it until it has released it.
    unsafe {
        Arc::increment_strong_count(function);
        Ok(Arc::from_raw(function))
    }
}

/// Gives up the addon's reference: no thread uses the function any more.
fn release(function: &Arc<ThreadsafeFunction>) {
    // SAFETY: the reference that `napi_create_threadsafe_function` gave away, once.
    unsafe { Arc::decrement_strong_count(Arc::as_ptr(function)) };
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_threadsafe_function(
    env: EnvPointer,
    function: Handle,
    resource: Handle,
    name: Handle,
    queue_max: usize,
    threads: usize,
    finalize_data: Foreign,
    finalize: Option<Finalize>,
    context: Foreign,
    call_js: Option<CallJs>,
    result: Out<ThreadsafePointer>,
) -> Status {
    env.plain(|cx| {
        name.value(cx.scope)?;
        let result = result.check()?;
        if threads == 0 || (function.is_null() && call_js.is_none()) {
            return Err(Status::InvalidArg.into());
        }
        let root = match function.value(cx.scope) {
            Ok(value) if value.as_function(cx.scope).is_some() => {
                let callee = match call_js {
                    Some(_) => value,
                    None => cx.env.instance.call_js(cx.scope, Operation::PlainCaller, &[value])?,
                };
                Some(Root::new(cx.scope, callee))
            }
            Ok(_) => return Err(Status::InvalidArg.into()),
            Err(_) => None,
        };
        async_contexts::resource_and_name(cx, resource, name)?;
        let state = CallQueue { queue: VecDeque::new(), threads, is_closed: false, completer: None };
        #[expect(clippy::arc_with_non_send_sync, reason = "other threads have it as a pointer")]
        let made = Arc::new(ThreadsafeFunction {
            env,
            state: Mutex::new(state),
            has_room: Condvar::new(),
            queue_max,
            size: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            is_closing: AtomicBool::new(false),
            context,
            call_js,
            finalize,
            finalize_data,
        });
        let instance = &cx.env.instance;
        let part = LoopPart { function: root, pending: None, is_ref: true };
        instance.threadsafe.0.borrow_mut().insert(Arc::as_ptr(&made).addr(), part);
        arm(instance, &made);
        let pointer = Arc::into_raw(made);
        instance.hooks.add_threadsafe(pointer);
        result.set(pointer);
        Ok(())
    })
}

/// Has the loop wait for the next call.
fn arm(instance: &Rc<Instance>, function: &Arc<ThreadsafeFunction>) {
    let own = Arc::clone(function);
    let Some(handle) = instance.handle() else { return };
    let pool = handle.thread_pool();
    let (pending, completer) = pool.pending(Box::new(move |scope, _| match Instance::current() {
        Some(instance) => run(scope, &instance, &own),
        None => Ok(()),
    }));
    let mut parts = instance.threadsafe.0.borrow_mut();
    if let Some(part) = parts.get_mut(&Arc::as_ptr(function).addr()) {
        pool.set_ref(&pending, part.is_ref);
        part.pending = Some(pending);
        function.lock().completer = Some(completer);
    }
}

/// Runs what is queued.
fn run<'s>(
    scope: &'s Scope,
    instance: &Rc<Instance>,
    function: &Arc<ThreadsafeFunction>,
) -> Result<(), Exception<'s>> {
    if !instance.threadsafe.0.borrow().contains_key(&Arc::as_ptr(function).addr()) {
        return Ok(());
    }
    arm(instance, function);
    let mut left = CALLS_MAX;
    while left > 0 {
        let mut state = function.lock();
        if state.queue.is_empty() && state.threads == 0 {
            function.is_closing.store(true, Ordering::Release);
        }
        if function.is_closing() {
            drop(state);
            return finish(scope, instance, function);
        }
        let count = state.queue.len().min(left);
        if count == 0 {
            return Ok(());
        }
        let mut items: VecDeque<Foreign> = state.queue.drain(..count).collect();
        drop(state);
        left -= count;
        let result = call_all(scope, instance, function, &mut items);
        if !items.is_empty() || result.is_err() {
            put_back(function, items);
        }
        result?;
    }
    function.lock().wake();
    Ok(())
}

/// Calls with each item, until one throws or the function is closed.
fn call_all<'s>(
    scope: &'s Scope,
    instance: &Rc<Instance>,
    function: &Arc<ThreadsafeFunction>,
    items: &mut VecDeque<Foreign>,
) -> Result<(), Exception<'s>> {
    while !function.is_closing()
        && let Some(item) = items.pop_front()
    {
        function.take_one();
        let thrown = scope.with_nested_scope(|own| {
            let result = call_one(own, instance, function, item);
            result.err().map(|thrown| Root::new(own, thrown.value()))
        });
        if let Some(thrown) = thrown {
            return Err(thrown.value(scope).into());
        }
    }
    Ok(())
}

/// Items that were taken and whose calls did not begin are the first ones again.
fn put_back(function: &ThreadsafeFunction, mut items: VecDeque<Foreign>) {
    let mut state = function.lock();
    if state.is_closed {
        drop(state);
        return hand_back(function, items);
    }
    items.append(&mut state.queue);
    state.queue = items;
    if !state.queue.is_empty() || state.threads == 0 {
        state.wake();
    }
}

/// Closes it as a job of the loop: its finalizer may throw.
fn finish<'s>(
    scope: &'s Scope,
    instance: &Rc<Instance>,
    function: &Arc<ThreadsafeFunction>,
) -> Result<(), Exception<'s>> {
    close(scope, instance, Arc::as_ptr(function));
    let Some(env) = function.env.env() else { return Ok(()) };
    let result = env.take_pending(scope).map_or(Ok(()), Err);
    env.apply_policy(scope, result)
}

fn call_one<'s>(
    scope: &'s Scope,
    instance: &Rc<Instance>,
    function: &Arc<ThreadsafeFunction>,
    item: Foreign,
) -> Result<(), Exception<'s>> {
    let Some(env) = function.env.env() else { return Ok(()) };
    let parts = instance.threadsafe.0.borrow();
    let root = parts.get(&Arc::as_ptr(function).addr()).and_then(|part| part.function.as_ref());
    // Rooted by the scope: the call may close the function.
    let callee = root.map(|root| root.value(scope));
    drop(parts);
    match function.call_js {
        Some(call_js) => {
            let handle = callee.map_or(Handle::NULL, Handle::of);
            // SAFETY: the addon's own function, with its context and item.
            let call = || unsafe { call_js(function.env, handle, function.context, item) };
            let result = env.call_out(scope, call);
            env.apply_policy(scope, result)
        }
        None => {
            let Some(callee) = callee.and_then(|callee| callee.as_function(scope)) else { return Ok(()) };
            let result = with_scope(scope, || callee.call(scope, &[])).map(|_| ());
            env.apply_policy(scope, result)
        }
    }
}

/// The addon frees what it has queued and what is not called any more.
fn hand_back(function: &ThreadsafeFunction, items: VecDeque<Foreign>) {
    let Some(call_js) = function.call_js else { return };
    for item in items {
        // SAFETY: the addon's own function; without an environment it only frees the item.
        unsafe { call_js(EnvPointer::NULL, Handle::NULL, function.context, item) };
    }
}

/// Closes it: what is still queued is handed back without an environment, then it is finalized.
pub fn close(scope: &Scope, instance: &Rc<Instance>, pointer: ThreadsafePointer) {
    let Some(part) = instance.threadsafe.0.borrow_mut().remove(&pointer.addr()) else { return };
    let Ok(function) = share(pointer) else { return };
    instance.hooks.remove_threadsafe(pointer);
    if let (Some(pending), Some(handle)) = (part.pending, instance.handle()) {
        handle.thread_pool().cancel(pending);
    }
    let mut state = function.lock();
    function.is_closing.store(true, Ordering::Release);
    state.is_closed = true;
    // A thread may have given it up already, when another one aborted.
    let (queue, threads) = (std::mem::take(&mut state.queue), state.threads);
    state.completer = None;
    drop(state);
    function.has_room.notify_all();
    drop(part.function);
    hand_back(&function, queue);
    if let (Some(finalize), Some(env)) = (function.finalize, function.env.env()) {
        env.finalize(scope, finalize, function.finalize_data, function.context);
    }
    if threads == 0 {
        release(&function);
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_threadsafe_function_context(
    function: ThreadsafePointer,
    result: Out<Foreign>,
) -> Status {
    match share(function) {
        Ok(function) => {
            result.set(function.context);
            Status::Ok
        }
        Err(status) => status,
    }
}

/// `napi_tsfn_blocking`.
const BLOCKING: i32 = 1;
/// `napi_tsfn_abort`.
const ABORT: i32 = 1;

#[unsafe(no_mangle)]
extern "C" fn napi_call_threadsafe_function(function: ThreadsafePointer, item: Foreign, mode: i32) -> Status {
    let function = match share(function) {
        Ok(function) => function,
        Err(status) => return status,
    };
    let mut state = function.lock();
    if function.is_full() {
        if mode != BLOCKING {
            return Status::QueueFull;
        }
        state = function.wait(state);
    }
    if function.is_closing() {
        return leave_closing(&function, state);
    }
    state.queue.push_back(item);
    function.size.fetch_add(1, Ordering::SeqCst);
    state.wake();
    Status::Ok
}

/// A thread learns that the function is closed, and gives it up.
fn leave_closing(function: &Arc<ThreadsafeFunction>, mut state: MutexGuard<'_, CallQueue>) -> Status {
    if state.threads == 0 {
        return Status::InvalidArg;
    }
    state.threads -= 1;
    let is_last = state.threads == 0 && state.is_closed;
    drop(state);
    if is_last {
        release(function);
    }
    Status::Closing
}

#[unsafe(no_mangle)]
extern "C" fn napi_acquire_threadsafe_function(function: ThreadsafePointer) -> Status {
    let Ok(function) = share(function) else { return Status::InvalidArg };
    let mut state = function.lock();
    if function.is_closing() {
        return Status::Closing;
    }
    state.threads += 1;
    Status::Ok
}

#[unsafe(no_mangle)]
extern "C" fn napi_release_threadsafe_function(function: ThreadsafePointer, mode: i32) -> Status {
    let Ok(function) = share(function) else { return Status::InvalidArg };
    let mut state = function.lock();
    if state.threads == 0 {
        return Status::InvalidArg;
    }
    if function.is_closing() {
        leave_closing(&function, state);
        return Status::Ok;
    }
    state.threads -= 1;
    if state.threads == 0 || mode == ABORT {
        if mode == ABORT {
            function.is_closing.store(true, Ordering::Release);
            function.has_room.notify_all();
        }
        state.wake();
    }
    Status::Ok
}

fn set_ref(env: EnvPointer, function: ThreadsafePointer, is_ref: bool) -> Status {
    env.basic(|owner| {
        let mut parts = owner.instance.threadsafe.0.borrow_mut();
        let Some(part) = parts.get_mut(&function.addr()) else {
            return if function.is_null() { Err(Status::InvalidArg) } else { Ok(()) };
        };
        part.is_ref = is_ref;
        if let (Some(pending), Some(handle)) = (&part.pending, owner.instance.handle()) {
            handle.thread_pool().set_ref(pending, is_ref);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_ref_threadsafe_function(env: EnvPointer, function: ThreadsafePointer) -> Status {
    set_ref(env, function, true)
}

#[unsafe(no_mangle)]
extern "C" fn napi_unref_threadsafe_function(env: EnvPointer, function: ThreadsafePointer) -> Status {
    set_ref(env, function, false)
}
