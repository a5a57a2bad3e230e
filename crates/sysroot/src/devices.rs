//! A `/dev` with what programs count on: the devices that everybody may use, the terminals, shared
//! memory. In: those of the system. Out: a tree at the root's `/dev`. Absent: disks, input, sound.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, CWD, Errno, OwnedFd, mounts};

use crate::place::{self, FOLDER, Kind, SHARED_FOLDER};
use crate::plan::Writes;

const DEVICES: [(&str, Kind); 8] = [
    ("null", Kind::File),
    ("zero", Kind::File),
    ("full", Kind::File),
    ("random", Kind::File),
    ("urandom", Kind::File),
    ("tty", Kind::File),
    ("ptmx", Kind::File),
    ("pts", Kind::Folder),
];
const LINKS: [(&str, &str); 4] =
    [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")];

/// The system's own, as they hang nowhere yet.
pub struct Devices(Vec<Device>);

struct Device {
    name: &'static str,
    kind: Kind,
    tree: OwnedFd,
}

impl Devices {
    /// Those that there are.
    pub fn copy() -> sys::Result<Devices> {
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

    /// `scratch`: where the folder itself is made.
    pub fn show(&self, scratch: BorrowedFd<'_>, root: BorrowedFd<'_>, writes: Writes) -> sys::Result<()> {
        sys::mkdirat(scratch, "dev", FOLDER)?;
        let folder = sys::open_directory(scratch, "dev")?;
        sys::mkdirat(folder.as_fd(), "shm", SHARED_FOLDER)?;
        for (name, target) in LINKS {
            sys::symlinkat(target, folder.as_fd(), name)?;
        }
        for Device { name, kind, .. } in &self.0 {
            match kind {
                Kind::Folder => sys::mkdirat(folder.as_fd(), *name, FOLDER)?,
                Kind::File => place::make_file(folder.as_fd(), Path::new(name))?,
            }
        }
        let tree = mounts::clone_tree(scratch, "dev")?;
        let place = match writes {
            Writes::Kept => place::make(root, Path::new("/dev"), Kind::Folder)?,
            Writes::Forgotten => place::find(root, Path::new("/dev"))?,
        };
        mounts::move_mount(tree.as_fd(), place.as_fd())?;
        let hang = |device: &Device| mounts::move_mount_at(device.tree.as_fd(), tree.as_fd(), device.name);
        self.0.iter().try_for_each(hang)
    }
}
