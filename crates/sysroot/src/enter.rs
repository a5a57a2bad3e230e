//! The way in. In: a plan. Out: this process, with namespaces of its own, in the root and in the
//! folder to work in; or what was refused, and then it is of no use any more. The namespaces, and
//! what is kept in memory, end with the last process in them, however it ends: nothing is to be
//! cleaned up. Absent: a namespace of processes; a program is a process like any other, and
//! signals, the terminal and its end are its own. For programs with one thread.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::mounts::{self, ZeroUmask, clone_tree, move_mount};
use rusk_base::sys::user_namespace::{self, IdMap};
use rusk_base::sys::{self, CWD, Mode, OFlags, OwnedFd};

use crate::devices::Devices;
use crate::failure::{Failure, Step, at};
use crate::place::{self, FOLDER, Kind, SHARED_FOLDER};
use crate::plan::{Plan, Writes};
use crate::scaffold::Scaffold;
use crate::views::{self, Need, View};

/// What in `/proc` changes the whole system, for whoever is root outside.
const KEPT_FROM_ROOT: [&str; 2] = ["/proc/sys", "/proc/sysrq-trigger"];

/// Folders that programs write to, and how a root that has none gets them.
const WRITTEN_TO: [(&str, Mode); 3] =
    [("/tmp", SHARED_FOLDER), ("/var/tmp", SHARED_FOLDER), ("/run", FOLDER)];

impl Plan {
    pub fn enter(&self) -> Result<(), Failure> {
        let outside = user_namespace::effective_ids().user;
        let mapped = user_namespace::unshare_user(self.user.ids, self.mapped).map_err(at(Step::Users, ""))?;
        let umask = ZeroUmask::set();
        mounts::make_all_private().map_err(at(Step::Users, ""))?;
        let refused = || at(Step::Root, &self.root);
        let folder = sys::openat(CWD, &self.root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty());
        let folder = folder.map_err(refused())?;
        // All that comes from outside is opened before anything lies over it.
        let views = views::open(self, folder.as_fd())?;
        let devices = Devices::copy().map_err(at(Step::Source, "/dev"))?;
        let plain = match self.writes {
            Writes::Kept => Some(clone_tree(folder.as_fd(), "").map_err(refused())?),
            Writes::Forgotten => None,
        };
        let scratch = scratch_over(folder.as_fd()).map_err(at(Step::Scratch, ""))?;
        let root = match plain {
            Some(plain) => plain,
            None => {
                let owner = (mapped == IdMap::Single).then_some(self.user.ids.user);
                self.overlay(folder.as_fd(), scratch.as_fd(), &views, owner)?
            }
        };
        let place = make_folder(scratch.as_fd(), "root").map_err(at(Step::Scratch, ""))?;
        move_mount(root.as_fd(), place.as_fd()).map_err(refused())?;
        devices.show(scratch.as_fd(), root.as_fd(), self.writes).map_err(at(Step::Place, "/dev"))?;
        views.iter().try_for_each(|view| self.show(root.as_fd(), view))?;
        if outside == 0 {
            KEPT_FROM_ROOT.iter().try_for_each(|path| keep_from_root(root.as_fd(), Path::new(path)))?;
        }
        drop(umask);
        mounts::pivot_root(root.as_fd()).map_err(refused())?;
        if mapped == IdMap::All {
            user_namespace::set_ids(self.user.ids).map_err(at(Step::Become, ""))?;
        }
        self.enter_workdir()
    }

    /// The root as it is, and what is written to it in memory.
    fn overlay(
        &self,
        folder: BorrowedFd<'_>,
        scratch: BorrowedFd<'_>,
        views: &[View],
        owner: Option<u32>,
    ) -> Result<OwnedFd, Failure> {
        let upper = make_folder(scratch, "upper").map_err(at(Step::Scratch, ""))?;
        sys::mkdirat(scratch, "work", FOLDER).map_err(at(Step::Scratch, ""))?;
        let scaffold = Scaffold { lower: folder, upper: upper.as_fd(), owner };
        for (path, kind) in
            views.iter().map(|view| (&*view.path, view.kind)).chain([(Path::new("/dev"), Kind::Folder)])
        {
            scaffold.make(path, kind).map_err(at(Step::Place, path))?;
        }
        let home = (&*self.user.home, FOLDER);
        for (path, mode) in WRITTEN_TO.iter().map(|(path, mode)| (Path::new(path), *mode)).chain([home]) {
            scaffold.claim(path, mode).map_err(at(Step::Place, path))?;
        }
        lay_over(folder, scratch).map_err(at(Step::Overlay, ""))
    }

    fn show(&self, root: BorrowedFd<'_>, view: &View) -> Result<(), Failure> {
        let place = match (self.writes, view.need) {
            (Writes::Kept, Need::Wanted) => place::make(root, &view.path, view.kind),
            // It was made before, or is not worth writing to the root.
            _ => place::find(root, &view.path),
        };
        match (place.and_then(|place| move_mount(view.tree.as_fd(), place.as_fd())), view.need) {
            (Ok(()), _) | (Err(_), Need::Useful) => Ok(()),
            (Err(errno), Need::Wanted) => Err(at(Step::Place, &view.path)(errno)),
        }
    }

    fn enter_workdir(&self) -> Result<(), Failure> {
        if let Some(folder) = &self.workdir {
            return sys::chdir(folder).map_err(at(Step::Workdir, folder));
        }
        // Where none of them is there, the root itself is where we are.
        let _ = self.workdirs.iter().find(|folder| sys::chdir(*folder).is_ok());
        Ok(())
    }
}

/// Memory to write to, over the root's folder: nobody else sees it there, and a folder is sure to
/// be there.
fn scratch_over(folder: BorrowedFd<'_>) -> sys::Result<OwnedFd> {
    let scratch = mounts::new_file_system(c"tmpfs", &[(c"mode", "755")])?;
    move_mount(scratch.as_fd(), folder)?;
    Ok(scratch)
}

fn lay_over(folder: BorrowedFd<'_>, scratch: BorrowedFd<'_>) -> sys::Result<OwnedFd> {
    // By number: no path that a folder can have needs to be quoted then.
    let below = |name: &str| format!("/proc/self/fd/{}/{name}", scratch.as_raw_fd());
    let lower = format!("/proc/self/fd/{}", folder.as_raw_fd());
    let (upper, work) = (below("upper"), below("work"));
    let options = [(c"lowerdir", &*lower), (c"upperdir", &*upper), (c"workdir", &*work), (c"userxattr", "")];
    mounts::new_file_system(c"overlay", &options)
}

fn make_folder(folder: BorrowedFd<'_>, name: &str) -> sys::Result<OwnedFd> {
    sys::mkdirat(folder, name, FOLDER)?;
    sys::open_directory(folder, name)
}

fn keep_from_root(root: BorrowedFd<'_>, path: &Path) -> Result<(), Failure> {
    // Kernels leave out what was not asked for when they were built.
    let Ok(tree) = clone_tree(CWD, path) else { return Ok(()) };
    mounts::set_read_only(tree.as_fd()).map_err(at(Step::ReadOnly, path))?;
    let place = place::find(root, path).map_err(at(Step::Place, path))?;
    move_mount(tree.as_fd(), place.as_fd()).map_err(at(Step::Place, path))
}
