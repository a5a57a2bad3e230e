//! libuv's handles that run in each iteration of the loop: `uv_check_t` after the poll phase,
//! `uv_idle_t` before it, which keeps it from waiting. In: handles of addons. Out: calls. Absent:
//! `uv_prepare_t`, which published addons do not use.

use std::ffi::c_int;

use super::{
    HandleCallback, HandleKind, HandlePointer, HandleSource, OwnHandle, UvLoop, activate, arm, init, invalid,
    stop,
};
use crate::env::with_scope;
use crate::instance::Instance;

/// Starts a check or idle handle; one that is active goes on.
fn start(handle: HandlePointer, kind: HandleKind, callback: Option<HandleCallback>) -> c_int {
    let (Some(instance), Some(callback)) = (Instance::current(), callback) else { return invalid() };
    let changed = instance.uv.change(handle, |part| {
        let is_active = part.is_active();
        if !is_active {
            part.callback = Some(callback);
        }
        (part.kind == kind).then_some(is_active)
    });
    match changed.flatten() {
        None => return invalid(),
        Some(true) => return 0,
        Some(false) => {}
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
    instance.uv.change(handle, |part| part.source = HandleSource::Check(Some(check)));
    activate(&instance, handle);
    0
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_init(owner: *const UvLoop, handle: HandlePointer) -> c_int {
    init(owner, handle, HandleKind::Check, HandleSource::Check(None), None)
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_start(handle: HandlePointer, callback: Option<HandleCallback>) -> c_int {
    start(handle, HandleKind::Check, callback)
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_stop(handle: HandlePointer) -> c_int {
    stop(handle)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_init(owner: *const UvLoop, handle: HandlePointer) -> c_int {
    init(owner, handle, HandleKind::Idle, HandleSource::Results, None)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_start(handle: HandlePointer, callback: Option<HandleCallback>) -> c_int {
    start(handle, HandleKind::Idle, callback)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_stop(handle: HandlePointer) -> c_int {
    stop(handle)
}
