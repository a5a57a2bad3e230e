//! Reports about installs and traced programs: the progress line and the summary of an install, the
//! HTML page of a timeline (`--timeline`), the JSON and HTML of `rusk trace`, the object of
//! `--json`, and the text that they share with the terminal; the outputs of a bundle; what install
//! scripts were denied; facts of the packages in node_modules. In: values of the installer, the
//! bundler and the tracer, directories. Out: text, files, facts. Absent: the terminal.

pub mod bundle;
pub mod denials;
pub mod installed_manifests;
pub mod json;
mod problem;
pub mod progress;
pub mod summary;
pub mod text;
pub mod timeline;
pub mod trace;
