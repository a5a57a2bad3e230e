//! The part of libuv that addons import. There is no libuv here: `napi_get_uv_event_loop` returns a
//! pointer that stands for the runtime's loop, and the functions here understand it. Absent: all
//! other functions; an addon that needs them is refused when it is loaded ([`crate::load`]).

use std::ffi::{c_char, c_uint};

use crate::abi::{EnvPointer, Foreign, Out, Status};

/// The version that `process.versions.uv` has: major, minor, patch.
const VERSION: [c_uint; 3] = [1, 51, 0];

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
