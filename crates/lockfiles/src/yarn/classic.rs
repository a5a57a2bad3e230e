//! Yarn 1: one entry for the descriptors that lead to one package, with its version, the URL of its
//! tarball and its dependencies. Peers, programs and platforms are not in the file.

mod read;
mod render;
mod table;

pub(super) use read::read;
pub(super) use render::render;
