//! Lowering of a module to a function: `items` collects imports and exports, `uses` rewrites
//! references to imported names. docs/contributing/transpile.md shows the result.

pub(crate) mod items;
pub(crate) mod uses;
