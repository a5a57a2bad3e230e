//! Mounts by file descriptor (`fsopen(2)`, `open_tree(2)`, `move_mount(2)`), and path lookup
//! confined to a root. In: file descriptors and paths. Out: detached mount trees, which become
//! visible when they are attached. Absent: which mounts a root file system needs. Requires Linux
//! 5.6; [`set_read_only`] requires 5.12.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use rustix::fs::ResolveFlags;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
    UnmountFlags,
};
use rustix::{fs as calls, mount, process};

use super::syscall_stats::traced;
use super::{Errno, Mode, OFlags, OwnedFd, PathArg, Result};

/// `openat2(2)` with `RESOLVE_IN_ROOT`: absolute links and `..` stay below `root`.
pub fn open_in_root(root: BorrowedFd<'_>, path: impl PathArg, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let inside = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    let path = path.as_cow_c_str()?;
    loop {
        let open = || calls::openat2(root, path.as_ref(), flags | OFlags::CLOEXEC, mode, inside);
        match traced(libc::SYS_openat2, open) {
            // A concurrent rename kept the kernel from proving that `..` stays below the root.
            Err(Errno::AGAIN | Errno::INTR) => {}
            outcome => return outcome.map(OwnedFd::from),
        }
    }
}

/// Makes all mounts private: changes do not propagate to other namespaces.
pub fn make_all_private() -> Result<()> {
    let change = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    traced(libc::SYS_mount, || mount::mount_change(c"/", change))
}

/// A new file system instance with these options, detached.
pub fn new_file_system(kind: &CStr, options: &[(&CStr, &str)]) -> Result<OwnedFd> {
    let open = || mount::fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC);
    let context = traced(libc::SYS_fsopen, open).map(OwnedFd::from)?;
    for (name, value) in options {
        traced(libc::SYS_fsconfig, || match *value {
            "" => mount::fsconfig_set_flag(context.as_fd(), *name),
            value => mount::fsconfig_set_string(context.as_fd(), *name, value),
        })?;
    }
    traced(libc::SYS_fsconfig, || mount::fsconfig_create(context.as_fd()))?;
    let flags = (FsMountFlags::FSMOUNT_CLOEXEC, MountAttrFlags::empty());
    traced(libc::SYS_fsmount, || mount::fsmount(context.as_fd(), flags.0, flags.1)).map(OwnedFd::from)
}

/// A detached copy of the mounts at and below a path (`open_tree(2)`).
pub fn clone_tree(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let open = || mount::open_tree(directory, path, flags | OpenTreeFlags::AT_EMPTY_PATH);
    traced(libc::SYS_open_tree, open).map(OwnedFd::from)
}

/// Attaches a detached tree at a file or directory that is opened by path.
pub fn move_mount(tree: BorrowedFd<'_>, target: BorrowedFd<'_>) -> Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    traced(libc::SYS_move_mount, || mount::move_mount(tree, c"", target, c"", flags))
}

/// Attaches a detached tree at an entry of a directory; the entry must not be a symbolic link.
pub fn move_mount_at(tree: BorrowedFd<'_>, directory: BorrowedFd<'_>, name: impl PathArg) -> Result<()> {
    let name = name.as_cow_c_str()?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    traced(libc::SYS_move_mount, || mount::move_mount(tree, c"", directory, name.as_ref(), flags))
}

/// The kernel's `struct mount_attr`.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace_fd: u64,
}

/// Makes a mount tree read-only.
pub fn set_read_only(tree: BorrowedFd<'_>) -> Result<()> {
    let set = u64::from(MountAttrFlags::MOUNT_ATTR_RDONLY.bits());
    let attributes = Attributes { set, clear: 0, propagation: 0, user_namespace_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    let set = || {
        // SAFETY: the path is empty and ends with a NUL; the kernel reads `attributes`, whose size
        // is passed.
        let done = unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                tree.as_raw_fd(),
                c"".as_ptr(),
                flags,
                &raw const attributes,
                size_of::<Attributes>(),
            )
        };
        if done == 0 { Ok(()) } else { Err(last_error()) }
    };
    traced(libc::SYS_mount_setattr, set)
}

/// Makes a mounted directory the root of this process, and unmounts the former root.
pub fn pivot_root(root: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_fchdir, || process::fchdir(root))?;
    // pivot_root(2), NOTES: the old root is stacked on the new one, and is unmounted from there.
    traced(libc::SYS_pivot_root, || process::pivot_root(c".", c"."))?;
    traced(libc::SYS_umount2, || mount::unmount(c".", UnmountFlags::DETACH))?;
    super::chdir(c"/")
}

/// While it lives, the umask is zero, so that new files and directories get exactly the mode
/// passed.
pub struct ZeroUmask(Mode);

impl ZeroUmask {
    pub fn set() -> ZeroUmask {
        ZeroUmask(process::umask(Mode::empty()))
    }
}

impl Drop for ZeroUmask {
    fn drop(&mut self) {
        process::umask(self.0);
    }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}
