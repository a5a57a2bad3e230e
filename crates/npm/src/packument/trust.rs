//! Evidence of who published a version, as a registry's document has it: a provenance attestation,
//! or a trusted publisher. In: the members `dist.attestations` and `_npmUser`. Out: the stronger of
//! the two. Absent: verifying an attestation; the registry did so when the version was published.

use super::cursor::Cursor;
use crate::json::SyntaxError;

/// How the registry knows who published a version, the weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PublisherTrust {
    /// By a token or a password, which can be stolen.
    #[default]
    Unproven,
    /// An attestation names the repository and the build.
    Provenance,
    /// The build itself was the publisher; no token exists.
    TrustedPublisher,
}

impl PublisherTrust {
    /// A byte of the cache; an unknown one proves nothing.
    pub(super) fn of_byte(byte: u8) -> PublisherTrust {
        match byte {
            1 => PublisherTrust::Provenance,
            2 => PublisherTrust::TrustedPublisher,
            _ => PublisherTrust::Unproven,
        }
    }

    /// For messages: `published with …`.
    pub fn name(self) -> &'static str {
        match self {
            PublisherTrust::Unproven => "no proof of its origin",
            PublisherTrust::Provenance => "provenance",
            PublisherTrust::TrustedPublisher => "trusted publishing",
        }
    }
}

/// `dist.attestations`: an object with a `provenance`.
pub(super) fn read_provenance(
    cursor: &mut Cursor<'_>,
    trust: &mut PublisherTrust,
) -> Result<(), SyntaxError> {
    cursor.object(|key, cursor| {
        if key == "provenance" && cursor.peek() == Some(b'{') {
            *trust = (*trust).max(PublisherTrust::Provenance);
        }
        cursor.skip()
    })
}

/// `_npmUser`: an object with a `trustedPublisher`.
pub(super) fn read_publisher(cursor: &mut Cursor<'_>, trust: &mut PublisherTrust) -> Result<(), SyntaxError> {
    cursor.object(|key, cursor| {
        if key == "trustedPublisher" && cursor.peek() == Some(b'{') {
            *trust = PublisherTrust::TrustedPublisher;
        }
        cursor.skip()
    })
}
