//! Who a process is: users, groups, priority. In: numbers, names. Out: numbers, names, or the
//! kernel's answer why not. Names are the C library's to find, which asks whoever the machine's
//! configuration names. Changes hold for all threads.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use rustix::process::{self, Pid};

use super::{Errno, Result};

/// Room for what is known of a user; the C library says where more is needed.
const ENTRY_BYTES: usize = 4 << 10;
/// No entry is as long.
const ENTRY_BYTES_MAX: usize = 1 << 20;

/// IdKind of the numbers of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    User,
    EffectiveUser,
    Group,
    EffectiveGroup,
}

/// What is known of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: String,
    pub user: u32,
    pub group: u32,
    pub home: String,
    pub shell: String,
}

/// User, effective user, group, effective group.
pub fn ids() -> [u32; 4] {
    [
        process::getuid().as_raw(),
        process::geteuid().as_raw(),
        process::getgid().as_raw(),
        process::getegid().as_raw(),
    ]
}

pub fn set_id(which: IdKind, id: u32) -> Result<()> {
    // SAFETY: numbers alone; the C library carries the change to all threads.
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
    // SAFETY: reads as many numbers as it is told there are.
    check(unsafe { libc::setgroups(groups.len(), groups.as_ptr()) })
}

/// All groups that a user is in, and one more.
pub fn initgroups(user: &str, group: u32) -> Result<()> {
    let user = CString::new(user).map_err(|_| Errno::INVAL)?;
    // SAFETY: a text that ends in a NUL.
    check(unsafe { libc::initgroups(user.as_ptr(), group) })
}

/// `None`: there is no such user.
pub fn find_user(name: &str) -> Result<Option<User>> {
    let name = CString::new(name).map_err(|_| Errno::INVAL)?;
    look_up(|entry, bytes, room, found| {
        // SAFETY: the places have room for what is written, as much as is said.
        unsafe { libc::getpwnam_r(name.as_ptr(), entry, bytes, room, found) }
    })
}

/// `None`: nobody has this number.
pub fn user(number: u32) -> Result<Option<User>> {
    look_up(|entry, bytes, room, found| {
        // SAFETY: the places have room for what is written, as much as is said.
        unsafe { libc::getpwuid_r(number, entry, bytes, room, found) }
    })
}

type Place<T> = *mut T;

fn look_up(
    mut ask: impl FnMut(Place<libc::passwd>, Place<c_char>, usize, Place<Place<libc::passwd>>) -> i32,
) -> Result<Option<User>> {
    let mut room = vec![0; ENTRY_BYTES];
    loop {
        let mut entry = MaybeUninit::<libc::passwd>::uninit();
        let mut found = ptr::null_mut();
        let error = ask(entry.as_mut_ptr(), room.as_mut_ptr(), room.len(), &raw mut found);
        if error == libc::ERANGE && room.len() < ENTRY_BYTES_MAX {
            room = vec![0; 2 * room.len()];
            continue;
        }
        if found.is_null() {
            // Nobody of this name is told in several ways.
            return match error {
                0 | libc::ENOENT | libc::ESRCH | libc::EBADF | libc::EPERM => Ok(None),
                error => Err(Errno::from_raw_os_error(error)),
            };
        }
        // SAFETY: `found` says that the entry was filled; its texts lie in `room` and end in NULs.
        return Ok(Some(unsafe {
            let entry = entry.assume_init();
            User {
                name: text(entry.pw_name),
                user: entry.pw_uid,
                group: entry.pw_gid,
                home: text(entry.pw_dir),
                shell: text(entry.pw_shell),
            }
        }));
    }
}

/// The number of a group; `None`: there is none of this name.
pub fn find_group(name: &str) -> Result<Option<u32>> {
    let name = CString::new(name).map_err(|_| Errno::INVAL)?;
    let mut room: Vec<c_char> = vec![0; ENTRY_BYTES];
    loop {
        let mut entry = MaybeUninit::<libc::group>::uninit();
        let mut found = ptr::null_mut();
        // SAFETY: the places have room for what is written, as much as is said.
        let error = unsafe {
            let (entry, bytes) = (entry.as_mut_ptr(), room.as_mut_ptr());
            libc::getgrnam_r(name.as_ptr(), entry, bytes, room.len(), &raw mut found)
        };
        match error {
            libc::ERANGE if room.len() < ENTRY_BYTES_MAX => room = vec![0; 2 * room.len()],
            _ if found.is_null() => return Ok(None),
            // SAFETY: `found` says that the entry was filled.
            _ => return Ok(Some(unsafe { entry.assume_init() }.gr_gid)),
        }
    }
}

/// Nice values of a process; 0 is this one.
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
/// Null, or a text that ends in a NUL.
unsafe fn text(place: *const c_char) -> String {
    if place.is_null() {
        return String::new();
    }
    // SAFETY: as promised.
    unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned()
}

fn check(status: i32) -> Result<()> {
    match status {
        0 => Ok(()),
        _ => Err(last()),
    }
}

fn last() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}
