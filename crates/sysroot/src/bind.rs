//! Parsing of `--bind`. In: the option's value. Out: source, target and access of a bind mount.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rusk_base::Result;

use crate::problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Absolute, outside.
    pub source: PathBuf,
    /// Absolute, inside.
    pub target: PathBuf,
    pub access: Access,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Write,
    Read,
}

impl Bind {
    /// `SRC`, `SRC:DST` or `SRC:DST:ro`; a source may be relative to `current_dir`.
    pub fn parse(arguments: &OsStr, current_dir: &Path) -> Result<Bind> {
        let mut parts =
            arguments.as_bytes().split(|byte| *byte == b':').map(|part| Path::new(OsStr::from_bytes(part)));
        let (source, target, access) = (parts.next(), parts.next(), parts.next());
        let Some(source) = source.filter(|source| !source.as_os_str().is_empty() && parts.next().is_none())
        else {
            return Err(problem::bad_bind(arguments, "`SRC:DST`"));
        };
        let source = current_dir.join(source);
        let access = match access.map(|word| word.as_os_str().as_bytes()) {
            None | Some(b"rw") => Access::Write,
            Some(b"ro") => Access::Read,
            Some(_) => return Err(problem::bad_bind(arguments, "`ro` or `rw` at the end")),
        };
        let target = match target {
            Some(target) => target.to_owned(),
            None => source.canonicalize().map_err(|error| problem::no_source(&source, error))?,
        };
        let plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
        if !target.has_root() || !target.components().all(plain) || target == Path::new("/") {
            return Err(problem::bad_bind(
                arguments,
                "an absolute path other than `/`, without `..`, behind the `:`",
            ));
        }
        if let Err(error) = source.metadata() {
            return Err(problem::no_source(&source, error));
        }
        Ok(Bind { source, target, access })
    }
}

#[cfg(test)]
mod tests;
