//! The packages in the store of a cache: listed, checked, removed. No install runs while they are
//! changed. Absent: whether a project uses them; see [`crate::prune`].

use std::path::Path;

use rusk_base::Result;
pub use rusk_store::store::{Damage, DamageKind};
use rusk_store::{Package, Store};

use crate::event::{InstallEvent, Reporter};
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
    /// Damaged packages, which were removed.
    pub damaged: Vec<DamagedPackage>,
    /// Cached packuments.
    pub packuments: usize,
    /// Files of damaged packuments, which were removed.
    pub damaged_packuments: Vec<String>,
}

/// A package of the store that is not as it was unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedPackage {
    /// The directory in the store.
    pub dir: String,
    /// `None`: the index itself is damaged.
    pub damage: Option<Damage>,
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

/// Checks that every package has an intact index, and every file of it with its bytes, and that
/// packuments are intact. Removes what is damaged.
pub fn verify(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<StoreCheck> {
    let mut check = StoreCheck::default();
    (check.damaged_packuments, check.packuments) =
        rusk_registry::remove_damaged_packuments(&cache_dir.join("packuments"))?;
    let Some(store) = open(cache_dir)? else { return Ok(check) };
    let _alone = prune::lock_alone(cache_dir, reporter)?;
    for dir in store.dirs()? {
        let Some(index) = store.find_index(&dir)? else {
            check.damaged.push(DamagedPackage { dir, damage: None });
            continue;
        };
        match store.find_damage(&dir, &index) {
            None => {
                check.packages += 1;
                check.files += index.file_count();
            }
            damage => check.damaged.push(DamagedPackage { dir, damage }),
        }
    }
    if !check.damaged.is_empty() {
        let dirs: Vec<String> = check.damaged.iter().map(|damaged| damaged.dir.clone()).collect();
        store.remove_dirs(&dirs)?;
    }
    Ok(check)
}

/// Removes packages of an install that were damaged since they were unpacked, so that the next
/// install downloads them again.
pub(crate) fn remove_damaged<'a>(
    store: &Store,
    packages: impl IntoIterator<Item = &'a Package>,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    for package in packages {
        let Some(damage) = store.find_edit(package) else { continue };
        store.remove(&package.key)?;
        reporter.on_event(InstallEvent::Warning(&damage_warning(package.key.label(), &damage)));
    }
    Ok(())
}

fn damage_warning(label: &str, damage: &Damage) -> String {
    let path = &damage.path;
    match damage.kind {
        DamageKind::Changed => format!(
            "`{path}` of `{label}` was edited in a project, where it is a hard link into the store; the \
             package is downloaded again (`rusk patch` changes one for a project)"
        ),
        DamageKind::Missing => {
            format!("the store had lost `{path}` of `{label}`; the package is downloaded again")
        }
    }
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
