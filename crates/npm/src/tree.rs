//! The tree of `node_modules` directories, as the hoister builds it and the lockfile records it:
//! which dependency's package is in which directory. Pure data.

use crate::graph::{DependencyId, Graph};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirId(pub u32);

impl DirId {
    /// The project's own node_modules.
    pub const ROOT: DirId = DirId(0);
}

#[derive(Clone, Debug, Default)]
pub struct Tree {
    dirs: Vec<Directory>,
}

#[derive(Clone, Debug)]
struct Directory {
    parent: Option<DirId>,
    /// The dependency whose package contains this directory; `None` for the project.
    via: Option<DependencyId>,
    entries: Vec<DependencyId>,
}

impl Tree {
    pub fn push(&mut self, parent: Option<DirId>, via: Option<DependencyId>) -> DirId {
        self.dirs.push(Directory { parent, via, entries: Vec::new() });
        DirId(u32::try_from(self.dirs.len() - 1).expect("no more directories than dependencies"))
    }

    /// Removes the newest directory if it is empty.
    pub fn drop_if_empty(&mut self, dir: DirId) {
        if self.dirs[dir.0 as usize].entries.is_empty() && dir.0 as usize + 1 == self.dirs.len() {
            self.dirs.pop();
        }
    }

    pub fn dirs(&self) -> impl Iterator<Item = DirId> + use<> {
        (0..self.dirs.len()).map(|index| DirId(u32::try_from(index).expect("as pushed")))
    }

    pub fn parent(&self, dir: DirId) -> Option<DirId> {
        self.dirs[dir.0 as usize].parent
    }

    pub fn via(&self, dir: DirId) -> Option<DependencyId> {
        self.dirs[dir.0 as usize].via
    }

    pub fn entries(&self, dir: DirId) -> &[DependencyId] {
        &self.dirs[dir.0 as usize].entries
    }

    pub fn entries_mut(&mut self, dir: DirId) -> &mut Vec<DependencyId> {
        &mut self.dirs[dir.0 as usize].entries
    }

    pub fn replace(&mut self, dir: DirId, old: DependencyId, new: DependencyId) {
        for entry in self.entries_mut(dir).iter_mut().filter(|entry| **entry == old) {
            *entry = new;
        }
    }

    pub fn retain(&mut self, keep: impl Fn(DependencyId) -> bool) {
        for dir in &mut self.dirs {
            dir.entries.retain(|&entry| keep(entry));
        }
    }

    /// The names of the dependencies from the project down to this directory: `["express",
    /// "debug"]` for `node_modules/express/node_modules/debug/node_modules`. The directory itself
    /// is at depth `len()`.
    pub fn names<'g>(&self, graph: &'g Graph, dir: DirId) -> Vec<&'g str> {
        let mut names = Vec::new();
        let mut at = Some(dir);
        while let Some(dir) = at {
            names.extend(self.via(dir).map(|via| graph.name(graph.dependency(via).name).as_str()));
            at = self.parent(dir);
        }
        names.reverse();
        names
    }
}
