//! Test files that depend on what has changed (`--changed`, `--watch`). In: test files, the
//! changes. Out: those whose imports, direct or not, have changed. Imports are found in the
//! sources, so a computed specifier is not seen; packages are not followed. Absent: git, watching.

use std::collections::{HashMap, HashSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusk_modules::{Importer, Kind, Options, Resolved, Resolver};
use rusk_transpile::{ImportKind, Language, outline};

/// A larger source is data; its imports are not searched.
const SOURCE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What has changed.
#[derive(Clone, Debug)]
pub enum Changes {
    /// Absolute paths.
    Files(HashSet<PathBuf>),
    /// Files that were written or renamed since, and those that import what is not there: it was
    /// removed, or they have failed.
    Since(SystemTime),
}

impl Changes {
    fn contains(&self, file: &Path) -> bool {
        match self {
            Changes::Files(files) => files.contains(file),
            // A renamed file keeps the time of its content.
            Changes::Since(time) => file.metadata().is_ok_and(|data| {
                let time = time.duration_since(UNIX_EPOCH).unwrap_or_default();
                (data.ctime(), data.ctime_nsec()) >= (time.as_secs() as i64, i64::from(time.subsec_nanos()))
            }),
        }
    }
}

/// Which file imports which.
pub struct ImportGraph {
    resolver: Resolver,
    imports: HashMap<PathBuf, Vec<PathBuf>>,
    /// Files that import a file which is not there.
    incomplete: HashSet<PathBuf>,
}

impl ImportGraph {
    /// The graph of files and all that they import.
    pub fn of(files: &[PathBuf]) -> ImportGraph {
        let resolver = Resolver::new(Options::bundler());
        let mut graph = ImportGraph { resolver, imports: HashMap::new(), incomplete: HashSet::new() };
        let mut left: Vec<PathBuf> = files.to_vec();
        while let Some(file) = left.pop() {
            if !graph.imports.contains_key(&file) {
                let imports = graph.read(&file);
                left.extend(imports.iter().cloned());
                graph.imports.insert(file, imports);
            }
        }
        graph
    }

    fn read(&mut self, file: &Path) -> Vec<PathBuf> {
        let extension = file.extension().and_then(|extension| extension.to_str());
        let Some(language) = extension.and_then(Language::of_extension) else { return Vec::new() };
        if file.metadata().map_or(true, |data| data.len() > SOURCE_BYTES_MAX) {
            return Vec::new();
        }
        let Ok(source) = std::fs::read_to_string(file) else { return Vec::new() };
        // A file that does not parse is itself what has to be changed.
        let Ok(outline) = outline(&source, language) else { return Vec::new() };
        let mut is_incomplete = false;
        let mut resolve = |(kind, specifier): &(ImportKind, String)| {
            let kind = match kind {
                ImportKind::RequireCall | ImportKind::RequireResolve => Kind::Require,
                ImportKind::Statement | ImportKind::Dynamic => Kind::Import,
            };
            match self.resolver.resolve(Importer::File(file), specifier, kind) {
                Ok(Resolved::File(file)) if !is_installed(&file.path) => Some(file.path),
                Ok(_) => None,
                Err(_) => {
                    is_incomplete |= specifier.starts_with('.');
                    None
                }
            }
        };
        let imports = outline.imports.iter().filter_map(&mut resolve).collect();
        if is_incomplete {
            self.incomplete.insert(file.to_owned());
        }
        imports
    }

    /// All files of the graph.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.imports.keys().map(PathBuf::as_path)
    }

    /// The files that have changed or import, directly or not, one that has.
    pub fn affected(&self, changes: &Changes) -> HashSet<PathBuf> {
        let mut importers: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for (file, imports) in &self.imports {
            for import in imports {
                importers.entry(import).or_default().push(file);
            }
        }
        let is_incomplete =
            |file: &Path| matches!(changes, Changes::Since(_)) && self.incomplete.contains(file);
        let mut left: Vec<&Path> =
            self.files().filter(|file| changes.contains(file) || is_incomplete(file)).collect();
        let mut affected = HashSet::new();
        while let Some(file) = left.pop() {
            if affected.insert(file.to_path_buf()) {
                left.extend(importers.get(file).into_iter().flatten());
            }
        }
        affected
    }
}

fn is_installed(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "node_modules")
}

#[cfg(test)]
mod tests;
