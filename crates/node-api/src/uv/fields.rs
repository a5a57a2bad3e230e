//! Sizes, types and fields of handles and requests. Those that libuv has and this does not have a
//! size all the same: addons reserve memory for several kinds.

use std::ffi::{CStr, c_char, c_int};

use super::poll::fd_of;
use super::{HandlePointer, LOOP_BYTES, UvLoop, invalid};
use crate::abi::Foreign;
use crate::instance::Instance;

/// Kinds of handles with their sizes; `uv_handle_type` counts from 1.
const HANDLES: &[(&CStr, usize)] = &[
    (c"async", 128),
    (c"check", 120),
    (c"fs_event", 136),
    (c"fs_poll", 104),
    (c"handle", 96),
    (c"idle", 120),
    (c"pipe", 264),
    (c"poll", 160),
    (c"prepare", 120),
    (c"process", 136),
    (c"stream", 248),
    (c"tcp", 248),
    (c"timer", 152),
    (c"tty", 312),
    (c"udp", 216),
    (c"signal", 152),
];

/// Kinds of requests with their sizes; `uv_req_type` counts from 1.
const REQUESTS: &[(&CStr, usize)] = &[
    (c"req", 64),
    (c"connect", 96),
    (c"write", 192),
    (c"shutdown", 80),
    (c"udp_send", 320),
    (c"fs", 440),
    (c"work", 128),
    (c"getaddrinfo", 160),
    (c"getnameinfo", 1320),
    (c"random", 144),
];

/// `UV_FILE`, which is a type of descriptors but not of handles.
const FILE: c_int = HANDLES.len() as c_int + 1;

fn find(table: &'static [(&CStr, usize)], kind: c_int) -> Option<&'static (&'static CStr, usize)> {
    table.get(usize::try_from(kind).ok()?.checked_sub(1)?)
}

/// libuv's answer for a type that does not exist.
const UNKNOWN_SIZE: usize = usize::MAX;

#[unsafe(no_mangle)]
extern "C" fn uv_handle_size(kind: c_int) -> usize {
    find(HANDLES, kind).map_or(UNKNOWN_SIZE, |(_, size)| *size)
}

#[unsafe(no_mangle)]
extern "C" fn uv_req_size(kind: c_int) -> usize {
    find(REQUESTS, kind).map_or(UNKNOWN_SIZE, |(_, size)| *size)
}

#[unsafe(no_mangle)]
extern "C" fn uv_loop_size() -> usize {
    LOOP_BYTES
}

#[unsafe(no_mangle)]
extern "C" fn uv_handle_type_name(kind: c_int) -> *const c_char {
    match kind {
        FILE => c"file".as_ptr(),
        _ => find(HANDLES, kind).map_or(std::ptr::null(), |(name, _)| name.as_ptr()),
    }
}

// SAFETY of the functions below: the addon passes a handle, request or loop that it has
// initialized; libuv's functions have the same condition.

#[unsafe(no_mangle)]
extern "C" fn uv_handle_get_type(handle: HandlePointer) -> c_int {
    // SAFETY: as above.
    unsafe { (*handle).kind }
}

#[unsafe(no_mangle)]
extern "C" fn uv_handle_get_loop(handle: HandlePointer) -> *const UvLoop {
    // SAFETY: as above.
    unsafe { (*handle).owner }
}

#[unsafe(no_mangle)]
extern "C" fn uv_handle_get_data(handle: HandlePointer) -> Foreign {
    // SAFETY: as above.
    unsafe { (*handle).data }
}

#[unsafe(no_mangle)]
extern "C" fn uv_handle_set_data(handle: HandlePointer, data: Foreign) {
    // SAFETY: as above.
    unsafe { (*handle).data = data };
}

#[unsafe(no_mangle)]
extern "C" fn uv_req_get_data(request: *const Foreign) -> Foreign {
    // SAFETY: as above; `data` is the first field.
    unsafe { *request }
}

#[unsafe(no_mangle)]
extern "C" fn uv_req_set_data(request: *mut Foreign, data: Foreign) {
    // SAFETY: as above.
    unsafe { *request = data };
}

#[unsafe(no_mangle)]
extern "C" fn uv_loop_get_data(owner: *const UvLoop) -> Foreign {
    // SAFETY: as above.
    unsafe { (*owner).data.get() }
}

#[unsafe(no_mangle)]
extern "C" fn uv_loop_set_data(owner: *const UvLoop, data: Foreign) {
    // SAFETY: as above.
    unsafe { (*owner).data.set(data) };
}

/// The descriptor of a poll handle; other kinds that are here have none.
#[unsafe(no_mangle)]
extern "C" fn uv_fileno(handle: HandlePointer, fd: *mut c_int) -> c_int {
    let found = Instance::current().and_then(|instance| fd_of(&instance, handle));
    let Some(found) = found.filter(|_| !fd.is_null()) else { return invalid() };
    // SAFETY: as above.
    unsafe { *fd = found };
    0
}

/// On Unix a descriptor is what the system has.
#[unsafe(no_mangle)]
extern "C" fn uv_get_osfhandle(fd: c_int) -> c_int {
    fd
}

/// `uv_buf_t`.
#[repr(C)]
pub struct UvBuffer {
    base: *mut c_char,
    length: usize,
}

#[unsafe(no_mangle)]
extern "C" fn uv_buf_init(base: *mut c_char, length: u32) -> UvBuffer {
    UvBuffer { base, length: length as usize }
}

#[unsafe(no_mangle)]
extern "C" fn uv_os_getpid() -> c_int {
    // SAFETY: it has no conditions.
    unsafe { libc::getpid() }
}
