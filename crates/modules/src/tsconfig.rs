//! What tsconfig.json says of where modules are: `paths`, `baseUrl`, and which files it speaks for.
//! In: the file's path. Out: for a specifier the paths it may stand for, the best first; and what
//! it says of how a file becomes JavaScript.

mod compiler_options;
pub(crate) mod globs;
mod load;
pub mod raw;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use compiler_options::CompilerOptions;
pub(crate) use load::{InvalidConfig, Loader};

pub(crate) const FILE_NAME: &[u8] = b"tsconfig.json";
/// Of a directory without one: what editors call it where nothing is TypeScript.
pub(crate) const JS_FILE_NAME: &[u8] = b"jsconfig.json";

/// One tsconfig with all that it extends.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// Non-relative names are looked for here.
    base: Option<PathBuf>,
    /// Patterns with at most one star, and the absolute paths they may stand for.
    paths: Vec<(String, Vec<PathBuf>)>,
    /// What it speaks for, see `globs`.
    scope: globs::Scope,
    compiler_options: CompilerOptions,
    references: Vec<Arc<Config>>,
}

impl Config {
    /// The one that speaks for a file: of the referenced ones the first that does, else this.
    pub(crate) fn of_file(self: &Arc<Config>, file: &Path) -> Arc<Config> {
        let referenced = self.references.iter().find(|config| config.scope.has(file));
        referenced.unwrap_or(self).clone()
    }

    pub(crate) fn has_references(&self) -> bool {
        !self.references.is_empty()
    }

    /// What `paths` says: the pattern that is the specifier, else the one with the longest text
    /// before its star. The pattern that fits everything only counts `when_all` is asked for.
    pub(crate) fn mapped(&self, specifier: &str, when_all: bool) -> Vec<PathBuf> {
        let fitting = self.paths.iter().filter_map(|(pattern, targets)| {
            let (before, star) = match pattern.split_once('*') {
                None => (usize::MAX, (pattern == specifier).then_some("")?),
                Some((before, after)) => {
                    let rest = specifier.strip_prefix(before)?;
                    (before.len(), rest.strip_suffix(after)?)
                }
            };
            ((pattern == "*") == when_all).then_some((before, star, targets))
        });
        let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, star, targets)) = best else { return Vec::new() };
        targets.iter().map(|target| with_star(target, star)).collect()
    }

    pub(crate) fn compiler_options(&self) -> &CompilerOptions {
        &self.compiler_options
    }

    /// What `baseUrl` says.
    pub(crate) fn below_base(&self, specifier: &str) -> Option<PathBuf> {
        self.base.as_ref().map(|base| base.join(specifier))
    }
}

/// The first star of a path replaced.
fn with_star(target: &Path, star: &str) -> PathBuf {
    let bytes = target.as_os_str().as_bytes();
    match bytes.iter().position(|&byte| byte == b'*') {
        None => target.to_owned(),
        Some(at) => {
            let whole = [&bytes[..at], star.as_bytes(), &bytes[at + 1..]].concat();
            Path::new(OsStr::from_bytes(&whole)).to_owned()
        }
    }
}

#[cfg(test)]
mod tests;
