//! The `browser` member of package.json as a map: specifiers and files that are replaced or
//! disabled in bundles for browsers. In: an importer and a specifier, or a file. Out: the
//! replacement. Absent: `browser` as a string, which is a main field.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use rusk_npm::json::{self, Dialect, Value};

/// As for package.json elsewhere.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// The maps of all packages that were asked for.
#[derive(Default)]
pub(crate) struct BrowserMaps {
    by_directory: Mutex<FxHashMap<PathBuf, Option<Arc<BrowserMap>>>>,
}

/// Replacements by key; `None`: the module is disabled.
#[derive(Debug)]
struct BrowserMap {
    directory: PathBuf,
    entries: FxHashMap<String, Option<String>>,
}

impl BrowserMaps {
    /// The replacement of a specifier in a file.
    pub(crate) fn find_specifier(&self, importer: &Path, specifier: &str) -> Option<Option<String>> {
        let map = self.nearest(importer.parent()?)?;
        if specifier.starts_with('.') {
            return None;
        }
        map.find(specifier)
    }

    /// The replacement of a file, by its absolute path. `specifier`: how it was found. A key
    /// without an extension is for specifiers without one.
    pub(crate) fn find_file(&self, file: &Path, specifier: &str) -> Option<Option<String>> {
        let map = self.nearest(file.parent()?)?;
        let relative = file.strip_prefix(&map.directory).ok()?.to_str()?;
        let is_index = specifier.ends_with("/index");
        let is_written = |end: &str| specifier.ends_with(end) || is_index && end == "/index.js";
        let without = |end: &str| {
            relative.strip_suffix(end).filter(|_| !is_written(end)).map(|name| format!("./{name}"))
        };
        let keys = [Some(format!("./{relative}")), without(".js"), without("/index.js"), without(".json")];
        // A path without its extension names a file that does not exist.
        let with = [format!("./{relative}.js"), format!("./{relative}/index.js"), relative.to_owned()];
        keys.into_iter().flatten().chain(with).find_map(|key| map.find(&key))
    }

    /// The replacement of a file that a specifier names and that does not exist.
    pub(crate) fn find_absent(&self, importer: &Path, specifier: &str) -> Option<Option<String>> {
        let directory = importer.parent()?;
        if specifier.starts_with('.') {
            let file = rusk_base::files::normalized(&directory.join(specifier));
            return self.find_file(&file, specifier);
        }
        if let Some(found) = self.nearest(directory).and_then(|map| map.find(&format!("./{specifier}"))) {
            return Some(found);
        }
        let names = if specifier.starts_with('@') { 2 } else { 1 };
        let end = specifier.match_indices('/').nth(names - 1).map_or(specifier.len(), |(at, _)| at);
        let mut packages = directory.ancestors().map(|at| at.join("node_modules").join(&specifier[..end]));
        let package = packages.find(|package| rusk_base::files::is_directory(package))?;
        let path = specifier[end..].trim_start_matches('/');
        self.find_file(&package.join(if path.is_empty() { "index" } else { path }), specifier)
    }

    fn nearest(&self, directory: &Path) -> Option<Arc<BrowserMap>> {
        let known = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        if let Some(known) = known {
            return known;
        }
        let manifest = directory.join("package.json");
        let found = match rusk_base::files::find_string(&manifest, FILE_BYTES_MAX) {
            Ok(Some(text)) => BrowserMap::parse(directory, &text).map(Arc::new),
            _ if directory.file_name().is_some_and(|name| name == "node_modules") => None,
            _ => directory.parent().and_then(|parent| self.nearest(parent)),
        };
        let mut maps = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
        maps.insert(directory.to_owned(), found.clone());
        found
    }
}

impl BrowserMap {
    fn parse(directory: &Path, text: &str) -> Option<BrowserMap> {
        let root = json::parse(text, Dialect::Relaxed).ok()?;
        let Value::Object(members) = &root.find("browser")?.value else { return None };
        let entries = members.iter().filter_map(|member| {
            let replacement = match &member.node.value {
                Value::Bool(false) => None,
                Value::String(name) => Some(name.to_string()),
                _ => return None,
            };
            Some((member.key.to_string(), replacement))
        });
        Some(BrowserMap { directory: directory.to_owned(), entries: entries.collect() })
    }

    fn find(&self, key: &str) -> Option<Option<String>> {
        let replacement = self.entries.get(key)?.clone();
        Some(replacement.map(|name| match name.strip_prefix("./") {
            Some(path) => self.directory.join(path).to_string_lossy().into_owned(),
            None => name,
        }))
    }
}
