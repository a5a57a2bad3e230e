//! A minimal `/dev`: devices that all users may use, terminals, shared memory. In: those of the
//! host. Out: a tree mounted at the root's `/dev`. Absent: disks, input devices, sound.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, CWD, Errno, OwnedFd, mounts};

use crate::mount_point::{self, DIRECTORY_MODE, MountPointKind, STICKY_DIRECTORY_MODE};
use crate::plan::Writes;

const DEVICES: [(&str, MountPointKind); 8] = [
    ("null", MountPointKind::File),
    ("zero", MountPointKind::File),
    ("full", MountPointKind::File),
    ("random", MountPointKind::File),
    ("urandom", MountPointKind::File),
    ("tty", MountPointKind::File),
    ("ptmx", MountPointKind::File),
    ("pts", MountPointKind::Directory),
];
const LINKS: [(&str, &str); 4] =
    [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")];

/// Detached mounts of the host's devices.
pub struct Devices(Vec<Device>);

struct Device {
    name: &'static str,
    kind: MountPointKind,
    tree: OwnedFd,
}

impl Devices {
    /// Clones those that exist.
    pub fn clone_host() -> sys::Result<Devices> {
        let mut devices = Vec::new();
        for (name, kind) in DEVICES {
            match mounts::clone_tree(CWD, format!("/dev/{name}")) {
                Ok(tree) => devices.push(Device { name, kind, tree }),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(Devices(devices))
    }

    /// `scratch`: where the directory is created.
    pub fn mount(&self, scratch: BorrowedFd<'_>, root: BorrowedFd<'_>, writes: Writes) -> sys::Result<()> {
        sys::mkdirat(scratch, "dev", DIRECTORY_MODE)?;
        let directory = sys::open_directory(scratch, "dev")?;
        sys::mkdirat(directory.as_fd(), "shm", STICKY_DIRECTORY_MODE)?;
        for (name, target) in LINKS {
            sys::symlinkat(target, directory.as_fd(), name)?;
        }
        for Device { name, kind, .. } in &self.0 {
            match kind {
                MountPointKind::Directory => sys::mkdirat(directory.as_fd(), *name, DIRECTORY_MODE)?,
                MountPointKind::File => mount_point::create_file(directory.as_fd(), Path::new(name))?,
            }
        }
        let tree = mounts::clone_tree(scratch, "dev")?;
        let target = match writes {
            Writes::Persistent => mount_point::create(root, Path::new("/dev"), MountPointKind::Directory)?,
            Writes::Ephemeral => mount_point::open(root, Path::new("/dev"))?,
        };
        mounts::move_mount(tree.as_fd(), target.as_fd())?;
        let attach = |device: &Device| mounts::move_mount_at(device.tree.as_fd(), tree.as_fd(), device.name);
        self.0.iter().try_for_each(attach)
    }
}
