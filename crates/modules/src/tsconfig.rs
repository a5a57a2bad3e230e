//! tsconfig.json: `paths`, `baseUrl`, the files that it applies to, and compiler options. In: the
//! file's path. Out: the candidate paths of a specifier, in order of preference; and the options
//! for compilation to JavaScript.

mod compiler_options;
pub(crate) mod globs;
mod load;
pub mod raw;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use compiler_options::{CompilerOptions, JsxSettings};
pub(crate) use load::{InvalidConfig, Loader};

pub(crate) const FILE_NAME: &[u8] = b"tsconfig.json";
/// In a directory without tsconfig.json: the name in JavaScript projects.
pub(crate) const JS_FILE_NAME: &[u8] = b"jsconfig.json";

/// A tsconfig, merged with all that it extends.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// `baseUrl`: the directory of non-relative names.
    base: Option<PathBuf>,
    /// Patterns with at most one star, and their absolute targets.
    paths: Vec<(String, Vec<PathBuf>)>,
    /// The files that it applies to, see `globs`.
    scope: globs::Scope,
    compiler_options: CompilerOptions,
    references: Vec<Arc<Config>>,
}

impl Config {
    /// The configuration for a file: the first reference that applies to it, else this one.
    pub(crate) fn of_file(self: &Arc<Config>, file: &Path) -> Arc<Config> {
        let referenced = self.references.iter().find(|config| config.scope.has(file));
        referenced.unwrap_or(self).clone()
    }

    pub(crate) fn has_references(&self) -> bool {
        !self.references.is_empty()
    }

    /// Targets of `paths`: of the exact pattern, else of the one with the longest prefix before its
    /// star. The pattern `*` is only used with `when_all`.
    pub(crate) fn match_paths(&self, specifier: &str, is_wildcard: bool) -> Vec<PathBuf> {
        let fitting = self.paths.iter().filter_map(|(pattern, targets)| {
            let (before, star) = match pattern.split_once('*') {
                None => (usize::MAX, (pattern == specifier).then_some("")?),
                Some((before, after)) => {
                    let rest = specifier.strip_prefix(before)?;
                    (before.len(), rest.strip_suffix(after)?)
                }
            };
            ((pattern == "*") == is_wildcard).then_some((before, star, targets))
        });
        let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, star, targets)) = best else { return Vec::new() };
        targets.iter().map(|target| with_star(target, star)).collect()
    }

    pub(crate) fn compiler_options(&self) -> &CompilerOptions {
        &self.compiler_options
    }

    /// The path below `baseUrl`.
    pub(crate) fn base_url_path(&self, specifier: &str) -> Option<PathBuf> {
        self.base.as_ref().map(|base| base.join(specifier))
    }
}

/// Replaces the first star of a path.
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
