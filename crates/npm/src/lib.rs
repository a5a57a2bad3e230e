//! Data types and formats of npm: names, versions, manifests, lockfiles. In: strings. Out: values.
//! Absent: I/O, clocks, the environment.

pub mod advisories;
pub mod bun_lock;
pub mod bunfig;
pub mod configuration_inputs;
pub mod credential;
pub mod dev_engines;
pub mod edit;
pub mod engines;
pub mod glob;
pub mod graph;
pub mod hoisting_limit;
pub mod host;
pub mod integrity;
pub mod json;
pub mod manifest;
pub mod name;
pub mod name_patterns;
pub mod npmrc;
pub mod overrides;
mod package_exclusions;
pub mod package_extensions;
pub mod packument;
pub mod patch;
pub mod problem;
pub mod registry_tarball;
pub mod release_age;
pub mod release_trust;
pub mod scanner_answer;
pub mod script_approvals;
pub mod semver;
pub mod specifier;
pub mod tree;
pub mod wildcard;
pub mod workspace_filter;
pub mod workspace_graph;
pub mod yarn_patch;

pub use glob::WorkspacePatterns;
pub use manifest::Manifest;
pub use overrides::Overrides;
