//! Mounts by descriptor, and paths that stay inside a folder. In: descriptors and paths. Out: trees
//! of mounts that hang nowhere until they are attached. Absent: which ones a root needs, and in
//! what order. Linux 5.6 knows all but [`set_read_only`], which is 5.12's.
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

/// `openat2(2)` as if the folder were the root: absolute links and `..` stay in it.
pub fn open_in_root(root: BorrowedFd<'_>, path: impl PathArg, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let inside = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    let path = path.as_cow_c_str()?;
    loop {
        let open = || calls::openat2(root, path.as_ref(), flags | OFlags::CLOEXEC, mode, inside);
        match traced(libc::SYS_openat2, open) {
            // Something was renamed meanwhile, and the kernel cannot tell whether `..` stayed
            // inside.
            Err(Errno::AGAIN | Errno::INTR) => {}
            outcome => return outcome.map(OwnedFd::from),
        }
    }
}

/// Nothing that is mounted from now on shows elsewhere.
pub fn make_all_private() -> Result<()> {
    let change = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    traced(libc::SYS_mount, || mount::mount_change(c"/", change))
}

/// A file system of its own, with these options.
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

/// What can be seen at a path, with all that is mounted below it.
pub fn clone_tree(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let open = || mount::open_tree(folder, path, flags | OpenTreeFlags::AT_EMPTY_PATH);
    traced(libc::SYS_open_tree, open).map(OwnedFd::from)
}

/// Hangs a tree over a file or folder, which was opened by its path.
pub fn move_mount(tree: BorrowedFd<'_>, place: BorrowedFd<'_>) -> Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    traced(libc::SYS_move_mount, || mount::move_mount(tree, c"", place, c"", flags))
}

/// Hangs a tree over what has this name in a folder that is mounted, and is no link.
pub fn move_mount_at(tree: BorrowedFd<'_>, folder: BorrowedFd<'_>, name: impl PathArg) -> Result<()> {
    let name = name.as_cow_c_str()?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    traced(libc::SYS_move_mount, || mount::move_mount(tree, c"", folder, name.as_ref(), flags))
}

/// The kernel's `struct mount_attr`.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Nothing in a tree can be written to through it.
pub fn set_read_only(tree: BorrowedFd<'_>) -> Result<()> {
    let set = u64::from(MountAttrFlags::MOUNT_ATTR_RDONLY.bits());
    let attributes = Attributes { set, clear: 0, propagation: 0, user_namespace: 0 };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    let set = || {
        // SAFETY: the path is empty and ends in a NUL; the kernel reads `attributes`, which has the
        // size that it is told.
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

/// Makes a folder at which a tree is attached the root of this process, and lets go of the former
/// one.
pub fn pivot_root(root: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_fchdir, || process::fchdir(root))?;
    // pivot_root(2), NOTES: the old root lies on top of the new one then, and is taken off it.
    traced(libc::SYS_pivot_root, || process::pivot_root(c".", c"."))?;
    traced(libc::SYS_umount2, || mount::unmount(c".", UnmountFlags::DETACH))?;
    super::chdir(c"/")
}

/// The permissions that new files and folders are given are the ones asked for while this lives.
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
