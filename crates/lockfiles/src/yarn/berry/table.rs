//! The entries of the file, by descriptor. In: the parsed blocks. Out: entries with their
//! descriptors.

use std::collections::{HashMap, HashSet};

use rusk_base::Result;
use rusk_npm::name::PackageName;

use super::super::syntax::{Block, FILE};
use super::entry;
use crate::problem;

pub(super) struct BerryTable<'b, 't> {
    pub entries: Vec<&'b Block<'t>>,
    by_descriptor: HashMap<&'b str, usize>,
}

impl<'b, 't> BerryTable<'b, 't> {
    pub fn of(blocks: &'b [Block<'t>]) -> Result<BerryTable<'b, 't>> {
        let entries: Vec<&Block<'_>> = blocks.iter().filter(|block| block.key() != "__metadata").collect();
        let mut by_descriptor = HashMap::new();
        let mut locators = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            if entry.value.is_some() || entry.text("resolution").is_none() {
                return Err(problem::entry(FILE, entry.line, "an entry with a `resolution`"));
            }
            let locator = entry.text("resolution");
            // Yarn has one entry for each; the details of a second one would be lost.
            if !locators.insert(locator) {
                return Err(problem::entry(FILE, entry.line, "each `resolution` once"));
            }
            // Also of entries that nothing depends on: they are written as they are, and the
            // project may come to depend on them.
            entry::check(entry)?;
            for (name, _) in entry.pairs("dependencies").chain(entry.pairs("peerDependencies")) {
                let expected =
                    || problem::entry(FILE, entry.line, &format!("a package name, found `{name}`"));
                PackageName::parse(name).map_err(|_| expected())?;
            }
            if entry::workspace(entry).is_some() && descriptors(entry).all(|key| Some(key) != locator) {
                return Err(problem::entry(FILE, entry.line, "a member's `resolution` among its keys"));
            }
            for descriptor in descriptors(entry) {
                if by_descriptor.insert(descriptor, index).is_some() {
                    return Err(problem::entry(FILE, entry.line, &format!("`{descriptor}` once")));
                }
            }
        }
        Ok(BerryTable { entries, by_descriptor })
    }

    pub fn find(&self, descriptor: &str) -> Option<usize> {
        self.by_descriptor.get(descriptor).copied()
    }
}

pub(super) fn descriptors<'b>(entry: &'b Block<'_>) -> impl Iterator<Item = &'b str> {
    let keys = entry.keys.iter().flat_map(|key| key.split(','));
    keys.map(str::trim).filter(|key| !key.is_empty())
}
