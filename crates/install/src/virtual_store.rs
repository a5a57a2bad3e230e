//! Virtual store: the directory in node_modules where the isolated layout has its entries. In: the
//! project. Out: its path. Absent: what is in it.

use rusk_lockfiles::Format;

use crate::project::Project;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VirtualStore {
    /// Where bun has it.
    #[default]
    Bun,
    /// Where pnpm has it: packages find the project above a directory of this name.
    Pnpm,
}

impl VirtualStore {
    pub const ALL: [VirtualStore; 2] = [VirtualStore::Bun, VirtualStore::Pnpm];

    /// A project of pnpm has its lockfile, or its settings.
    pub fn of(project: &Project) -> VirtualStore {
        let has_settings = project.members.project.pnpm_workspace.is_some();
        if project.format == Format::Pnpm || has_settings { VirtualStore::Pnpm } else { VirtualStore::Bun }
    }

    /// Relative to the project.
    pub const fn path(self) -> &'static str {
        match self {
            VirtualStore::Bun => "node_modules/.bun",
            VirtualStore::Pnpm => "node_modules/.pnpm",
        }
    }

    /// The name of the directory in node_modules.
    pub fn name(self) -> &'static str {
        &self.path()["node_modules/".len()..]
    }

    /// Whether a name in node_modules is that of a virtual store. No package has it: names of
    /// packages have no leading dot.
    pub fn is_name(name: &str) -> bool {
        VirtualStore::ALL.iter().any(|store| store.name() == name)
    }
}

/// The entry that contains a path, both relative to the project.
pub fn entry_of(path: &str) -> Option<&str> {
    let inside = |store: VirtualStore| path.strip_prefix(store.path())?.strip_prefix('/');
    let rest = VirtualStore::ALL.into_iter().find_map(inside)?;
    let length = rest.find('/')?;
    Some(&path[..path.len() - rest.len() + length])
}

#[cfg(test)]
mod tests;
