//! The tree of `node_modules` folders, as the hoister builds it and the lockfile records it: which
//! dependency's package lies in which folder. Pure data.

use crate::graph::{DependencyId, Graph};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FolderId(pub u32);

impl FolderId {
    /// The project's own node_modules.
    pub const ROOT: FolderId = FolderId(0);
}

#[derive(Clone, Debug, Default)]
pub struct Tree {
    folders: Vec<Folder>,
}

#[derive(Clone, Debug)]
struct Folder {
    parent: Option<FolderId>,
    /// The dependency whose package this folder lies in; `None` for the project.
    via: Option<DependencyId>,
    entries: Vec<DependencyId>,
}

impl Tree {
    pub fn push(&mut self, parent: Option<FolderId>, via: Option<DependencyId>) -> FolderId {
        self.folders.push(Folder { parent, via, entries: Vec::new() });
        FolderId(u32::try_from(self.folders.len() - 1).expect("no more folders than dependencies"))
    }

    /// Takes back the newest folder when nothing was put into it.
    pub fn drop_if_empty(&mut self, folder: FolderId) {
        if self.folders[folder.0 as usize].entries.is_empty() && folder.0 as usize + 1 == self.folders.len() {
            self.folders.pop();
        }
    }

    pub fn folders(&self) -> impl Iterator<Item = FolderId> + use<> {
        (0..self.folders.len()).map(|index| FolderId(u32::try_from(index).expect("as pushed")))
    }

    pub fn parent(&self, folder: FolderId) -> Option<FolderId> {
        self.folders[folder.0 as usize].parent
    }

    pub fn via(&self, folder: FolderId) -> Option<DependencyId> {
        self.folders[folder.0 as usize].via
    }

    pub fn entries(&self, folder: FolderId) -> &[DependencyId] {
        &self.folders[folder.0 as usize].entries
    }

    pub fn entries_mut(&mut self, folder: FolderId) -> &mut Vec<DependencyId> {
        &mut self.folders[folder.0 as usize].entries
    }

    pub fn replace(&mut self, folder: FolderId, old: DependencyId, new: DependencyId) {
        for entry in self.entries_mut(folder).iter_mut().filter(|entry| **entry == old) {
            *entry = new;
        }
    }

    pub fn retain(&mut self, keep: impl Fn(DependencyId) -> bool) {
        for folder in &mut self.folders {
            folder.entries.retain(|&entry| keep(entry));
        }
    }

    /// The names of the dependencies from the project down to this folder: `["express", "debug"]`
    /// for `node_modules/express/node_modules/debug/node_modules`. The folder itself is at depth
    /// `len()`.
    pub fn names<'g>(&self, graph: &'g Graph, folder: FolderId) -> Vec<&'g str> {
        let mut names = Vec::new();
        let mut at = Some(folder);
        while let Some(folder) = at {
            names.extend(self.via(folder).map(|via| graph.name(graph.dependency(via).name).as_str()));
            at = self.parent(folder);
        }
        names.reverse();
        names
    }
}
