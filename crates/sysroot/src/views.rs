//! What of the system is seen inside. In: a plan. Out: trees that hang nowhere yet, and where each
//! belongs, those first that others may lie in. Absent: `/dev`, which is made up.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::mounts::{clone_tree, open_in_root, set_read_only};
use rusk_base::sys::{self, CWD, Errno, Mode, OFlags, OwnedFd};

use crate::bind::Access;
use crate::failure::{Failure, Step, at};
use crate::place::Kind;
use crate::plan::Plan;

/// Files that say how to reach others; the root's own were written for another machine.
const NETWORK_FILES: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

pub struct View {
    /// Inside.
    pub path: PathBuf,
    pub tree: OwnedFd,
    pub kind: Kind,
    pub need: Need,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Wanted,
    /// Where there is no place for it, it is left out.
    Useful,
}

impl View {
    fn open(source: &Path, path: &Path, access: Access, need: Need) -> Result<View, Failure> {
        let tree = clone_tree(CWD, source).map_err(at(Step::Source, source))?;
        if access == Access::Read {
            set_read_only(tree.as_fd()).map_err(at(Step::ReadOnly, source))?;
        }
        let kind = Kind::of(tree.as_fd()).map_err(at(Step::Source, source))?;
        Ok(View { path: path.to_owned(), tree, kind, need })
    }
}

/// `root`: the folder, as nothing lies over it yet.
pub fn open(plan: &Plan, root: BorrowedFd<'_>) -> Result<Vec<View>, Failure> {
    let proc = Path::new("/proc");
    let mut views = vec![View::open(proc, proc, Access::Write, Need::Wanted)?];
    for path in NETWORK_FILES.map(Path::new).into_iter().filter(|path| path.is_file()) {
        views.push(View::open(path, path, Access::Read, Need::Useful)?);
    }
    if let Some(path) = plan.project.as_ref().filter(|path| is_free(root, path)) {
        views.push(View::open(path, path, Access::Write, Need::Wanted)?);
    }
    for bind in &plan.binds {
        views.push(View::open(&bind.source, &bind.target, bind.access, Need::Wanted)?);
    }
    Ok(views)
}

/// Whether nothing of the root's own would be hidden there.
fn is_free(root: BorrowedFd<'_>, path: &Path) -> bool {
    match open_in_root(root, path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()) {
        Ok(folder) => sys::directory::entries(folder.as_fd()).is_ok_and(|entries| entries.is_empty()),
        Err(errno) => errno == Errno::NOENT,
    }
}
