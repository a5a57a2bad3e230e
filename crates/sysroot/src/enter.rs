//! Entering a sysroot. In: a plan. Out: this process in new namespaces, with the new root and
//! current directory; or the failed step, after which the process is unusable. Namespaces and
//! ephemeral writes end with the last process in them, so no cleanup is needed.
//!
//! Absent: a PID namespace; the program keeps its parent, signals and terminal. For single-threaded
//! programs.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::mounts::{self, ZeroUmask, clone_tree, move_mount};
use rusk_base::sys::user_namespace::{self, IdMap};
use rusk_base::sys::{self, CWD, Mode, OFlags, OwnedFd};

use crate::bind_mounts::{self, BindMount, Need};
use crate::devices::Devices;
use crate::failure::{StartFailure, StartStep, at};
use crate::mount_point::{self, DIRECTORY_MODE, MountPointKind, STICKY_DIRECTORY_MODE};
use crate::overlay_upper::OverlayUpper;
use crate::plan::{Plan, Writes};

/// Files in `/proc` by which root outside could change the whole system.
const PROTECTED_FROM_ROOT: [&str; 2] = ["/proc/sys", "/proc/sysrq-trigger"];

/// Directories that programs write to, created if the root lacks them.
const WRITABLE_DIRECTORIES: [(&str, Mode); 3] =
    [("/tmp", STICKY_DIRECTORY_MODE), ("/var/tmp", STICKY_DIRECTORY_MODE), ("/run", DIRECTORY_MODE)];

impl Plan {
    pub fn enter(&self) -> Result<(), StartFailure> {
        let outside = user_namespace::effective_ids().user;
        let mapped = user_namespace::unshare_user(self.user.ids, self.mapped)
            .map_err(at(StartStep::Namespaces, ""))?;
        let umask = ZeroUmask::set();
        mounts::make_all_private().map_err(at(StartStep::Namespaces, ""))?;
        let refused = || at(StartStep::Root, &self.root);
        let directory = sys::openat(CWD, &self.root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty());
        let directory = directory.map_err(refused())?;
        // Everything from outside is opened before mounts cover it.
        let mounts_inside = bind_mounts::open(self, directory.as_fd())?;
        let devices = Devices::clone_host().map_err(at(StartStep::Source, "/dev"))?;
        let writable_root = match self.writes {
            Writes::Persistent => Some(clone_tree(directory.as_fd(), "").map_err(refused())?),
            Writes::Ephemeral => None,
        };
        let scratch = scratch_over(directory.as_fd()).map_err(at(StartStep::Scratch, ""))?;
        let root = match writable_root {
            Some(writable_root) => writable_root,
            None => {
                let owner = (mapped == IdMap::Single).then_some(self.user.ids.user);
                self.overlay(directory.as_fd(), scratch.as_fd(), &mounts_inside, owner)?
            }
        };
        let target = create_directory(scratch.as_fd(), "root").map_err(at(StartStep::Scratch, ""))?;
        move_mount(root.as_fd(), target.as_fd()).map_err(refused())?;
        devices
            .mount(scratch.as_fd(), root.as_fd(), self.writes)
            .map_err(at(StartStep::MountPoint, "/dev"))?;
        mounts_inside.iter().try_for_each(|mount| self.attach(root.as_fd(), mount))?;
        if outside == 0 {
            PROTECTED_FROM_ROOT
                .iter()
                .try_for_each(|path| protect_from_root(root.as_fd(), Path::new(path)))?;
        }
        drop(umask);
        mounts::pivot_root(root.as_fd()).map_err(refused())?;
        if mapped == IdMap::All {
            user_namespace::set_ids(self.user.ids).map_err(at(StartStep::SetIds, ""))?;
        }
        self.enter_workdir()
    }

    /// An overlay of the root, with an upper layer in memory.
    fn overlay(
        &self,
        directory: BorrowedFd<'_>,
        scratch: BorrowedFd<'_>,
        mounts_inside: &[BindMount],
        owner: Option<u32>,
    ) -> Result<OwnedFd, StartFailure> {
        let upper = create_directory(scratch, "upper").map_err(at(StartStep::Scratch, ""))?;
        sys::mkdirat(scratch, "work", DIRECTORY_MODE).map_err(at(StartStep::Scratch, ""))?;
        let upper_layer = OverlayUpper { lower: directory, upper: upper.as_fd(), owner };
        for (path, kind) in mounts_inside
            .iter()
            .map(|mount| (&*mount.path, mount.kind))
            .chain([(Path::new("/dev"), MountPointKind::Directory)])
        {
            upper_layer.create(path, kind).map_err(at(StartStep::MountPoint, path))?;
        }
        let home = (&*self.user.home, DIRECTORY_MODE);
        for (path, mode) in
            WRITABLE_DIRECTORIES.iter().map(|(path, mode)| (Path::new(path), *mode)).chain([home])
        {
            upper_layer.make_writable(path, mode).map_err(at(StartStep::MountPoint, path))?;
        }
        mount_overlay(directory, scratch).map_err(at(StartStep::Overlay, ""))
    }

    fn attach(&self, root: BorrowedFd<'_>, mount: &BindMount) -> Result<(), StartFailure> {
        let target = match (self.writes, mount.need) {
            (Writes::Persistent, Need::Required) => mount_point::create(root, &mount.path, mount.kind),
            // It was created before, or is not worth a write to the root.
            _ => mount_point::open(root, &mount.path),
        };
        match (target.and_then(|target| move_mount(mount.tree.as_fd(), target.as_fd())), mount.need) {
            (Ok(()), _) | (Err(_), Need::Optional) => Ok(()),
            (Err(errno), Need::Required) => Err(at(StartStep::MountPoint, &mount.path)(errno)),
        }
    }

    fn enter_workdir(&self) -> Result<(), StartFailure> {
        if let Some(directory) = &self.workdir {
            return sys::chdir(directory).map_err(at(StartStep::Workdir, directory));
        }
        // If none of them exists, the current directory is `/`.
        let _ = self.workdirs.iter().find(|directory| sys::chdir(*directory).is_ok());
        Ok(())
    }
}

/// Mounts a tmpfs over the root directory: it is visible in this namespace only, and the directory
/// certainly exists.
fn scratch_over(directory: BorrowedFd<'_>) -> sys::Result<OwnedFd> {
    let scratch = mounts::new_file_system(c"tmpfs", &[(c"mode", "755")])?;
    move_mount(scratch.as_fd(), directory)?;
    Ok(scratch)
}

fn mount_overlay(directory: BorrowedFd<'_>, scratch: BorrowedFd<'_>) -> sys::Result<OwnedFd> {
    // By descriptor, so that no special characters of paths need to be escaped.
    let below = |name: &str| format!("/proc/self/fd/{}/{name}", scratch.as_raw_fd());
    let lower = format!("/proc/self/fd/{}", directory.as_raw_fd());
    let (upper, work) = (below("upper"), below("work"));
    let options = [(c"lowerdir", &*lower), (c"upperdir", &*upper), (c"workdir", &*work), (c"userxattr", "")];
    mounts::new_file_system(c"overlay", &options)
}

fn create_directory(directory: BorrowedFd<'_>, name: &str) -> sys::Result<OwnedFd> {
    sys::mkdirat(directory, name, DIRECTORY_MODE)?;
    sys::open_directory(directory, name)
}

fn protect_from_root(root: BorrowedFd<'_>, path: &Path) -> Result<(), StartFailure> {
    // Kernels may be built without these files.
    let Ok(tree) = clone_tree(CWD, path) else { return Ok(()) };
    mounts::set_read_only(tree.as_fd()).map_err(at(StartStep::ReadOnly, path))?;
    let target = mount_point::open(root, path).map_err(at(StartStep::MountPoint, path))?;
    move_mount(tree.as_fd(), target.as_fd()).map_err(at(StartStep::MountPoint, path))
}
