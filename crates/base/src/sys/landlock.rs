//! Landlock rulesets, landlock(7). In: access rights, and directories or files that have them. Out:
//! a file descriptor of the ruleset, for a process that restricts itself. Absent: the restriction
//! itself, which happens in a child; which rights a policy grants.
#![allow(unsafe_code)]

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd as StdFd};

use super::syscall_stats::traced;
use super::{Errno, OwnedFd, Result};

pub const EXECUTE: u64 = 1 << 0;
pub const WRITE_FILE: u64 = 1 << 1;
pub const READ_FILE: u64 = 1 << 2;
pub const READ_DIR: u64 = 1 << 3;
pub const REMOVE_DIR: u64 = 1 << 4;
pub const REMOVE_FILE: u64 = 1 << 5;
pub const MAKE_CHAR: u64 = 1 << 6;
pub const MAKE_DIR: u64 = 1 << 7;
pub const MAKE_REG: u64 = 1 << 8;
pub const MAKE_SOCK: u64 = 1 << 9;
pub const MAKE_FIFO: u64 = 1 << 10;
pub const MAKE_BLOCK: u64 = 1 << 11;
pub const MAKE_SYM: u64 = 1 << 12;
/// Linking and renaming from one directory to another; ABI 2.
pub const REFER: u64 = 1 << 13;
/// ABI 3.
pub const TRUNCATE: u64 = 1 << 14;
/// `ioctl(2)` on devices; ABI 5.
pub const IOCTL_DEV: u64 = 1 << 15;

pub const BIND_TCP: u64 = 1 << 0;
pub const CONNECT_TCP: u64 = 1 << 1;

pub const ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
pub const SIGNAL: u64 = 1 << 1;

const CREATE_RULESET_VERSION: usize = 1;
const RULE_PATH_BENEATH: usize = 1;

/// What a ruleset restricts: `struct landlock_ruleset_attr`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    pub files: u64,
    /// ABI 4.
    pub network: u64,
    /// ABI 6.
    pub scoped: u64,
}

/// `struct landlock_path_beneath_attr`, which is packed.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// The version of Landlock's interface; `None` if the kernel does not have it or it is disabled.
pub fn abi() -> Option<u32> {
    // SAFETY: without an attribute the kernel reads nothing.
    let version = unsafe { create(std::ptr::null(), 0, CREATE_RULESET_VERSION) };
    version.ok().and_then(|version| u32::try_from(version).ok()).filter(|version| *version > 0)
}

pub struct Ruleset(OwnedFd);

impl Ruleset {
    /// A ruleset for an interface of this version: what it does not know may not be restricted.
    pub fn new(restrictions: Restrictions, abi: u32) -> Result<Ruleset> {
        let bytes = match abi {
            0..4 => 8,
            4..6 => 16,
            6.. => 24,
        };
        // SAFETY: the attribute has at least that many bytes.
        let fd = unsafe { create(&raw const restrictions, bytes, 0) }?;
        // SAFETY: the kernel just opened it, close-on-exec, for us.
        Ok(Ruleset(OwnedFd::from(unsafe { StdFd::from_raw_fd(fd) })))
    }

    /// Allows these rights for a file, or for a directory and everything in it.
    pub fn allow(&self, parent: BorrowedFd<'_>, allowed: u64) -> Result<()> {
        let rule = PathBeneath { allowed, parent: parent.as_raw_fd() };
        traced(libc::SYS_landlock_add_rule, || {
            let rule = &raw const rule;
            // SAFETY: the kernel reads one rule.
            let done = unsafe {
                libc::syscall(libc::SYS_landlock_add_rule, self.0.as_raw_fd(), RULE_PATH_BENEATH, rule, 0)
            };
            if done < 0 { Err(last_errno()) } else { Ok(()) }
        })
    }
}

impl AsFd for Ruleset {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// # Safety
/// `attribute` is null or has this many bytes.
unsafe fn create(attribute: *const Restrictions, bytes: usize, flags: usize) -> Result<i32> {
    traced(libc::SYS_landlock_create_ruleset, || {
        // SAFETY: guaranteed by the caller.
        let created = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, attribute, bytes, flags) };
        if created < 0 { Err(last_errno()) } else { Ok(created as i32) }
    })
}

fn last_errno() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::NOSYS)
}

#[cfg(test)]
mod tests;
