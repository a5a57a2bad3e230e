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
use rusk_runtime::{Completer, Pending};

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

type HandlePointer = *mut UvHandle;
type HandleCallback = unsafe extern "C" fn(HandlePointer);
type WorkCallback = unsafe extern "C" fn(Foreign);
type AfterWorkCallback = unsafe extern "C" fn(Foreign, c_int);

/// `UV_ASYNC`.
const ASYNC: c_int = 1;

/// What other threads use of a `uv_async_t`.
struct AsyncShared(Mutex<Option<Completer>>);

/// What the loop's thread has of it.
struct LoopHandlePart {
    shared: Arc<AsyncShared>,
    callback: Option<HandleCallback>,
    pending: Option<Pending>,
    is_ref: bool,
}

/// Handles of a runtime, by their address.
#[derive(Default)]
pub struct UvHandles(RefCell<HashMap<usize, LoopHandlePart>>);

fn invalid() -> c_int {
    -libc::EINVAL
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_uv_event_loop(env: EnvPointer, result: Out<Foreign>) -> Status {
    env.basic(|owner| {
        let pointer = std::ptr::from_ref(&*owner.instance).cast_mut();
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
    let (Some(instance), false) = (runtime_of(owner), handle.is_null()) else { return invalid() };
    let shared = Arc::new(AsyncShared(Mutex::new(None)));
    // SAFETY: the addon passes memory of a `uv_async_t`, which is larger.
    unsafe {
        (*handle).owner = owner;
        (*handle).kind = ASYNC;
        (*handle).close = None;
        // It stays valid for other threads as long as the handle is open.
        (*handle).shared = Arc::as_ptr(&shared);
    }
    let part = LoopHandlePart { shared, callback, pending: None, is_ref: true };
    instance.uv_handles.0.borrow_mut().insert(handle.addr(), part);
    arm(&instance, handle);
    0
}

/// A handle as the loop's closures hold it.
#[derive(Clone, Copy)]
struct OwnHandle(HandlePointer);

/// Has the loop wait for the next `uv_async_send`.
fn arm(instance: &Rc<Instance>, handle: HandlePointer) {
    let own = OwnHandle(handle);
    let pool = instance.handle.thread_pool();
    let (pending, completer) = pool.pending(Box::new(move |scope, _| {
        let own = own;
        let Some(instance) = Instance::current() else { return Ok(()) };
        let found = instance.uv_handles.0.borrow().get(&own.0.addr()).map(|part| part.callback);
        let Some(callback) = found else { return Ok(()) };
        arm(&instance, own.0);
        if let Some(callback) = callback {
            // SAFETY: the addon's own function and handle, which is open.
            with_scope(scope, || unsafe { callback(own.0) });
        }
        Ok::<(), Exception<'_>>(())
    }));
    let mut parts = instance.uv_handles.0.borrow_mut();
    if let Some(part) = parts.get_mut(&handle.addr()) {
        pool.set_ref(&pending, part.is_ref);
        part.pending = Some(pending);
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
    let pool = instance.handle.thread_pool();
    if let Some(pending) = part.pending {
        pool.cancel(pending);
    }
    let own = OwnHandle(handle);
    let (_, completer) = pool.pending(Box::new(move |scope, _| {
        let own = own;
        // Until here another thread may still use it.
        drop(part.shared);
        if let Some(callback) = callback {
            // SAFETY: the addon's own function and handle, which it frees now.
            with_scope(scope, || unsafe { callback(own.0) });
        }
        Ok::<(), Exception<'_>>(())
    }));
    completer.send(Box::new(()));
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
    if let Some(pending) = &part.pending {
        instance.handle.thread_pool().set_ref(pending, is_ref);
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
    instance.handle.queue_work(
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
