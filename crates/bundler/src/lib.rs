//! Bundler: entry points and what they import become few files. In: [`BundleOptions`]. Out:
//! [`Bundle`], the output files as bytes; or all errors, with the lines of the sources. Stages, one
//! module each: `scan` (read, parse, resolve), `link` (bind imports to exports, drop what is
//! unused), `chunk` (order, names), `print` (code of each module), `render` (code of each chunk).
//! See docs/contributing/bundler.md. Absent: writing files, the engine.

mod bind;
mod bundle;
mod chunk;
mod chunk_files;
mod collect;
mod data_module;
mod defines;
mod diagnostic;
mod early;
mod exports;
mod graph;
mod link;
mod live;
mod loader;
mod minify;
mod module;
mod names;
mod options;
mod order;
mod output;
mod print;
mod problem;
mod references;
mod render;
mod resolve;
mod rewrite;
mod scan;
mod source_map;
mod split;
mod symbols;
mod worker;
mod wrap;

pub use bundle::bundle;
pub use diagnostic::{Diagnostic, SourceLine};
pub use loader::Loader;
pub use options::{
    BuildTarget, BundleOptions, Destination, JsxOverrides, Minify, ModuleFormat, Naming, Packages, SourceMaps,
};
pub use output::{Bundle, OutputFile, OutputKind};
