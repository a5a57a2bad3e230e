//! Links of `rusk link` among the global packages. In: the global node_modules before an install.
//! Out: the same links after it: an install removes what package.json does not name.

use std::fs;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};

use crate::{GlobalDirectories, problem};

/// Links that lead out of node_modules, and where they lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredLinks {
    links: Vec<(PathBuf, PathBuf)>,
}

impl RegisteredLinks {
    pub fn find(directories: &GlobalDirectories) -> RegisteredLinks {
        let mut links = Vec::new();
        let node_modules = directories.node_modules();
        for entry in entries(&node_modules) {
            let is_scope = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
            let inner = if is_scope { entries(&entry) } else { vec![entry] };
            // `rusk link` and `bun link` write absolute paths, an install does not.
            let leads_out = |place: PathBuf| {
                let target = place.read_link().ok().filter(|target| target.is_absolute())?;
                Some((place, target))
            };
            links.extend(inner.into_iter().filter_map(leads_out));
        }
        RegisteredLinks { links }
    }

    /// Makes those again that are gone; a package that was installed in their place stays.
    pub fn restore(&self) -> Result<()> {
        for (place, target) in &self.links {
            if place.symlink_metadata().is_ok() {
                continue;
            }
            if let Some(dir) = place.parent() {
                files::create_directories(dir)?;
            }
            std::os::unix::fs::symlink(target, place).map_err(|error| problem::link(place, error))?;
        }
        Ok(())
    }
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
