//! Bind mounts of a sysroot. In: a plan. Out: detached mount trees with their targets, outer ones
//! first. Absent: `/dev`, see `devices`.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::mounts::{clone_tree, open_in_root, set_read_only};
use rusk_base::sys::{self, CWD, Errno, Mode, OFlags, OwnedFd};

use crate::bind::Access;
use crate::failure::{StartFailure, StartStep, at};
use crate::mount_point::MountPointKind;
use crate::plan::Plan;

/// Network configuration; the root's own files are for another host.
const NETWORK_FILES: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

pub struct BindMount {
    /// The target, inside.
    pub path: PathBuf,
    pub tree: OwnedFd,
    pub kind: MountPointKind,
    pub need: Need,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Required,
    /// Omitted if there is no mount point for it.
    Optional,
}

impl BindMount {
    fn open(source: &Path, path: &Path, access: Access, need: Need) -> Result<BindMount, StartFailure> {
        let tree = clone_tree(CWD, source).map_err(at(StartStep::Source, source))?;
        if access == Access::Read {
            set_read_only(tree.as_fd()).map_err(at(StartStep::ReadOnly, source))?;
        }
        let kind = MountPointKind::of(tree.as_fd()).map_err(at(StartStep::Source, source))?;
        Ok(BindMount { path: path.to_owned(), tree, kind, need })
    }
}

/// `root`: the root directory before anything is mounted over it.
pub fn open(plan: &Plan, root: BorrowedFd<'_>) -> Result<Vec<BindMount>, StartFailure> {
    let proc = Path::new("/proc");
    let mut mounts_inside = vec![BindMount::open(proc, proc, Access::Write, Need::Required)?];
    for path in NETWORK_FILES.map(Path::new).into_iter().filter(|path| path.is_file()) {
        mounts_inside.push(BindMount::open(path, path, Access::Read, Need::Optional)?);
    }
    if let Some(path) = plan.project.as_ref().filter(|path| is_free(root, path)) {
        mounts_inside.push(BindMount::open(path, path, Access::Write, Need::Required)?);
    }
    for bind in &plan.binds {
        mounts_inside.push(BindMount::open(&bind.source, &bind.target, bind.access, Need::Required)?);
    }
    Ok(mounts_inside)
}

/// Whether the mount would hide nothing of the root.
fn is_free(root: BorrowedFd<'_>, path: &Path) -> bool {
    match open_in_root(root, path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()) {
        Ok(directory) => sys::directory::entries(directory.as_fd()).is_ok_and(|entries| entries.is_empty()),
        Err(errno) => errno == Errno::NOENT,
    }
}
