//! Node's module resolution, with fewer system calls. In: who imports, what it says, how. Out: a
//! file, a builtin or an address, and the package it belongs to; or a failure with Node's code. See
//! docs/contributing/module-resolution.md. Absent: reading what is resolved, plug'n'play, `browser`
//! maps, aliases, the environment (NODE_PATH arrives as a value).

mod address;
mod aim;
pub mod builtins;
mod configs;
mod failure;
mod files;
mod import;
mod options;
mod package;
mod problem;
mod remark;
mod require;
mod resolved;
mod resolver;
mod specifier;
mod spot;
pub mod tsconfig;

pub use failure::{Code, Failure};
pub use options::{Imports, Lifetime, Links, Options, TsConfig};
pub use package::{Package, PackageType, SideEffects};
pub use remark::Remark;
pub use resolved::{File, Format, Resolved, Scope};
pub use resolver::{Importer, Kind, Listed, Resolver};
