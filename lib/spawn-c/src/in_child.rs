//! System calls for a callback in a child. In: numbers and valid addresses. Out: a result, or a
//! negative errno.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

use spawn::child_calls::{self as calls, Errno};

fn to_result(done: Result<usize, Errno>) -> c_long {
    match done {
        Ok(result) => result as c_long,
        Err(Errno(errno)) => (errno as c_long).wrapping_neg(),
    }
}

fn done(done: Result<(), Errno>) -> c_long {
    match done {
        Ok(()) => 0,
        Err(Errno(errno)) => (errno as c_long).wrapping_neg(),
    }
}

fn number(done: Result<c_int, Errno>) -> c_long {
    match done {
        Ok(number) => number as c_long,
        Err(Errno(errno)) => (errno as c_long).wrapping_neg(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_call(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    let args = [a as usize, b as usize, c as usize, d as usize, e as usize, f as usize];
    // SAFETY: the header requires a call that is sound with these arguments.
    to_result(unsafe { calls::call(number, args) })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_write(fd: c_int, bytes: *const c_void, count: usize) -> c_long {
    // SAFETY: the kernel reads the caller's bytes, and returns EFAULT for an invalid address.
    to_result(unsafe { calls::call3(libc::SYS_write, fd as usize, bytes as usize, count) })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_open(path: *const c_char, flags: c_int) -> c_long {
    // SAFETY: the kernel reads the caller's string, and returns EFAULT for an invalid address.
    number(unsafe { calls::open(path.cast(), flags) })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_close(fd: c_int) -> c_long {
    done(calls::close(fd))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_close_range(first: c_uint, last: c_uint, flags: c_uint) -> c_long {
    done(calls::close_range(first, last, flags))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_copy_to(fd: c_int, target: c_int) -> c_long {
    done(calls::copy_to(fd, target))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_copy_above(fd: c_int, lowest: c_int) -> c_long {
    number(calls::copy_above(fd, lowest))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_set_close_on_exec(fd: c_int, closes: bool) -> c_long {
    done(calls::set_close_on_exec(fd, closes))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_in_child_pid() -> libc::pid_t {
    calls::pid()
}
