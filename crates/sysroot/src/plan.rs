//! What is to be done, checked as far as it can be before anything is. In: what was asked for. Out:
//! a [`Plan`], which holds paths alone: what is opened before a process has namespaces of its own
//! is of no use in them.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rusk_base::sys::user_namespace::{self, IdMap};
use rusk_base::{Result, sys};

use crate::bind::Bind;
use crate::problem;
use crate::user::User;

/// Where programs are in every system, for a root that does not say.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What the command line, or an image, says. All folders are absolute.
#[derive(Clone, Debug)]
pub struct Asked {
    pub root: PathBuf,
    pub writes: Writes,
    /// Seen inside at its own path, where nothing else stands there.
    pub project: Option<PathBuf>,
    pub binds: Vec<Bind>,
    /// `USER` or `USER:GROUP`; without it, root.
    pub user: Option<String>,
    /// Inside; it has to be there.
    pub workdir: Option<PathBuf>,
    /// Inside, the first one that is there.
    pub workdirs: Vec<PathBuf>,
    /// The folders of programs that come before the root's own.
    pub program_dirs: Vec<PathBuf>,
    /// Those of two with one name that come last count.
    pub variables: Vec<(OsString, OsString)>,
}

/// What becomes of what is written to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// It is kept in memory, and gone with the last process inside.
    Forgotten,
    /// It is written to the folder.
    Kept,
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
    pub fn new(asked: Asked) -> Result<Plan> {
        let folder = sys::open_directory(sys::CWD, &asked.root)
            .map_err(|errno| problem::no_root(&asked.root, errno))?;
        let names =
            sys::directory::entries(folder.as_fd()).map_err(|errno| problem::no_root(&asked.root, errno))?;
        if names.is_empty() {
            return Err(problem::empty_root(&asked.root));
        }
        let user = User::find(asked.user.as_deref().unwrap_or("0"), folder.as_fd())?;
        let mapped = if user_namespace::effective_ids().user == 0 { IdMap::All } else { IdMap::Single };
        let variables = variables(&asked, &user);
        let Asked { root, writes, project, binds, workdir, workdirs, .. } = asked;
        Ok(Plan { root, writes, project, binds, user, mapped, workdir, workdirs, variables })
    }

    /// All that the program finds in its environment.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// The folders in which a program is looked for, inside.
    pub(crate) fn path(&self) -> OsString {
        let path = self.variables.iter().find(|(name, _)| name == "PATH");
        path.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
}

fn variables(asked: &Asked, user: &User) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> =
        vec![("PATH".into(), PATH.into()), ("HOME".into(), user.home.clone().into())];
    for (name, value) in &asked.variables {
        match all.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => own.clone_from(value),
            None => all.push((name.clone(), value.clone())),
        }
    }
    let dirs: Vec<OsString> = asked.program_dirs.iter().map(|dir| dir.clone().into_os_string()).collect();
    if let Some((_, path)) = all.iter_mut().find(|(name, _)| name == "PATH").filter(|_| !dirs.is_empty()) {
        let own = std::mem::take(path);
        let own = Some(own).filter(|own| !own.is_empty());
        *path = dirs.into_iter().chain(own).collect::<Vec<_>>().join(":".as_ref());
    }
    all
}
