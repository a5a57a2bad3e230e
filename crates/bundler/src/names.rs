//! Identifiers: which strings are some, which are reserved, unused ones.

use std::path::Path;

use oxc::syntax::identifier::is_identifier_name;
use oxc::syntax::keyword::is_reserved_keyword_or_global_object;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether a string can be a variable's name.
pub(crate) fn is_identifier(text: &str) -> bool {
    is_identifier_name(text) && !oxc::syntax::keyword::is_reserved_keyword(text)
}

/// Names of the functions that bundling adds, and others that must not be declared.
const RESERVED: [&str; 19] = [
    "__commonJS",
    "__esm",
    "__export",
    "__reExport",
    "__toESM",
    "__toCommonJS",
    "__require",
    "__create",
    "__defProp",
    "__import_meta",
    "__copyProperties",
    "__commonJSViews",
    "__defineModule",
    "require",
    "module",
    "exports",
    "await",
    "arguments",
    "eval",
];

/// Names of one scope.
#[derive(Debug, Default)]
pub(crate) struct NameSet {
    used: FxHashSet<String>,
    /// The number that was last appended to a name.
    last: FxHashMap<String, u32>,
}

impl NameSet {
    pub(crate) fn reserve(&mut self, name: &str) {
        if !self.used.contains(name) {
            self.used.insert(name.to_owned());
        }
    }

    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name) || RESERVED.contains(&name) || is_reserved_keyword_or_global_object(name)
    }

    /// The wanted name, or it with a number; it is used from then on.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        if !RESERVED.contains(&wanted)
            && !is_reserved_keyword_or_global_object(wanted)
            && self.used.insert(wanted.to_owned())
        {
            return wanted.to_owned();
        }
        let last = self.last.entry(wanted.to_owned()).or_insert(1);
        loop {
            *last += 1;
            let name = format!("{wanted}{last}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name for things of a module, by its file.
pub(crate) fn of_path(path: &str) -> String {
    let path = Path::new(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let directory =
        || path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let name = if stem == "index" { directory().unwrap_or(stem) } else { stem };
    to_identifier(&name)
}

/// Replaces characters that identifiers do not have.
pub(crate) fn to_identifier(text: &str) -> String {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$');
    let mut name: String =
        text.chars().map(|character| if is_part(character) { character } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}
