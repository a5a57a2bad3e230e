//! `package-lock.json` and `npm-shrinkwrap.json`, versions 2 and 3: the tree of node_modules with
//! every package at its path. In: the text, or a new graph. Out: a graph in which every dependency
//! is bound to what its path finds, or the text that npm writes for it.
//!
//! A package that lies at several paths and finds the same packages from each is one package of
//! the graph; where it finds others, it is another package. Absent: version 1, which npm 6 wrote.

mod collation;
mod entry;
mod entry_table;
mod flags;
mod fresh;
mod instances;
mod json;
mod manifest;
mod mirror;
pub(crate) mod paths;
mod placement;
mod read;
mod render;

pub(crate) use fresh::facts_of_graph;
pub use placement::arrange;
pub use read::read;
pub(crate) use render::counterparts;
pub use render::render;

#[cfg(test)]
mod tests;
