//! libuv's handles that run in each iteration of the loop: `uv_check_t` after the poll phase,
//! `uv_idle_t` before it, which keeps it from waiting. In: handles of addons. Out: calls. Absent:
//! `uv_prepare_t`, which published addons do not use.

use std::ffi::c_int;

use crate::instance::Instance;
use crate::uv::{self, HandleCallback, HandleKind, HandlePointer};

fn init(owner: *const Instance, handle: HandlePointer, kind: HandleKind) -> c_int {
    if uv::init(owner, handle, kind, None).is_some() { 0 } else { uv::invalid() }
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_init(owner: *const Instance, handle: HandlePointer) -> c_int {
    init(owner, handle, HandleKind::Check)
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_start(handle: HandlePointer, callback: Option<HandleCallback>) -> c_int {
    uv::start(handle, HandleKind::Check, callback)
}

#[unsafe(no_mangle)]
extern "C" fn uv_check_stop(handle: HandlePointer) -> c_int {
    uv::stop(handle)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_init(owner: *const Instance, handle: HandlePointer) -> c_int {
    init(owner, handle, HandleKind::Idle)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_start(handle: HandlePointer, callback: Option<HandleCallback>) -> c_int {
    uv::start(handle, HandleKind::Idle, callback)
}

#[unsafe(no_mangle)]
extern "C" fn uv_idle_stop(handle: HandlePointer) -> c_int {
    uv::stop(handle)
}
