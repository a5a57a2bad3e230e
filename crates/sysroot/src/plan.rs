//! Plan of entering a sysroot, validated as far as possible beforehand. In: options. Out: a
//! [`Plan`], which has paths only, since descriptors that were opened before entering the
//! namespaces are useless there.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rusk_base::sys::user_namespace::{self, IdMap};
use rusk_base::{Result, sys};

use crate::bind::Bind;
use crate::problem;
use crate::user::User;

/// The default PATH, if neither image nor options have one.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Options from the command line and from an image. All paths are absolute.
#[derive(Clone, Debug)]
pub struct SysrootOptions {
    pub root: PathBuf,
    pub writes: Writes,
    /// Mounted inside at its own path, if the root has nothing there.
    pub project: Option<PathBuf>,
    pub binds: Vec<Bind>,
    /// `USER` or `USER:GROUP`; root by default.
    pub user: Option<String>,
    /// Inside; it must exist.
    pub workdir: Option<PathBuf>,
    /// Inside; the first one that exists is used.
    pub workdirs: Vec<PathBuf>,
    /// Directories that are prepended to PATH.
    pub program_dirs: Vec<PathBuf>,
    /// The last of several values of a name is used.
    pub variables: Vec<(OsString, OsString)>,
}

/// Whether writes to the root persist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Writes are kept in memory until the last process inside ends.
    Ephemeral,
    /// Writes go to the root directory.
    Persistent,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) root: PathBuf,
    pub(crate) writes: Writes,
    pub(crate) project: Option<PathBuf>,
    pub(crate) binds: Vec<Bind>,
    pub(crate) user: User,
    pub(crate) mapped: IdMap,
    pub(crate) workdir: Option<PathBuf>,
    pub(crate) workdirs: Vec<PathBuf>,
    pub(crate) variables: Vec<(OsString, OsString)>,
}

impl Plan {
    pub fn new(options: SysrootOptions) -> Result<Plan> {
        let directory = sys::open_directory(sys::CWD, &options.root)
            .map_err(|errno| problem::no_root(&options.root, errno))?;
        let names = sys::directory::entries(directory.as_fd())
            .map_err(|errno| problem::no_root(&options.root, errno))?;
        if names.is_empty() {
            return Err(problem::empty_root(&options.root));
        }
        let user = User::find(options.user.as_deref().unwrap_or("0"), directory.as_fd())?;
        let mapped = if user_namespace::effective_ids().user == 0 { IdMap::All } else { IdMap::Single };
        let variables = variables(&options, &user);
        let SysrootOptions { root, writes, project, binds, workdir, workdirs, .. } = options;
        Ok(Plan { root, writes, project, binds, user, mapped, workdir, workdirs, variables })
    }

    /// The program's complete environment.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// The PATH of the program, inside.
    pub(crate) fn path(&self) -> OsString {
        let path = self.variables.iter().find(|(name, _)| name == "PATH");
        path.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
}

fn variables(options: &SysrootOptions, user: &User) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> =
        vec![("PATH".into(), PATH.into()), ("HOME".into(), user.home.clone().into())];
    for (name, value) in &options.variables {
        match all.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => own.clone_from(value),
            None => all.push((name.clone(), value.clone())),
        }
    }
    let dirs: Vec<OsString> = options.program_dirs.iter().map(|dir| dir.clone().into_os_string()).collect();
    if let Some((_, path)) = all.iter_mut().find(|(name, _)| name == "PATH").filter(|_| !dirs.is_empty()) {
        let own = std::mem::take(path);
        let own = Some(own).filter(|own| !own.is_empty());
        *path = dirs.into_iter().chain(own).collect::<Vec<_>>().join(":".as_ref());
    }
    all
}
