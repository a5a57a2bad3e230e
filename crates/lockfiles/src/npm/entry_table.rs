//! The entries of `packages` by their paths. In: the parsed text. Out: each entry with the entry
//! above it, and what `require` finds from it. Absent: what an entry says about its package.

use std::collections::HashMap;

use rusk_base::{Problem, Result};
use rusk_npm::json::{self, Node};
use rusk_npm::name::PackageName;

use super::paths::{self, EntryPath};
use crate::problem;

/// The text that is read, for errors.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub file: &'static str,
    pub text: &'a str,
}

impl Context<'_> {
    pub fn error(&self, offset: usize, expected: &str) -> Problem {
        problem::entry(self.file, self.line(offset), expected)
    }

    /// Counted only for errors: counting takes a walk over all that is before.
    pub fn line(&self, offset: usize) -> usize {
        json::line_and_column(self.text, offset).0
    }
}

pub(super) struct LockEntry<'n> {
    pub path: &'n str,
    pub node: &'n Node<'n>,
    pub offset: usize,
    /// The directory's name; `None` for a directory of the project.
    pub name: Option<&'n str>,
    /// The entry whose node_modules it lies in, or through which its own dependencies are found.
    above: Option<usize>,
    /// The directory, of a link.
    pub target: Option<usize>,
}

pub(super) struct EntryTable<'n> {
    pub entries: Vec<LockEntry<'n>>,
    children: HashMap<(usize, &'n str), usize>,
}

/// The index of the project's own entry.
pub(super) const PROJECT: usize = 0;

impl<'n> EntryTable<'n> {
    pub fn of(context: &Context<'_>, packages: &'n Node<'n>) -> Result<EntryTable<'n>> {
        let project = packages.find("").filter(|node| node.is_object());
        let project = project.ok_or_else(|| context.error(packages.start, "an entry `\"\"`, the project"))?;
        let mut entries = vec![LockEntry {
            path: "",
            node: project,
            offset: project.start,
            name: None,
            above: None,
            target: None,
        }];
        let mut by_path: HashMap<&str, usize> = HashMap::from([("", PROJECT)]);
        for member in packages.members() {
            let error = |expected: &str| context.error(member.start, expected);
            if !member.node.is_object() {
                return Err(error("an object"));
            }
            let path: &'n str = &member.key;
            let name = match paths::parse(path) {
                Some(EntryPath::Project) if member.node.start == project.start => continue,
                Some(EntryPath::Project) => return Err(error("one entry `\"\"`, the project")),
                Some(EntryPath::Directory) => None,
                Some(EntryPath::Package { name, .. }) => Some(name),
                None => return Err(error(&format!("a path of a package, found `{path}`"))),
            };
            if name.is_some_and(|name| PackageName::parse(name).is_err()) {
                return Err(error(&format!("a package name at the end of `{path}`")));
            }
            if by_path.insert(path, entries.len()).is_some() {
                return Err(error(&format!("`{path}` once")));
            }
            let (node, offset) = (&member.node, member.start);
            entries.push(LockEntry { path, node, offset, name, above: None, target: None });
        }
        let mut table = EntryTable { entries, children: HashMap::new() };
        table.connect(context, &by_path)?;
        Ok(table)
    }

    fn connect(&mut self, context: &Context<'_>, by_path: &HashMap<&str, usize>) -> Result<()> {
        for index in 1..self.entries.len() {
            let entry = &self.entries[index];
            let error = |expected: &str| context.error(entry.offset, expected);
            let above = match paths::parse(entry.path) {
                Some(EntryPath::Package { above, .. }) => {
                    let above = by_path.get(above).copied();
                    Some(above.ok_or_else(|| error("an entry for the package above it"))?)
                }
                _ if entry.path.starts_with("..") => None,
                _ => Some(PROJECT),
            };
            let target = match entry.node.find("link").and_then(Node::as_bool) {
                Some(true) => {
                    let path = entry.node.find("resolved").and_then(Node::as_str);
                    let path = path.ok_or_else(|| error("a path as `resolved` of a link"))?;
                    let target = paths::normal(path).and_then(|path| by_path.get(path.as_str()).copied());
                    Some(target.ok_or_else(|| error(&format!("a link to an entry, found `{path}`")))?)
                }
                _ => None,
            };
            let name = entry.name;
            if target.is_some_and(|target| name.is_none() || self.is_link(target)) {
                return Err(error("a link to a directory"));
            }
            self.entries[index].above = above;
            self.entries[index].target = target;
            if let (Some(above), Some(name)) = (above, name) {
                self.children.insert((above, name), index);
            }
        }
        Ok(())
    }

    fn is_link(&self, index: usize) -> bool {
        self.entries[index].node.find("link").and_then(Node::as_bool) == Some(true)
    }

    /// The entry of the package itself: a link leads to it.
    pub fn home(&self, index: usize) -> usize {
        self.entries[index].target.unwrap_or(index)
    }

    pub fn above(&self, index: usize) -> Option<usize> {
        self.entries[index].above
    }

    /// What a dependency of the package at `home` finds.
    pub fn find(&self, home: usize, name: &'n str) -> Option<usize> {
        let mut at = Some(home);
        while let Some(index) = at {
            if let Some(&found) = self.children.get(&(index, name)) {
                return Some(found);
            }
            at = self.entries[index].above;
        }
        None
    }
}
