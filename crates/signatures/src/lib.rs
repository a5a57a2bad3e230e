//! Signatures of a registry over its packages (ECDSA on P-256 with SHA-256). In: a client and the
//! packages of a lockfile; or, without I/O, public keys and the document of a version. Out: a
//! [`Verdict`] about each package, and a report. [`provenance`] makes the signed statement that a
//! publication carries. Absent: the verification of such statements, whose certificates need
//! Sigstore's root of trust; the clock; errors about signatures: a text that cannot be read is
//! `None`.

pub mod audit;
pub mod provenance;
mod registry_keys;
pub mod report;
mod verdict;
mod version_document;

pub use registry_keys::RegistryKeys;
pub use verdict::{InvalidSignature, Verdict, expires, verify};
pub use version_document::{RegistrySignature, VersionDocument};
