//! Entries of a member's node_modules that no install made: a repository may contain some, such as
//! packages that its tests import. They stay, unless their name is one that packages ask for: then
//! they would be found in place of what the lockfile binds. In: a graph, a directory, open. Out:
//! which entries an install may remove. Absent: the project's own node_modules, in which
//! directories of tools stay, and no packages.

use std::collections::HashSet;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, FileType, directory};
use rusk_npm::graph::Graph;

use crate::link::staging::{FOREIGN_NAMES, open_no_follow};

/// Every name by which a package of a graph depends on another one.
pub struct RequestedNames<'a>(HashSet<&'a str>);

impl<'a> RequestedNames<'a> {
    pub fn of(graph: &'a Graph) -> RequestedNames<'a> {
        let dependencies = graph.package_ids().flat_map(|id| graph.dependencies_of(id));
        RequestedNames(dependencies.map(|id| graph.name(graph.dependency(id).name).as_str()).collect())
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// What an install may remove from a directory.
#[derive(Debug, PartialEq, Eq)]
pub enum Removable {
    Everything,
    /// The names of these packages and files.
    Entries(Vec<String>),
}

impl Removable {
    /// Looks at the entries of a member's node_modules.
    pub fn find(node_modules: BorrowedFd<'_>, requested: &RequestedNames<'_>) -> sys::Result<Removable> {
        Removable::find_in(node_modules, "", requested)
    }

    /// `scope`: that of the directory, with its slash, or empty.
    fn find_in(dir: BorrowedFd<'_>, scope: &str, requested: &RequestedNames<'_>) -> sys::Result<Removable> {
        let (mut removable, mut stays) = (Vec::new(), false);
        for entry in directory::entries(dir)? {
            let Ok(entry_name) = entry.name.to_str() else {
                stays = true;
                continue;
            };
            let name = format!("{scope}{entry_name}");
            let within = match scope.is_empty() && name.starts_with('@') {
                true => open_no_follow(dir, entry_name).ok(),
                false => None,
            };
            match within {
                Some(within) => match Removable::find_in(within.as_fd(), &format!("{name}/"), requested)? {
                    Removable::Everything => removable.push(name),
                    Removable::Entries(names) => {
                        removable.extend(names);
                        stays = true;
                    }
                },
                None if requested.contains(&name) || is_leftover(dir, entry_name) => {
                    removable.push(name);
                }
                None => stays = true,
            }
        }
        Ok(if stays { Removable::Entries(removable) } else { Removable::Everything })
    }
}

/// Whether only package managers make an entry: files that describe what they installed, and links
/// into a node_modules.
pub fn is_leftover(dir: BorrowedFd<'_>, name: &str) -> bool {
    FOREIGN_NAMES.contains(&name)
        || sys::readlinkat(dir, name).is_ok_and(|target| {
            target.to_bytes().split(|byte| *byte == b'/').any(|part| part == b"node_modules")
        })
}

/// The name of a package that is in the node_modules of a member, and not in that of a package.
pub fn name_in_member(path: &str) -> Option<&str> {
    let (_, name) = path.split_once("/node_modules/").filter(|(member, _)| is_member_dir(member))?;
    (!name.contains("/node_modules/")).then_some(name)
}

/// Whether a directory is the node_modules of a member, or a scope in it.
pub fn is_of_member(dir: &str) -> bool {
    match dir.split_once("/node_modules") {
        Some((member, scope)) => is_member_dir(member) && !scope.contains("/node_modules"),
        None => false,
    }
}

fn is_member_dir(dir: &str) -> bool {
    dir != "node_modules" && !dir.starts_with("node_modules/")
}

/// The packages of a scope in the node_modules of a member, if it is a directory.
pub fn names_in_scope(node_modules: BorrowedFd<'_>, scope: &str) -> Option<Vec<String>> {
    let dir = scope.starts_with('@').then(|| open_no_follow(node_modules, scope).ok())??;
    let entries = directory::entries(dir.as_fd()).ok()?;
    let names = entries.into_iter().filter_map(|entry| entry.name.into_string().ok());
    Some(names.map(|name| format!("{scope}/{name}")).collect())
}

/// Whether a path is a directory, and no link to one.
pub fn is_dir(project: BorrowedFd<'_>, path: &str) -> bool {
    let kind = sys::lstatat(project, path).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Directory))
}

#[cfg(test)]
mod tests;
