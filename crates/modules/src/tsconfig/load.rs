//! Loads a tsconfig with all that it extends. In: its path. Out: one configuration with absolute
//! paths. Each file is read once; a cyclic or too long chain is an error. In a list of `extends`
//! later entries take precedence.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::sys;

use super::raw::{self, Patterns, RawConfig};
use super::{CompilerOptions, Config, globs::Scope};
use crate::file_system::read_file::{self, ReadFile, WithStat};

/// Limit of files in one chain of `extends`: TypeScript has none, and ten are unusual.
const CHAIN_MAX: usize = 32;

/// In the paths of a base: the directory of the tsconfig that extends it.
const CONFIG_DIRECTORY: &str = "${configDir}";

/// The invalid file, and the reason.
#[derive(Clone, Debug)]
pub(crate) struct InvalidConfig {
    pub(crate) file: PathBuf,
    pub(crate) reason: String,
}

/// The merged values of a file and its bases, as written, each with the directory to which it is
/// relative.
#[derive(Clone, Default)]
struct Layer {
    base_url: Option<RelativeTo<String>>,
    paths: Option<RelativeTo<Patterns>>,
    files: Option<RelativeTo<Vec<String>>>,
    include: Option<RelativeTo<Vec<String>>>,
    exclude: Option<RelativeTo<Vec<String>>>,
    /// Not inherited.
    references: Vec<String>,
    compiler_options: CompilerOptions,
}

#[derive(Clone)]
struct RelativeTo<T> {
    directory: PathBuf,
    value: T,
}

/// Loads files. `find_package` finds the tsconfig of a package, by the directory of the importer
/// and the name.
pub(crate) struct Loader<'a> {
    pub(crate) find_package: &'a dyn Fn(&Path, &str) -> Option<PathBuf>,
    known: HashMap<PathBuf, Layer>,
    chain: Vec<PathBuf>,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(find_package: &'a dyn Fn(&Path, &str) -> Option<PathBuf>) -> Loader<'a> {
        Loader { find_package, known: HashMap::new(), chain: Vec::new() }
    }

    /// Loads a file, and its references.
    pub(crate) fn load(&mut self, file: &Path) -> Result<Config, InvalidConfig> {
        let layer = self.layer(file)?;
        let directory = directory_of(file);
        let mut config = layer.config(directory);
        for reference in &layer.references {
            let path = directory.join(reference);
            let path = if path.extension().is_some_and(|end| end == "json") {
                path
            } else {
                path.join("tsconfig.json")
            };
            let path = normal(&path);
            // References of a referenced project are ignored, so cycles end here. A submodule may
            // not be checked out; only the compiler needs all projects.
            if path != file && read(&path).is_some() {
                config.references.push(Arc::new(self.layer(&path)?.config(directory_of(&path))));
            }
        }
        Ok(config)
    }

    fn layer(&mut self, file: &Path) -> Result<Layer, InvalidConfig> {
        if let Some(known) = self.known.get(file) {
            return Ok(known.clone());
        }
        let invalid = |reason: String| InvalidConfig { file: file.to_owned(), reason };
        if self.chain.iter().any(|above| above == file) {
            return Err(invalid("it extends itself".to_owned()));
        }
        if self.chain.len() >= CHAIN_MAX {
            return Err(invalid(format!("it is extended through more than {CHAIN_MAX} files")));
        }
        let text = read(file).ok_or_else(|| invalid("it is not there".to_owned()))?.map_err(invalid)?;
        let raw = raw::parse(&text).map_err(invalid)?;
        self.chain.push(file.to_owned());
        let mut layer = Layer::default();
        for extended in &raw.extends {
            let base = self.find_extended(file, extended);
            let base = base.ok_or_else(|| invalid(format!("it extends `{extended}`, which is not there")))?;
            layer.put(self.layer(&base)?);
        }
        self.chain.pop();
        layer.put(Layer::new(raw, directory_of(file)));
        self.known.insert(file.to_owned(), layer.clone());
        Ok(layer)
    }

    /// A path, of which `.json` may be missing; or a package, and a file in it.
    fn find_extended(&self, file: &Path, extended: &str) -> Option<PathBuf> {
        let directory = directory_of(file);
        if !extended.starts_with(['.', '/']) {
            return (self.find_package)(directory, extended);
        }
        let path = normal(&directory.join(extended));
        let longer = PathBuf::from(format!("{}.json", path.display()));
        [path, longer].into_iter().find(|path| read(path).is_some())
    }
}

impl Layer {
    fn new(raw: RawConfig, directory: &Path) -> Layer {
        fn relative_to<T>(value: Option<T>, directory: &Path) -> Option<RelativeTo<T>> {
            value.map(|value| RelativeTo { directory: directory.to_owned(), value })
        }
        Layer {
            base_url: relative_to(raw.base_url, directory),
            paths: relative_to(raw.paths, directory),
            files: relative_to(raw.files, directory),
            include: relative_to(raw.include, directory),
            exclude: relative_to(raw.exclude, directory),
            references: raw.references,
            compiler_options: raw.compiler_options,
        }
    }

    /// Later values take precedence.
    fn put(&mut self, later: Layer) {
        self.base_url = later.base_url.or(self.base_url.take());
        self.paths = later.paths.or(self.paths.take());
        self.files = later.files.or(self.files.take());
        self.include = later.include.or(self.include.take());
        self.exclude = later.exclude.or(self.exclude.take());
        self.references = later.references;
        self.compiler_options.put(later.compiler_options);
    }

    /// With absolute paths, for the tsconfig in `root`.
    fn config(&self, root: &Path) -> Config {
        let all = |seen: &Option<RelativeTo<Vec<String>>>| -> Vec<PathBuf> {
            seen.iter()
                .flat_map(|seen| seen.value.iter().map(|path| absolute(&seen.directory, path, root)))
                .collect()
        };
        let base = self.base_url.as_ref().map(|seen| absolute(&seen.directory, &seen.value, root));
        let paths = self.paths.iter().flat_map(|seen| {
            let directory = base.as_ref().unwrap_or(&seen.directory);
            seen.value.iter().map(move |(pattern, targets)| {
                (pattern.clone(), targets.iter().map(|target| absolute(directory, target, root)).collect())
            })
        });
        let paths = paths.collect();
        let mut scope =
            Scope { files: all(&self.files), include: all(&self.include), exclude: all(&self.exclude) };
        if self.files.is_none() && self.include.is_none() {
            scope.include.push(root.join("**/*"));
        }
        Config { base, paths, scope, compiler_options: self.compiler_options.clone(), references: Vec::new() }
    }
}

fn absolute(directory: &Path, path: &str, root: &Path) -> PathBuf {
    match path.strip_prefix(CONFIG_DIRECTORY) {
        Some(rest) => normal(&root.join(rest.trim_start_matches('/'))),
        None => normal(&directory.join(path)),
    }
}

fn directory_of(file: &Path) -> &Path {
    file.parent().unwrap_or(file)
}

fn normal(path: &Path) -> PathBuf {
    let names = crate::file_system::normal_names(path.as_os_str().as_bytes());
    let whole = [b"/", &*names.join(&b'/')].concat();
    Path::new(std::ffi::OsStr::from_bytes(&whole)).to_owned()
}

/// `None` if it does not exist.
fn read(file: &Path) -> Option<Result<String, String>> {
    match read_file::read(sys::CWD, file.as_os_str().as_bytes(), raw::BYTES_MAX, WithStat::No) {
        ReadFile::Absent => None,
        ReadFile::Unreadable(reason) => Some(Err(reason)),
        ReadFile::Read { bytes, .. } => Some(Ok(String::from_utf8_lossy(&bytes).into_owned())),
    }
}
