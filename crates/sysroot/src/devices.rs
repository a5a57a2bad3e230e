//! A `/dev` with what programs count on: the devices that everybody may use, the terminals, shared memory. In: those of
//! the system. Out: a tree at the root's `/dev`. Absent: disks, input, sound.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, CURRENT, Errno, OFlags, OwnedFd, mounts};

use crate::place::{self, FOLDER, Kind, SHARED_FOLDER};
use crate::plan::Writes;

const DEVICES: [&str; 8] = ["null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts"];
const LINKS: [(&str, &str); 4] =
    [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")];

/// The system's own, as they hang nowhere yet.
pub struct Devices(Vec<(&'static str, OwnedFd)>);

impl Devices {
    /// Those that there are.
    pub fn copy() -> sys::Result<Devices> {
        let mut devices = Vec::new();
        for name in DEVICES {
            match mounts::copy_tree(CURRENT, format!("/dev/{name}")) {
                Ok(tree) => devices.push((name, tree)),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(Devices(devices))
    }

    /// `scratch`: where the folder itself is made.
    pub fn show(&self, scratch: BorrowedFd<'_>, root: BorrowedFd<'_>, writes: Writes) -> sys::Result<()> {
        sys::mkdirat(scratch, "dev", FOLDER)?;
        let folder = sys::open_folder(scratch, "dev")?;
        sys::mkdirat(folder.as_fd(), "shm", SHARED_FOLDER)?;
        for (name, target) in LINKS {
            sys::symlinkat(target, folder.as_fd(), name)?;
        }
        for (name, tree) in &self.0 {
            match Kind::of(tree.as_fd())? {
                Kind::Folder => sys::mkdirat(folder.as_fd(), *name, FOLDER)?,
                Kind::File => place::make_file(folder.as_fd(), Path::new(name))?,
            }
        }
        let tree = mounts::copy_tree(scratch, "dev")?;
        let place = match writes {
            Writes::Kept => place::make(root, Path::new("/dev"), Kind::Folder)?,
            Writes::Forgotten => place::find(root, Path::new("/dev"))?,
        };
        mounts::attach(tree.as_fd(), place.as_fd())?;
        for (name, device) in &self.0 {
            let place = sys::openat(tree.as_fd(), *name, OFlags::PATH, sys::Mode::empty())?;
            mounts::attach(device.as_fd(), place.as_fd())?;
        }
        Ok(())
    }
}
