//! Signatures of a registry over its packages (ECDSA on P-256 with SHA-256). In: the registry's
//! public keys and the document of a version, as JSON. Out: a [`Verdict`]. Absent: files, the
//! network, the clock; attestations, whose certificates need Sigstore's root of trust; errors of
//! its own: a text that cannot be read is `None`.

mod registry_keys;
pub mod report;
mod verdict;
mod version_document;

pub use registry_keys::RegistryKeys;
pub use verdict::{InvalidSignature, Verdict, expires, verify};
pub use version_document::{RegistrySignature, VersionDocument};
