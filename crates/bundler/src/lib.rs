//! Bundler: entry points and what they import become few files. In: [`BundleOptions`]. Out:
//! [`Bundle`], the output files as bytes; or all errors, with the lines of the sources. Stages, one
//! module each: `scan` (read, parse, resolve), `link` (bind imports to exports, drop what is
//! unused), `chunk` (order, names), `print` (code of each module), `render` (code of each chunk),
//! `pages` (stylesheets and HTML).
//! `write` writes the files. See docs/contributing/bundler.md. Absent: the engine.

mod bind;
mod browser_modules;
mod bundle;
mod chunk;
mod chunk_files;
mod collect;
mod css;
mod data_module;
mod defines;
mod dev;
mod diagnostic;
mod early;
mod entry_globs;
mod executable;
mod exports;
mod file_reference;
mod free_names;
mod glob_import;
mod graph;
mod html;
mod link;
mod live;
mod loader;
mod macros;
mod map_piece;
mod memory;
mod metafile;
mod metafile_markdown;
mod minify;
mod module;
mod module_cache;
mod names;
mod options;
mod order;
mod output;
mod output_bytes;
mod pages;
mod piece;
mod plugins;
mod print;
mod problem;
mod react_refresh;
mod references;
mod render;
mod resolve;
mod rewrite;
mod scan;
mod served_pages;
mod settings;
mod short_names;
mod source_map;
mod specifier_resolver;
mod split;
mod standalone;
mod static_members;
mod symbols;
mod transpile_only;
mod worker;
mod wrap;
mod write;

pub use bundle::{Builds, BundleBuilder, bundle, last_bundle, with_builder};
pub use dev::{DEV_PREFIX, DevGraph, PageMessage};
pub use diagnostic::{Diagnostic, SourceLine};
pub use entry_globs::expand_entries;
pub use executable::{ExecutableSettings, executable_options, write_executable};
pub use free_names::free_names;
pub use loader::Loader;
pub use metafile::{OutputDetails, OutputImport};
pub use options::{
    BuildMode, BuildTarget, BundleOptions, Destination, JsxOverrides, Minify, ModuleFormat, Naming, Packages,
    SourceMaps,
};
pub use output::{Bundle, OutputFile, OutputKind};
pub use output_bytes::OutputBytes;
pub use plugins::{
    Answer, LoadRequest, PluginContents, PluginFailure, PluginFilter, PluginRequest, PluginResolution,
    Plugins, Reply, SpecifierRequest,
};
pub use problem::no_thread;
pub use resolve::MemoryFiles;
pub use settings::{environment_defines, names_bun, string_constant};
pub use specifier_resolver::{ResolvedSpecifier, SpecifierResolver};
pub use standalone::standalone_options;
pub use write::{FileToWrite, Signals, Written, files_below, write, write_files};
