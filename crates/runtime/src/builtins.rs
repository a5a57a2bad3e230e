//! The JavaScript of our own, by name: `node/fs`, `internal/errors`, `web/url`. In: a name. Out:
//! the function that a file is the body of. Each is compiled when it is first asked for. Absent:
//! keeping what they export; js/bootstrap.js does.

use std::path::{Path, PathBuf};

use rusk_jsc::{Exception, Scope, Value};

use crate::code;

#[allow(clippy::all)]
mod table {
    include!(concat!(env!("OUT_DIR"), "/builtins.rs"));
}

/// Where the sources are.
pub(crate) struct Builtins {
    /// Read from here rather than from ourselves, to try a change without a build.
    folder: Option<PathBuf>,
}

impl Builtins {
    pub fn new(folder: Option<PathBuf>) -> Builtins {
        Builtins { folder }
    }

    /// The function; `undefined` where there is no such file.
    pub fn compile<'s>(&self, scope: &'s Scope, name: &str) -> Result<Value<'s>, Exception<'s>> {
        if let Some(source) = self.folder.as_deref().and_then(|folder| read(folder, name)) {
            return scope.evaluate(&source, &url(name), 1);
        }
        match find(name) {
            Some(source) => code::evaluate_own(scope, source, &url(name)),
            None => Ok(scope.undefined()),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        let is_in = |folder: &Path| folder.join(name).with_extension("js").is_file();
        find(name).is_some() || self.folder.as_deref().is_some_and(is_in)
    }
}

fn find(name: &str) -> Option<&'static str> {
    let index = table::SOURCES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(table::SOURCES[index].1)
}

fn read(folder: &Path, name: &str) -> Option<String> {
    let body = std::fs::read_to_string(folder.join(format!("{name}.js"))).ok()?;
    Some(format!("(function (exports, require, module, native) {{{body}\n}})"))
}

/// As stacks show it; Node's own files are called so.
fn url(name: &str) -> String {
    format!("node:{}", name.strip_prefix("node/").unwrap_or(name))
}
