//! Options of a bundle. Values only: `crates/rusk` makes them of flags, `Bun.build` of an object.

use std::path::PathBuf;
use std::sync::Arc;

use rusk_modules::tsconfig::CompilerOptions;

use crate::loader::Loader;
use crate::plugins::Plugins;
use crate::resolve::MemoryFiles;

/// Everything besides the files that determines the output.
#[derive(Clone, Debug)]
pub struct BundleOptions {
    /// Entry points, as written: paths, or package specifiers.
    pub entries: Vec<String>,
    /// Absolute. Relative paths begin here.
    pub current_dir: PathBuf,
    /// Threads that read and print modules.
    pub threads: usize,
    pub target: BuildTarget,
    pub format: ModuleFormat,
    pub destination: Destination,
    /// Specifiers that stay imports; `*` stands for any characters.
    pub externals: Vec<String>,
    pub packages: Packages,
    /// Global names, and the source text of their values.
    pub defines: Vec<(String, String)>,
    pub source_maps: SourceMaps,
    pub minify: Minify,
    pub splitting: bool,
    /// Chunks without side effects and with fewer bytes of source text join another one.
    pub min_chunk_bytes: usize,
    /// Patterns of calls that may stay although their path is not known; `None`: all may.
    pub allow_unresolved: Option<Vec<String>>,
    pub naming: Naming,
    /// Put before paths of chunks and assets.
    pub public_path: String,
    /// Names for which `feature()` of `bun:bundle` is true.
    pub features: Vec<String>,
    /// Calls that are removed: `console`, `debugger`, `a.b`.
    pub drop: Vec<String>,
    /// Additional conditions of `exports`.
    pub conditions: Vec<String>,
    /// File name extensions, with the dot, and how such files are loaded.
    pub loaders: Vec<(String, Loader)>,
    pub banner: String,
    pub footer: String,
    pub jsx: JsxOverrides,
    /// Settings for JSX where tsconfig.json has none.
    pub jsx_defaults: CompilerOptions,
    /// Directory that output paths are relative to; `None`: the nearest one above all entries.
    pub root: Option<PathBuf>,
    /// Whether the output keeps `/* @__PURE__ */`.
    pub keeps_annotations: bool,
    /// Functions and classes keep their names.
    pub keep_names: bool,
    pub files: MemoryFiles,
    pub plugins: Option<Arc<Plugins>>,
    /// Whether `import.meta.hot` stays, for a development server.
    pub keeps_hot_api: bool,
    /// Whether the bundle has a metafile.
    pub metafile: bool,
    /// Whether it has one in Markdown.
    pub metafile_markdown: bool,
    pub mode: BuildMode,
    /// Whether the outputs become a single-file executable.
    pub is_executable: bool,
    /// Whether pages have all that they load within them.
    pub is_standalone: bool,
    /// Rusk, which evaluates macros; `None`: nothing does.
    pub macro_program: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildMode {
    Bundle,
    /// Each entry point becomes JavaScript; its imports stay.
    Transpile,
}

/// Where the outputs go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The code of the only entry point, to be printed.
    Text,
    File(PathBuf),
    Directory(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildTarget {
    Browser,
    /// rusk, or bun.
    Bun,
    Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleFormat {
    Esm,
    CommonJs,
    Iife,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packages {
    Bundle,
    External,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMaps {
    None,
    /// A file, and a comment that names it.
    Linked,
    /// In the code.
    Inline,
    /// A file alone.
    External,
}

impl SourceMaps {
    pub fn of_name(name: &str) -> Option<SourceMaps> {
        match name {
            "none" => Some(SourceMaps::None),
            "linked" => Some(SourceMaps::Linked),
            "inline" => Some(SourceMaps::Inline),
            "external" => Some(SourceMaps::External),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minify {
    pub whitespace: bool,
    pub syntax: bool,
    pub identifiers: bool,
}

impl Minify {
    pub const ALL: Minify = Minify { whitespace: true, syntax: true, identifiers: true };

    pub(crate) fn is_any(self) -> bool {
        self.whitespace || self.syntax || self.identifiers
    }
}

/// Templates of file names: `[dir]`, `[name]`, `[hash]`, `[ext]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub entry: String,
    pub chunk: String,
    pub asset: String,
}

impl Naming {
    /// Templates of entry points, chunks and assets; `None`: the usual one.
    pub fn of_templates([entry, chunk, asset]: [Option<&str>; 3]) -> Naming {
        let usual = Naming::default();
        let template = |given: Option<&str>, usual: String| given.map_or(usual, str::to_owned);
        Naming {
            entry: template(entry, usual.entry),
            chunk: template(chunk, usual.chunk),
            asset: template(asset, usual.asset),
        }
    }
}

impl Default for Naming {
    fn default() -> Naming {
        Naming {
            entry: "[dir]/[name].[ext]".to_owned(),
            chunk: "[name]-[hash].[ext]".to_owned(),
            asset: "[name]-[hash].[ext]".to_owned(),
        }
    }
}

/// JSX settings that take precedence over tsconfig.json.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsxOverrides {
    /// `classic` or `automatic`.
    pub is_classic: Option<bool>,
    pub factory: Option<String>,
    pub fragment: Option<String>,
    pub import_source: Option<String>,
    pub is_development: Option<bool>,
    /// Components are registered for React Fast Refresh.
    pub has_refresh: bool,
}

impl BundleOptions {
    pub fn new(current_dir: PathBuf, entries: Vec<String>) -> BundleOptions {
        BundleOptions {
            entries,
            current_dir,
            threads: 1,
            target: BuildTarget::Browser,
            format: ModuleFormat::Esm,
            destination: Destination::Text,
            externals: Vec::new(),
            packages: Packages::Bundle,
            defines: Vec::new(),
            source_maps: SourceMaps::None,
            minify: Minify::default(),
            splitting: false,
            min_chunk_bytes: 0,
            allow_unresolved: None,
            naming: Naming::default(),
            public_path: String::new(),
            features: Vec::new(),
            drop: Vec::new(),
            conditions: Vec::new(),
            loaders: Vec::new(),
            banner: String::new(),
            footer: String::new(),
            jsx: JsxOverrides::default(),
            jsx_defaults: CompilerOptions::default(),
            root: None,
            keeps_annotations: true,
            keep_names: false,
            files: MemoryFiles::default(),
            plugins: None,
            keeps_hot_api: false,
            metafile: false,
            metafile_markdown: false,
            mode: BuildMode::Bundle,
            is_executable: false,
            is_standalone: false,
            macro_program: None,
        }
    }

    /// Whether it is recorded what is in each output.
    pub(crate) fn has_metafile(&self) -> bool {
        self.metafile || self.metafile_markdown
    }

    /// Whether source maps are made.
    pub(crate) fn needs_maps(&self) -> bool {
        self.source_maps != SourceMaps::None
    }

    /// Whether the environment is a production one, by the defined NODE_ENV.
    pub(crate) fn is_production(&self) -> bool {
        self.defines
            .iter()
            .any(|(name, value)| name == "process.env.NODE_ENV" && value.contains("production"))
    }
}
