//! A module becomes a function: `items` reads what it imports and exports, `uses` rewrites where
//! imported names are read. docs/contributing/transpile.md shows the form.

pub(crate) mod items;
pub(crate) mod uses;
