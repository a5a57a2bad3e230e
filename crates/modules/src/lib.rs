//! Node's module resolution, with fewer system calls. In: who imports, what it says, how. Out: a
//! file, a builtin or an address, and the package it belongs to; or a failure with Node's code. See
//! docs/contributing/module-resolution.md. Absent: reading what is resolved, plug'n'play, `browser`
//! maps, aliases, the environment (NODE_PATH arrives as a value).

pub mod builtins;
mod config_cache;
mod deprecation;
mod error;
mod exports;
mod file_system;
mod file_url;
mod import;
mod location;
mod options;
mod package;
mod problem;
mod require;
mod resolved;
mod resolver;
mod specifier;
pub mod tsconfig;

pub use deprecation::Deprecation;
pub use error::{Code, ResolveError};
pub use options::{ImportMode, Lifetime, Options, Symlinks, TsConfig};
pub use package::{Package, PackageType, SideEffects};
pub use resolved::{File, Format, Resolved, Scope};
pub use resolver::{EntryKind, Importer, Kind, Resolver};
