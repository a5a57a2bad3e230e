//! Yarn's `patch:` protocol: a dependency on a package with patches. In: a literal,
//! `patch:left@npm%3A^1.0.0#~/.yarn/patches/left.patch`. Out: the literal of the package itself,
//! and the files. Absent: what is in the files; Yarn's own patches, `builtin<…>`.

use crate::semver::{Range, Version};
use crate::specifier::split_name;

/// Patches of patches; Yarn itself writes two at most.
const DEPTH_MAX: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YarnPatch {
    /// The package's own name.
    pub package: String,
    /// Without a patch: as in a package.json.
    pub literal: String,
    pub files: Vec<PatchPath>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchPath {
    /// `~/`: relative to the project.
    OfProject(String),
    /// Relative to the package that has the dependency.
    OfMember(String),
}

impl YarnPatch {
    /// `name`: that of the dependency. `None` if it is no patch, or not well-formed.
    pub fn parse(name: &str, literal: &str) -> Option<YarnPatch> {
        parse(name, literal, 0)
    }

    /// The key of `patchedDependencies`: of a version where the literal is one, else of all.
    pub fn key(&self) -> String {
        let version = split_name(self.literal.strip_prefix("npm:").unwrap_or(&self.literal));
        let version = version.1.unwrap_or(&self.literal);
        match Version::parse(version) {
            Some(version) => format!("{}@{version}", self.package),
            None => self.package.clone(),
        }
    }
}

fn parse(name: &str, literal: &str, depth: usize) -> Option<YarnPatch> {
    let (source, files) = literal.strip_prefix("patch:")?.split_once('#')?;
    // What follows binds it to a version or to a package, in lockfiles.
    let files = files.split("::").next().unwrap_or(files);
    let source = decoded(source)?;
    let (package, range) = split_name(&source);
    let range = range.filter(|_| depth < DEPTH_MAX && !package.is_empty())?;
    let inner = parse(package, range, depth + 1);
    let mut patch = inner.unwrap_or_else(|| {
        let literal = plain(range);
        let literal = match package == name {
            true => literal.to_owned(),
            false => format!("npm:{package}@{literal}"),
        };
        YarnPatch { package: package.to_owned(), literal, files: Vec::new() }
    });
    for file in files.split('&') {
        let file = file.rsplit('!').next().unwrap_or(file);
        if file.starts_with("builtin<") || file.is_empty() {
            continue;
        }
        patch.files.push(match file.strip_prefix("~/") {
            Some(path) => PatchPath::OfProject(path.to_owned()),
            None => PatchPath::OfMember(file.trim_start_matches("./").to_owned()),
        });
    }
    Some(patch)
}

/// `npm:^1.0.0` is `^1.0.0`; an alias stays.
fn plain(range: &str) -> &str {
    match range.strip_prefix("npm:") {
        Some(rest) if Range::parse(rest).is_some() || !rest.contains('@') => rest,
        _ => range,
    }
}

/// Without percent-encoding; `None` if it is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        (rest, _) = match byte.filter(|_| *first == b'%') {
            Some(byte) => (&tail[2..], bytes.push(byte)),
            None => (tail, bytes.push(*first)),
        };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests;
