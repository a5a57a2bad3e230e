//! Process credentials, credentials(7): user and group ids, supplementary groups, priority, and the
//! user database. In: ids, names. Out: ids, names, or an errno. Names are looked up by the C
//! library, as nsswitch.conf(5) configures. Changes apply to all threads.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use rustix::process::{self, Pid};

use super::{Errno, Result};

/// The first buffer for a passwd entry; the C library reports `ERANGE` if it is too small.
const ENTRY_BYTES: usize = 4 << 10;
/// The largest buffer that is tried.
const ENTRY_BYTES_MAX: usize = 1 << 20;

/// Which id of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    User,
    EffectiveUser,
    Group,
    EffectiveGroup,
}

/// An entry of the user database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: String,
    pub user: u32,
    pub group: u32,
    pub home: String,
    pub shell: String,
}

/// Real and effective user id, real and effective group id.
pub fn ids() -> [u32; 4] {
    [
        process::getuid().as_raw(),
        process::geteuid().as_raw(),
        process::getgid().as_raw(),
        process::getegid().as_raw(),
    ]
}

pub fn set_id(which: IdKind, id: u32) -> Result<()> {
    // SAFETY: only integers are passed; the C library applies the change to all threads.
    check(unsafe {
        match which {
            IdKind::User => libc::setuid(id),
            IdKind::EffectiveUser => libc::seteuid(id),
            IdKind::Group => libc::setgid(id),
            IdKind::EffectiveGroup => libc::setegid(id),
        }
    })
}

pub fn groups() -> Result<Vec<u32>> {
    Ok(process::getgroups()?.into_iter().map(|group| group.as_raw()).collect())
}

pub fn set_groups(groups: &[u32]) -> Result<()> {
    // SAFETY: the call reads `groups.len()` ids.
    check(unsafe { libc::setgroups(groups.len(), groups.as_ptr()) })
}

/// `initgroups(3)`: sets all groups of a user, and `group`.
pub fn initgroups(user: &str, group: u32) -> Result<()> {
    let user = CString::new(user).map_err(|_| Errno::INVAL)?;
    // SAFETY: the string ends with a NUL.
    check(unsafe { libc::initgroups(user.as_ptr(), group) })
}

/// `getpwnam_r(3)`. `None` if there is no such user.
pub fn find_user(name: &str) -> Result<Option<User>> {
    let name = CString::new(name).map_err(|_| Errno::INVAL)?;
    look_up(|entry, bytes, room, found| {
        // SAFETY: the pointers are valid for writes, and `room` is the size of `bytes`.
        unsafe { libc::getpwnam_r(name.as_ptr(), entry, bytes, room, found) }
    })
}

/// `getpwuid_r(3)`. `None` if no user has this id.
pub fn user(number: u32) -> Result<Option<User>> {
    look_up(|entry, bytes, room, found| {
        // SAFETY: the pointers are valid for writes, and `room` is the size of `bytes`.
        unsafe { libc::getpwuid_r(number, entry, bytes, room, found) }
    })
}

type OutPointer<T> = *mut T;

fn look_up(
    mut call: impl FnMut(
        OutPointer<libc::passwd>,
        OutPointer<c_char>,
        usize,
        OutPointer<OutPointer<libc::passwd>>,
    ) -> i32,
) -> Result<Option<User>> {
    let mut room = vec![0; ENTRY_BYTES];
    loop {
        let mut entry = MaybeUninit::<libc::passwd>::uninit();
        let mut found = ptr::null_mut();
        let error = call(entry.as_mut_ptr(), room.as_mut_ptr(), room.len(), &raw mut found);
        if error == libc::ERANGE && room.len() < ENTRY_BYTES_MAX {
            room = vec![0; 2 * room.len()];
            continue;
        }
        if found.is_null() {
            // Several errors mean that there is no such user: getpwnam_r(3), ERRORS.
            return match error {
                0 | libc::ENOENT | libc::ESRCH | libc::EBADF | libc::EPERM => Ok(None),
                error => Err(Errno::from_raw_os_error(error)),
            };
        }
        // SAFETY: `found` is set, so the entry was filled; its strings are in `room` and end with
        // NULs.
        return Ok(Some(unsafe {
            let entry = entry.assume_init();
            User {
                name: to_string(entry.pw_name),
                user: entry.pw_uid,
                group: entry.pw_gid,
                home: to_string(entry.pw_dir),
                shell: to_string(entry.pw_shell),
            }
        }));
    }
}

/// `getgrnam_r(3)`: the id of a group. `None` if there is no such group.
pub fn find_group(name: &str) -> Result<Option<u32>> {
    let name = CString::new(name).map_err(|_| Errno::INVAL)?;
    let mut room: Vec<c_char> = vec![0; ENTRY_BYTES];
    loop {
        let mut entry = MaybeUninit::<libc::group>::uninit();
        let mut found = ptr::null_mut();
        // SAFETY: the pointers are valid for writes, and the size is that of the buffer.
        let error = unsafe {
            let (entry, bytes) = (entry.as_mut_ptr(), room.as_mut_ptr());
            libc::getgrnam_r(name.as_ptr(), entry, bytes, room.len(), &raw mut found)
        };
        match error {
            libc::ERANGE if room.len() < ENTRY_BYTES_MAX => room = vec![0; 2 * room.len()],
            _ if found.is_null() => return Ok(None),
            // SAFETY: `found` is set, so the entry was filled.
            _ => return Ok(Some(unsafe { entry.assume_init() }.gr_gid)),
        }
    }
}

/// The nice value of a process; 0 means this process.
pub fn priority(number: i32) -> Result<i32> {
    process::getpriority_process(pid(number)?)
}

pub fn set_priority(number: i32, value: i32) -> Result<()> {
    process::setpriority_process(pid(number)?, value)
}

fn pid(number: i32) -> Result<Option<Pid>> {
    match number {
        0 => Ok(None),
        1.. => Ok(Pid::from_raw(number)),
        _ => Err(Errno::SRCH),
    }
}

/// # Safety
/// `string` is null or a string that ends with a NUL.
unsafe fn to_string(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

fn check(status: i32) -> Result<()> {
    match status {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}
