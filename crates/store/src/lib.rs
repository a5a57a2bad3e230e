//! Packages on disk: tarballs checked and unpacked into a store, and linked from it into projects.
//! In: bytes, directories, names. Out: packages, each with an index of its files. Absent: the
//! network, resolution.

pub mod backend;
pub mod bins;
pub mod index;
pub mod integrity;
pub mod inventory;
pub mod key;
pub mod link;
pub mod manifest;
mod problem;
pub mod store;
pub mod tarball;
mod unpack;

pub use backend::Backend;
pub use index::Index;
pub use key::Key;
pub use link::{Linked, Linker};
pub use manifest::Manifest;
pub use store::{Expected, Package, Store};
