//! The packages in the store of a cache: listed, checked, removed. No install runs while they are
//! changed. Absent: whether a project uses them; see [`crate::prune`].

use std::path::Path;

use rusk_base::Result;
use rusk_store::Store;

use crate::event::Reporter;
use crate::prune;

/// A package in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPackage {
    pub name: String,
    pub version: String,
    pub files: usize,
    pub bytes: u64,
    /// The directory in the store.
    dir: String,
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreCheck {
    pub packages: usize,
    pub files: usize,
    /// Directories of damaged packages, which were removed.
    pub damaged: Vec<String>,
}

/// All packages, by name and version.
pub fn list(cache_dir: &Path) -> Result<Vec<StoredPackage>> {
    let Some(store) = open(cache_dir)? else { return Ok(Vec::new()) };
    let mut packages = Vec::new();
    for dir in store.dirs()? {
        packages.extend(package(&store, dir)?);
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

/// Removes the packages that `is_chosen`; the next install that needs them downloads them again.
pub fn remove(
    cache_dir: &Path,
    reporter: &mut dyn Reporter,
    is_chosen: &dyn Fn(&StoredPackage) -> bool,
) -> Result<Vec<StoredPackage>> {
    let Some(store) = open(cache_dir)? else { return Ok(Vec::new()) };
    let _alone = prune::lock_alone(cache_dir, reporter)?;
    let mut chosen = list(cache_dir)?;
    chosen.retain(is_chosen);
    let dirs: Vec<String> = chosen.iter().map(|package| package.dir.clone()).collect();
    if !dirs.is_empty() {
        store.remove_dirs(&dirs)?;
    }
    Ok(chosen)
}

/// Checks that every package has an intact index, and every file of it with its size. Removes
/// those that do not.
pub fn verify(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<StoreCheck> {
    let mut check = StoreCheck::default();
    let Some(store) = open(cache_dir)? else { return Ok(check) };
    let _alone = prune::lock_alone(cache_dir, reporter)?;
    for dir in store.dirs()? {
        match package(&store, dir.clone())? {
            Some(package) if is_whole(&store, &dir) => {
                check.packages += 1;
                check.files += package.files;
            }
            _ => check.damaged.push(dir),
        }
    }
    if !check.damaged.is_empty() {
        store.remove_dirs(&check.damaged)?;
    }
    Ok(check)
}

fn open(cache_dir: &Path) -> Result<Option<Store>> {
    let root = cache_dir.join("store");
    if root.is_dir() { Store::open(&root).map(Some) } else { Ok(None) }
}

fn package(store: &Store, dir: String) -> Result<Option<StoredPackage>> {
    let Some(index) = store.find_index(&dir)? else { return Ok(None) };
    let Some(listing) = index.listing() else { return Ok(None) };
    let bytes = listing.files().map(|file| u64::from(file.bytes)).sum();
    let (name, version) = (index.manifest.name.clone(), index.manifest.version.clone());
    Ok(Some(StoredPackage { name, version, files: index.file_count(), bytes, dir }))
}

fn is_whole(store: &Store, dir: &str) -> bool {
    let Ok(Some(index)) = store.find_index(dir) else { return false };
    let path = store.root().join(dir);
    index.listing().is_some_and(|listing| {
        listing.files().all(|file| {
            let found = path.join(file.number.to_string()).symlink_metadata();
            found.is_ok_and(|found| found.is_file() && found.len() == u64::from(file.bytes))
        })
    })
}
