//! The part of libuv that addons import. There is no libuv here: `napi_get_uv_event_loop` returns a
//! pointer that stands for the runtime's loop, and the functions here understand it. A handle is
//! memory of the addon; `data` and `loop` are where libuv has them, the rest is ours. Absent: all
//! other functions; an addon that needs them is refused when it is loaded ([`crate::load`]).

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_jsc::Exception;
use rusk_runtime::{CheckHandle, Completer, Pending};

use crate::abi::{EnvPointer, Foreign, Out, Status};
use crate::env::with_scope;
use crate::instance::Instance;

/// The version that `process.versions.uv` has: major, minor, patch.
const VERSION: [c_uint; 3] = [1, 51, 0];

/// The first fields of each handle and request.
#[repr(C)]
pub struct UvHandle {
    /// The addon's.
    data: Foreign,
    owner: *const Instance,
    kind: c_int,
    /// Where libuv has `close_cb`.
    close: Option<HandleCallback>,
    shared: *const AsyncShared,
}

pub type HandlePointer = *mut UvHandle;
pub type HandleCallback = unsafe extern "C" fn(HandlePointer);
type WorkCallback = unsafe extern "C" fn(Foreign);
type AfterWorkCallback = unsafe extern "C" fn(Foreign, c_int);

/// `uv_handle_type`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HandleKind {
    Async = 1,
    Check = 2,
    Idle = 6,
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
    /// Calls an active check handle.
    check: Option<CheckHandle>,
    is_ref: bool,
}

/// Handles of a runtime, by their address.
#[derive(Default)]
pub struct UvHandles(RefCell<HashMap<usize, LoopHandlePart>>);

pub fn invalid() -> c_int {
    -libc::EINVAL
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_uv_event_loop(env: EnvPointer, result: Out<Foreign>) -> Status {
    env.basic(|owner| {
        let pointer = Rc::as_ptr(&owner.instance).cast_mut();
        result.check()?.set(Foreign(pointer.cast()));
        Ok(())
    })
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
fn runtime_of(owner: *const Instance) -> Option<Rc<Instance>> {
    Instance::current().filter(|instance| std::ptr::eq(Rc::as_ptr(instance), owner))
}

#[unsafe(no_mangle)]
extern "C" fn uv_async_init(
    owner: *const Instance,
    handle: HandlePointer,
    callback: Option<HandleCallback>,
) -> c_int {
    let Some(instance) = init(owner, handle, HandleKind::Async, callback) else { return invalid() };
    arm(&instance, handle);
    0
}

/// Registers a new handle; `None`: the loop is not this thread's.
pub fn init(
    owner: *const Instance,
    handle: HandlePointer,
    kind: HandleKind,
    callback: Option<HandleCallback>,
) -> Option<Rc<Instance>> {
    let instance = runtime_of(owner).filter(|_| !handle.is_null())?;
    let shared = Arc::new(AsyncShared(Mutex::new(None)));
    // SAFETY: the addon passes memory of one of libuv's handles, which are larger.
    unsafe {
        (*handle).owner = owner;
        (*handle).kind = kind as c_int;
        (*handle).close = None;
        // It stays valid for other threads as long as the handle is open.
        (*handle).shared = Arc::as_ptr(&shared);
    }
    let part = LoopHandlePart { kind, shared, callback, pending: None, check: None, is_ref: true };
    instance.uv_handles.0.borrow_mut().insert(handle.addr(), part);
    Some(instance)
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
        let find = |part: &LoopHandlePart| part.pending.as_ref().map(|_| part.callback);
        let found = instance.uv_handles.0.borrow().get(&own.0.addr()).and_then(find);
        let Some(callback) = found else { return Ok(()) };
        arm(&instance, own.0);
        if let Some(callback) = callback {
            // SAFETY: the addon's own function and handle, which is open.
            with_scope(scope, || unsafe { callback(own.0) });
        }
        Ok::<(), Exception<'_>>(())
    }));
    pool.set_outlives_program(&pending);
    let mut parts = instance.uv_handles.0.borrow_mut();
    if let Some(part) = parts.get_mut(&handle.addr()) {
        pool.set_ref(&pending, part.is_ref);
        part.pending = Some(pending);
        if part.kind == HandleKind::Idle {
            return completer.send(Box::new(()));
        }
        *part.shared.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(completer);
    }
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
    let Some(part) = instance.uv_handles.0.borrow_mut().remove(&handle.addr()) else { return };
    let Some(owner) = instance.handle() else { return };
    let pool = owner.thread_pool();
    if let Some(pending) = part.pending {
        pool.cancel(pending);
    }
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

/// Starts a check or idle handle; one that is active goes on.
pub fn start(handle: HandlePointer, kind: HandleKind, callback: Option<HandleCallback>) -> c_int {
    let (Some(instance), Some(callback)) = (Instance::current(), callback) else { return invalid() };
    match instance.uv_handles.0.borrow_mut().get_mut(&handle.addr()) {
        Some(part) if part.kind != kind => return invalid(),
        Some(part) if part.pending.is_some() => return 0,
        Some(part) => part.callback = Some(callback),
        None => return invalid(),
    }
    if kind == HandleKind::Idle {
        arm(&instance, handle);
        return 0;
    }
    let own = OwnHandle(handle);
    let Some(owner) = instance.handle() else { return invalid() };
    let check = owner.on_check(move |scope| {
        let own = own;
        // SAFETY: the addon's own function and handle, which is open.
        with_scope(scope, || unsafe { callback(own.0) });
        Ok(())
    });
    let pool = owner.thread_pool();
    // Nothing is sent: it only keeps the loop alive.
    let (pending, _) = pool.pending(Box::new(|_, _| Ok(())));
    let mut parts = instance.uv_handles.0.borrow_mut();
    if let Some(part) = parts.get_mut(&handle.addr()) {
        pool.set_ref(&pending, part.is_ref);
        (part.pending, part.check) = (Some(pending), Some(check));
    }
    0
}

/// Stops a check or idle handle.
pub fn stop(handle: HandlePointer) -> c_int {
    let Some(instance) = Instance::current() else { return invalid() };
    let mut parts = instance.uv_handles.0.borrow_mut();
    let Some(part) = parts.get_mut(&handle.addr()) else { return invalid() };
    let (pending, check) = (part.pending.take(), part.check.take());
    drop(parts);
    drop(check);
    if let (Some(pending), Some(owner)) = (pending, instance.handle()) {
        owner.thread_pool().cancel(pending);
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn uv_is_active(handle: HandlePointer) -> c_int {
    let is_active = |instance: Rc<Instance>| {
        let parts = instance.uv_handles.0.borrow();
        parts.get(&handle.addr()).is_some_and(|part| part.pending.is_some())
    };
    c_int::from(Instance::current().is_some_and(is_active))
}

#[unsafe(no_mangle)]
extern "C" fn uv_is_closing(handle: HandlePointer) -> c_int {
    let is_open = |instance: Rc<Instance>| instance.uv_handles.0.borrow().contains_key(&handle.addr());
    c_int::from(!Instance::current().is_some_and(is_open))
}

fn set_ref(handle: HandlePointer, is_ref: bool) {
    let Some(instance) = Instance::current() else { return };
    let mut parts = instance.uv_handles.0.borrow_mut();
    let Some(part) = parts.get_mut(&handle.addr()) else { return };
    part.is_ref = is_ref;
    if let (Some(pending), Some(owner)) = (&part.pending, instance.handle()) {
        owner.thread_pool().set_ref(pending, is_ref);
    }
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
extern "C" fn uv_queue_work(
    owner: *const Instance,
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
