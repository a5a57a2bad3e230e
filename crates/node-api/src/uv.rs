//! The part of libuv that addons import. There is no libuv here: `napi_get_uv_event_loop` returns a
//! pointer that stands for the runtime's loop, and the functions here understand it. A handle is
//! memory of the addon; `data`, `loop` and `type` are where libuv has them, the rest is ours.
//! Absent: all other functions; an addon that needs them is refused when it is loaded
//! ([`crate::load`]).
//!
//! | file | functions |
//! |---|---|
//! | this one | the loop, handles, `uv_async_*`, `uv_queue_work` |
//! | `uv/iteration.rs` | `uv_check_*`, `uv_idle_*` |
//! | `uv/poll.rs`, `uv/poller.rs` | `uv_poll_*` |
//! | `uv/timers.rs` | `uv_timer_*`, `uv_now` |
//! | `uv/fields.rs` | sizes, types and fields of handles and requests |
//! | `uv/threads.rs` | threads, locks, the clock |
//! | `uv/errors.rs` | names and messages of errors |

mod errors;
mod fields;
mod iteration;
mod poll;
mod poller;
mod threads;
mod timers;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint};
use std::os::fd::RawFd;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_jsc::Exception;
use rusk_runtime::{CheckHandle, Completer, Pending};

use crate::abi::{EnvPointer, Foreign, Out, Status};
use crate::env::with_scope;
use crate::instance::Instance;
use poller::Poller;
use timers::{TimerState, Timers};

/// The version that `process.versions.uv` has: major, minor, patch.
const VERSION: [c_uint; 3] = [1, 51, 0];

/// `sizeof(uv_loop_t)`.
const LOOP_BYTES: usize = 848;

/// What addons have for a `uv_loop_t`. They may read and write `data`, and compare its address.
#[repr(C)]
pub struct UvLoop {
    /// The addon's.
    data: Cell<Foreign>,
    reserved: [usize; LOOP_BYTES / size_of::<usize>() - 1],
}

/// The first fields of each handle.
#[repr(C)]
pub struct UvHandle {
    /// The addon's.
    data: Foreign,
    owner: *const UvLoop,
    kind: c_int,
    /// Where libuv has `close_cb`.
    close: Option<HandleCallback>,
    shared: *const AsyncShared,
}

type HandlePointer = *mut UvHandle;
type HandleCallback = unsafe extern "C" fn(HandlePointer);
type WorkCallback = unsafe extern "C" fn(Foreign);
type AfterWorkCallback = unsafe extern "C" fn(Foreign, c_int);

/// `uv_handle_type`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HandleKind {
    Async = 1,
    Check = 2,
    Idle = 6,
    Poll = 8,
    Timer = 13,
}

/// What other threads use of a `uv_async_t`.
struct AsyncShared(Mutex<Option<Completer>>);

/// What the loop's thread has of a handle.
struct LoopHandlePart {
    kind: HandleKind,
    shared: Arc<AsyncShared>,
    callback: Option<HandleCallback>,
    /// What keeps the loop alive: the next call, or that it is active.
    pending: Option<Pending>,
    source: HandleSource,
    is_ref: bool,
}

/// What calls a handle, and what a kind has of its own.
enum HandleSource {
    /// The thread pool.
    Results,
    /// `None`: it is not active.
    Check(Option<CheckHandle>),
    Poll(RawFd),
    Timer(TimerState),
}

impl LoopHandlePart {
    fn is_active(&self) -> bool {
        self.pending.is_some()
    }
}

/// What a runtime has of libuv.
pub struct UvState {
    owner: Box<UvLoop>,
    /// Handles by their address.
    handles: RefCell<HashMap<usize, LoopHandlePart>>,
    poller: RefCell<Option<Rc<Poller>>>,
    timers: Timers,
}

impl Default for UvState {
    fn default() -> UvState {
        let reserved = [0; LOOP_BYTES / size_of::<usize>() - 1];
        UvState {
            owner: Box::new(UvLoop { data: Cell::new(Foreign::NULL), reserved }),
            handles: RefCell::default(),
            poller: RefCell::default(),
            timers: Timers::default(),
        }
    }
}

impl UvState {
    /// The pointer that stands for the loop.
    fn owner(&self) -> *const UvLoop {
        &raw const *self.owner
    }

    /// Reads or changes a handle; `None`: it is closed.
    fn change<R>(&self, handle: HandlePointer, change: impl FnOnce(&mut LoopHandlePart) -> R) -> Option<R> {
        self.handles.borrow_mut().get_mut(&handle.addr()).map(change)
    }

    fn unwatch(&self, fd: RawFd) {
        if let Some(poller) = &*self.poller.borrow() {
            poller.unwatch(fd);
        }
    }

    /// Drops what belongs to the runtime's loop, which ends.
    pub fn clear(&self) {
        let owned = (self.poller.take(), self.handles.take());
        drop(owned);
    }
}

fn invalid() -> c_int {
    -libc::EINVAL
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_uv_event_loop(env: EnvPointer, result: Out<Foreign>) -> Status {
    env.basic(|owner| {
        result.check()?.set(Foreign(owner.instance.uv.owner().cast_mut().cast()));
        Ok(())
    })
}

/// The loop of this thread; null on threads without one. In Node it is the main thread's anywhere,
/// where a worker must not use it.
#[unsafe(no_mangle)]
extern "C" fn uv_default_loop() -> *const UvLoop {
    Instance::current().map_or(std::ptr::null(), |instance| instance.uv.owner())
}

#[unsafe(no_mangle)]
extern "C" fn uv_version() -> c_uint {
    VERSION[0] << 16 | VERSION[1] << 8 | VERSION[2]
}

#[unsafe(no_mangle)]
extern "C" fn uv_version_string() -> *const c_char {
    c"1.51.0".as_ptr()
}

/// The runtime of this thread, if the loop is its.
fn runtime_of(owner: *const UvLoop) -> Option<Rc<Instance>> {
    Instance::current().filter(|instance| std::ptr::eq(instance.uv.owner(), owner))
}

#[unsafe(no_mangle)]
extern "C" fn uv_async_init(
    owner: *const UvLoop,
    handle: HandlePointer,
    callback: Option<HandleCallback>,
) -> c_int {
    let error = init(owner, handle, HandleKind::Async, HandleSource::Results, callback);
    if let (0, Some(instance)) = (error, Instance::current()) {
        arm(&instance, handle);
    }
    error
}

/// Registers a new handle. `EINVAL`: the loop is not this thread's.
fn init(
    owner: *const UvLoop,
    handle: HandlePointer,
    kind: HandleKind,
    source: HandleSource,
    callback: Option<HandleCallback>,
) -> c_int {
    let found = runtime_of(owner).filter(|_| !handle.is_null());
    let Some(instance) = found else { return invalid() };
    let shared = Arc::new(AsyncShared(Mutex::new(None)));
    // SAFETY: the addon passes memory of one of libuv's handles, which are larger.
    unsafe {
        (*handle).owner = owner;
        (*handle).kind = kind as c_int;
        (*handle).close = None;
        // It stays valid for other threads as long as the handle is open.
        (*handle).shared = Arc::as_ptr(&shared);
    }
    let part = LoopHandlePart { kind, shared, callback, pending: None, source, is_ref: true };
    instance.uv.handles.borrow_mut().insert(handle.addr(), part);
    0
}

/// A handle as the loop's closures hold it.
#[derive(Clone, Copy)]
struct OwnHandle(HandlePointer);

/// Has the loop wait for the next `uv_async_send`, or for the next iteration of an idle handle.
fn arm(instance: &Rc<Instance>, handle: HandlePointer) {
    let own = OwnHandle(handle);
    let Some(owner) = instance.handle() else { return };
    let pool = owner.thread_pool();
    let (pending, completer) = pool.pending(Box::new(move |scope, _| {
        let own = own;
        let Some(instance) = Instance::current() else { return Ok(()) };
        let found = instance.uv.change(own.0, |part| part.is_active().then_some(part.callback));
        let Some(callback) = found.flatten() else { return Ok(()) };
        arm(&instance, own.0);
        if let Some(callback) = callback {
            // SAFETY: the addon's own function and handle, which is open.
            with_scope(scope, || unsafe { callback(own.0) });
        }
        Ok::<(), Exception<'_>>(())
    }));
    pool.set_outlives_program(&pending);
    instance.uv.change(handle, |part| {
        pool.set_ref(&pending, part.is_ref);
        part.pending = Some(pending);
        if part.kind == HandleKind::Idle {
            return completer.send(Box::new(()));
        }
        *part.shared.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(completer);
    });
}

#[unsafe(no_mangle)]
extern "C" fn uv_async_send(handle: HandlePointer) -> c_int {
    // SAFETY: the addon passes a handle that is open, so its shared part is alive.
    let shared = unsafe { handle.as_ref().and_then(|handle| handle.shared.as_ref()) };
    let Some(shared) = shared else { return invalid() };
    let completer = shared.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(completer) = completer {
        completer.send(Box::new(()));
    }
    0
}

/// Closes a handle; the callback runs in the next iteration of the loop.
#[unsafe(no_mangle)]
extern "C" fn uv_close(handle: HandlePointer, callback: Option<HandleCallback>) {
    let Some(instance) = Instance::current() else { return };
    stop(handle);
    let Some(part) = instance.uv.handles.borrow_mut().remove(&handle.addr()) else { return };
    let Some(owner) = instance.handle() else { return };
    let pool = owner.thread_pool();
    let own = OwnHandle(handle);
    let (closing, completer) = pool.pending(Box::new(move |scope, _| {
        let own = own;
        // Until here another thread may still use it.
        drop(part.shared);
        if let Some(callback) = callback {
            // SAFETY: the addon's own function and handle, which it frees now.
            with_scope(scope, || unsafe { callback(own.0) });
        }
        Ok::<(), Exception<'_>>(())
    }));
    pool.set_outlives_program(&closing);
    completer.send(Box::new(()));
}

/// Makes a handle active: it keeps the loop alive, unless it is unref'd.
fn activate(instance: &Instance, handle: HandlePointer) {
    let Some(owner) = instance.handle() else { return };
    let pool = owner.thread_pool();
    // Nothing is sent: it only keeps the loop alive.
    let (pending, _) = pool.pending(Box::new(|_, _| Ok(())));
    instance.uv.change(handle, |part| {
        pool.set_ref(&pending, part.is_ref);
        part.pending = Some(pending);
    });
}

/// Makes a handle inactive; one that is so already stays as it is.
fn stop(handle: HandlePointer) -> c_int {
    let Some(instance) = Instance::current() else { return invalid() };
    let stopped = instance.uv.change(handle, |part| {
        let pending = part.pending.take();
        let check = match &mut part.source {
            HandleSource::Check(check) => check.take(),
            HandleSource::Poll(fd) if pending.is_some() => {
                instance.uv.unwatch(*fd);
                None
            }
            HandleSource::Timer(timer) if pending.is_some() => {
                instance.uv.timers.remove(timer);
                None
            }
            _ => None,
        };
        (pending, check)
    });
    let Some((pending, check)) = stopped else { return invalid() };
    drop(check);
    if let (Some(pending), Some(owner)) = (pending, instance.handle()) {
        owner.thread_pool().cancel(pending);
    }
    0
}

/// Whether something holds of an open handle.
fn holds(handle: HandlePointer, test: impl FnOnce(&LoopHandlePart) -> bool) -> c_int {
    let found = Instance::current().and_then(|instance| instance.uv.change(handle, |part| test(part)));
    c_int::from(found == Some(true))
}

#[unsafe(no_mangle)]
extern "C" fn uv_is_active(handle: HandlePointer) -> c_int {
    holds(handle, LoopHandlePart::is_active)
}

#[unsafe(no_mangle)]
extern "C" fn uv_is_closing(handle: HandlePointer) -> c_int {
    c_int::from(holds(handle, |_| true) == 0)
}

fn set_ref(handle: HandlePointer, is_ref: bool) {
    let Some(instance) = Instance::current() else { return };
    instance.uv.change(handle, |part| {
        part.is_ref = is_ref;
        if let (Some(pending), Some(owner)) = (&part.pending, instance.handle()) {
            owner.thread_pool().set_ref(pending, is_ref);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn uv_ref(handle: HandlePointer) {
    set_ref(handle, true);
}

#[unsafe(no_mangle)]
extern "C" fn uv_unref(handle: HandlePointer) {
    set_ref(handle, false);
}

#[unsafe(no_mangle)]
extern "C" fn uv_has_ref(handle: HandlePointer) -> c_int {
    holds(handle, |part| part.is_ref)
}

#[unsafe(no_mangle)]
extern "C" fn uv_queue_work(
    owner: *const UvLoop,
    request: Foreign,
    work: Option<WorkCallback>,
    after: Option<AfterWorkCallback>,
) -> c_int {
    let (Some(instance), Some(work)) = (runtime_of(owner), work) else { return invalid() };
    let Some(handle) = instance.handle() else { return invalid() };
    handle.queue_work(
        move || {
            let request = request;
            // SAFETY: the addon's own function and request.
            unsafe { work(request) };
        },
        move |scope, ()| {
            if let Some(after) = after {
                // SAFETY: as above.
                with_scope(scope, || unsafe { after(request, 0) });
            }
            Ok(())
        },
    );
    0
}
