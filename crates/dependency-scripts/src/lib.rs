//! Approved install scripts of dependencies, run in a jail. In: packages with their directories,
//! grants and order. Out: which ran, or why one failed. Absent: who is approved, printing.

mod commands;
mod denial_report;
mod denials;
mod environment;
mod granted_path;
pub mod granted_paths_record;
mod own_files;
mod private_directory;
pub mod problem;
mod runner;
mod workplace;

pub use commands::{LifecycleScript, PackageForm, find_manifest, scripts_in, scripts_of, version_of};
pub use denials::{Denial, Surroundings, find as find_denials};
pub use runner::{Confinement, DependencyScripts, ScriptEvent, ScriptedPackage, run};
pub use rusk_jail::HostPattern;
