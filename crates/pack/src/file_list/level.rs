//! The ignore rules that hold in a directory: its own and those of its parents up to the package.
//! In each directory the defaults come first, then `files` of package.json or the ignore file, then
//! what is always or never published. `.npmignore` replaces `.gitignore` beside it.

use std::path::Path;

use rusk_base::{Result, files};

use super::Surroundings;
use crate::ignore::{EntryKind, IgnoreRules};
use crate::published_manifest::PackageFields;

/// A larger ignore file is refused.
const IGNORE_FILE_BYTES_MAX: u64 = 4 << 20;

/// Never published unless a later rule includes it, in every directory.
const DEFAULTS: &[&str] = &[
    ".npmignore",
    ".gitignore",
    "**/.git",
    "**/.svn",
    "**/.hg",
    "**/CVS",
    "**/.git/**",
    "**/.svn/**",
    "**/.hg/**",
    "**/CVS/**",
    "/.lock-wscript",
    "/.wafpickle-*",
    "/build/config.gypi",
    "npm-debug.log",
    "**/.npmrc",
    ".*.swp",
    ".DS_Store",
    "**/.DS_Store/**",
    "._*",
    "**/._*/**",
    "*.orig",
    "/archived-packages/**",
];

/// What no rule can change, at the root of a package.
const ALWAYS_AND_NEVER: &[&str] = &[
    "/.git",
    "!/package.json",
    "!/readme{,.*[^~$]}",
    "!/copying{,.*[^~$]}",
    "!/license{,.*[^~$]}",
    "!/licence{,.*[^~$]}",
    "/.git",
    "/node_modules",
    ".npmrc",
    "/package-lock.json",
    "/yarn.lock",
    "/pnpm-lock.yaml",
    "/bun.lockb",
    "/bun.lock",
];

/// Which package is walked.
#[derive(Clone, Copy)]
pub(super) enum RootKind<'a> {
    /// The one that is packed.
    Project(&'a Surroundings),
    /// A bundled dependency that is a member of the workspace.
    Link,
    /// A bundled dependency from the registry: its own author chose its files.
    Installed,
}

pub(super) struct Levels(Vec<Level>);

struct Level {
    /// The name of its directory.
    name: String,
    rules: Vec<IgnoreRules>,
    /// Paths below this directory that `files` names as single files.
    required: Vec<String>,
    /// The directory itself is included, so that rules in it may include what outer ones exclude.
    is_exact: bool,
}

impl Levels {
    pub(super) fn of_package(dir: &Path, package: &PackageFields, kind: RootKind<'_>) -> Result<Levels> {
        let named = NamedFiles::of(dir, package);
        let mut rules = Vec::new();
        if !matches!(kind, RootKind::Installed) {
            rules.push(defaults(kind));
        }
        match &named.rules {
            Some(patterns) => rules.push(IgnoreRules::of(patterns.iter().map(String::as_str))),
            None if !matches!(kind, RootKind::Installed) => rules.extend(ignore_file(dir)?),
            None => {}
        }
        let required: Vec<String> = package.required_paths().map(|path| format!("!/{path}")).collect();
        let files = named.required.iter().rev().map(|path| format!("!{path}")).collect::<Vec<_>>();
        let strict = files.iter().map(String::as_str).chain(ALWAYS_AND_NEVER.iter().copied());
        rules.push(IgnoreRules::of(strict.chain(required.iter().map(String::as_str))));
        let required = named.required.iter().map(|path| path.trim_start_matches('/').to_owned()).collect();
        Ok(Levels(vec![Level { name: String::new(), rules, required, is_exact: false }]))
    }

    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Goes into a directory.
    pub(super) fn enter(&mut self, dir: &Path, name: &str, is_exact: bool) -> Result<()> {
        let prefix = format!("{name}/");
        let parent = self.0.last().map(|level| level.required.as_slice()).unwrap_or_default();
        let required: Vec<String> =
            parent.iter().filter_map(|path| Some(path.strip_prefix(&prefix)?.to_owned())).collect();
        let here = required.iter().filter(|path| !path.contains('/')).map(|path| format!("!{path}"));
        let strict: Vec<String> = std::iter::once("/.git".to_owned()).chain(here).collect();
        let mut rules = vec![IgnoreRules::of(DEFAULTS.iter().copied())];
        rules.extend(ignore_file(dir)?);
        rules.push(IgnoreRules::of(strict.iter().map(String::as_str)));
        self.0.push(Level { name: name.to_owned(), rules, required, is_exact });
        Ok(())
    }

    /// Returns to the parent directory.
    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// Whether an entry of the current directory is published, or leads to what is.
    pub(super) fn includes(&self, name: &str, kind: EntryKind) -> bool {
        self.decide(name, name, kind)
    }

    /// Whether a directory itself is included by name.
    pub(super) fn includes_exactly(&self, name: &str) -> bool {
        self.decide(&format!("{name}/"), name, EntryKind::File)
    }

    fn decide(&self, entry: &str, name: &str, kind: EntryKind) -> bool {
        let mut included = true;
        for (index, level) in self.0.iter().enumerate() {
            if !included && !level.is_exact {
                return false;
            }
            let inner = self.0[index + 1..].iter().map(|level| level.name.as_str());
            let path: Vec<&str> = inner.chain([entry]).collect();
            let last = (path.len() > 1).then_some(name);
            let path = path.join("/");
            for rules in &level.rules {
                included = rules.apply(included, &path, last, kind);
            }
        }
        included
    }
}

fn defaults(kind: RootKind<'_>) -> IgnoreRules {
    let mut patterns: Vec<&str> = DEFAULTS.to_vec();
    if let RootKind::Project(surroundings) = kind {
        let lines = surroundings.outer_ignore_files.iter().flat_map(|text| text.lines()).map(str::trim);
        patterns.extend(lines.filter(|line| !line.is_empty() && !line.starts_with('#')));
        patterns.extend(surroundings.member_dirs.iter().map(String::as_str));
    }
    IgnoreRules::of(patterns)
}

/// The text of the ignore file of a directory: `.npmignore`, else `.gitignore`.
pub fn read_ignore_file(dir: &Path) -> Result<Option<String>> {
    for name in [".npmignore", ".gitignore"] {
        if let Some(text) = files::find_string(&dir.join(name), IGNORE_FILE_BYTES_MAX)? {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

fn ignore_file(dir: &Path) -> Result<Option<IgnoreRules>> {
    Ok(read_ignore_file(dir)?.map(|text| IgnoreRules::parse(&text)))
}

/// `files` of package.json.
struct NamedFiles {
    /// `None`: package.json has no `files`.
    rules: Option<Vec<String>>,
    /// Entries that name one file: nothing excludes them.
    required: Vec<String>,
}

impl NamedFiles {
    fn of(dir: &Path, package: &PackageFields) -> NamedFiles {
        let Some(entries) = &package.files else {
            return NamedFiles { rules: None, required: Vec::new() };
        };
        let mut rules = vec!["*".to_owned()];
        let mut required = Vec::new();
        for entry in entries {
            let mut entry =
                entry.strip_prefix('.').filter(|rest| rest.starts_with('/')).unwrap_or(entry).to_owned();
            if entry.ends_with("/*") {
                entry.push('*');
            }
            let file = dir.join(entry.trim_start_matches('!').trim_start_matches('/'));
            match std::fs::symlink_metadata(file).map(|metadata| metadata.file_type()) {
                Ok(kind) if kind.is_file() => required.push(entry),
                Ok(kind) if kind.is_dir() => {
                    rules.extend([format!("!{entry}"), format!("!{entry}/**")]);
                }
                Ok(_) => {}
                Err(_) => rules.push(format!("!{entry}")),
            }
        }
        NamedFiles { rules: Some(rules), required }
    }
}
