//! Questions about a dependency graph that is installed: which packages there are, why, and which
//! are outdated, vulnerable or of which license; its bill of materials. In: a bound graph, and what
//! registries say about its packages. Out: trees and rows to print, documents. Absent: files, the
//! network, how results are printed.

pub mod audit;
pub mod dependents;
pub mod list;
pub mod members;
pub mod outdated;
pub mod package_filter;
pub mod record;
pub mod registry_document;
pub mod sbom;

#[cfg(test)]
mod tests;
