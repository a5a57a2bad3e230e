//! Packing a package: which files of a directory are published, the package.json that is published,
//! and the tarball of both. In: a directory and its package.json. Out: a list of files, a tarball
//! with its digests. Absent: lifecycle scripts, output, the registry.

pub mod file_list;
pub mod ignore;
pub mod pattern;
mod problem;
pub mod publish_document;
pub mod published_manifest;
pub mod tarball;

pub use file_list::{FileList, PackageFile};
pub use tarball::{Tarball, TarballOptions};
