//! The user of a program inside. In: the value of `--user`, and the root's user database. Out: user
//! and group id, home directory.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use rusk_base::Result;
use rusk_base::sys::mounts::open_in_root;
use rusk_base::sys::user_namespace::UserIds;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

use crate::problem;

/// At most this much of /etc/passwd or /etc/group is read.
const LIST_BYTES_MAX: i64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub ids: UserIds,
    pub home: PathBuf,
}

impl User {
    /// `spec`: `USER` or `USER:GROUP`, each an id or a name of the root's database.
    pub fn find(spec: &str, root: BorrowedFd<'_>) -> Result<User> {
        User::from_databases(spec, &read_list(root, "etc/passwd"), &|| read_list(root, "etc/group"))
    }

    fn from_databases(spec: &str, users: &str, groups: &dyn Fn() -> String) -> Result<User> {
        let (user, group) = spec.split_once(':').map_or((spec, None), |(user, group)| (user, Some(group)));
        // passwd(5): name, password, user, group, comment, home.
        let row = rows(users).find(|row| row[0] == user || row.get(2) == Some(&user));
        let field = |at: usize| row.as_ref().and_then(|row| row.get(at).copied());
        let of_row = |at: usize| field(at).and_then(id);
        let Some(user_id) = id(user).or_else(|| of_row(2)) else {
            return Err(problem::no_user(user, "etc/passwd"));
        };
        let group_id = match group {
            None => of_row(3).unwrap_or(0),
            Some(group) => {
                let named = || rows(&groups()).find(|row| row[0] == group).and_then(|row| id(row.get(2)?));
                id(group).or_else(named).ok_or_else(|| problem::no_user(group, "etc/group"))?
            }
        };
        let home = field(5).filter(|home| home.starts_with('/')).unwrap_or("/");
        Ok(User { ids: UserIds { user: user_id, group: group_id }, home: home.into() })
    }
}

/// The highest number is no valid id: chown(2).
fn id(text: &str) -> Option<u32> {
    text.parse().ok().filter(|id| *id != u32::MAX)
}

fn rows(list: &str) -> impl Iterator<Item = Vec<&str>> {
    list.lines().map(|line| line.split(':').collect())
}

/// Empty if the file cannot be read.
fn read_list(root: BorrowedFd<'_>, path: &str) -> String {
    let opened = open_in_root(root.as_fd(), path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty());
    opened.and_then(|file| read_text(&file)).unwrap_or_default()
}

fn read_text(file: &OwnedFd) -> sys::Result<String> {
    let found = sys::fstat(file.as_fd())?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return Err(Errno::INVAL);
    }
    let mut bytes = vec![0; found.st_size.clamp(0, LIST_BYTES_MAX) as usize];
    let mut length = 0;
    while length < bytes.len() {
        match sys::read(file.as_fd(), &mut bytes[length..])? {
            0 => break,
            count => length += count,
        }
    }
    Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

#[cfg(test)]
mod tests;
