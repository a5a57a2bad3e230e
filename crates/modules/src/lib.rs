//! Node's module resolution (CommonJS and ESM), with fewer system calls. In: importer, specifier,
//! kind of import. Out: a file, a builtin or a URL, and the package scope; or an error with Node's
//! code. See docs/contributing/module-resolution.md. Absent: reading modules, plug'n'play,
//! `browser` maps, aliases, the environment (NODE_PATH is passed as a value).

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
pub use package::{PackageConfig, PackageType, SideEffects};
pub use resolved::{File, Format, Resolved, Scope};
pub use resolver::{EntryKind, Importer, Kind, Resolver};
