//! The npm world's data: names, versions, manifests, lockfiles. Text in, values out.
//! Absent: every kind of I/O, clocks, the environment; callers hand the text over.

pub mod edit;
pub mod json;
pub mod manifest;
pub mod overrides;
pub mod packument;
mod problem;
pub mod semver;

pub use manifest::Manifest;
pub use overrides::Overrides;
