//! Name, color and description of each kind of span on the timeline page.

use rusk_base::timeline::SpanKind;

/// An entry of the legend.
pub struct KindDescription {
    /// Also the name of its color in the page's style sheet.
    pub name: &'static str,
    pub description: &'static str,
}

pub fn describe(kind: SpanKind) -> KindDescription {
    let (name, description) = match kind {
        SpanKind::Phase => ("phase", "a phase of the install on the main thread"),
        SpanKind::Wait => ("wait", "the main thread waits for other threads"),
        SpanKind::Lookup => ("lookup", "DNS lookup of a host name"),
        SpanKind::Connect => ("connect", "a TCP connection is opened"),
        SpanKind::Handshake => ("handshake", "TLS handshake, with the choice of the protocol"),
        SpanKind::Packument => ("packument", "a request for a package's versions"),
        SpanKind::Tarball => ("tarball", "a request for a package's files"),
        SpanKind::Repository => ("repository", "git looks for a commit, and fetches it"),
        SpanKind::Decode => ("decode", "a packument is inflated, parsed and packed"),
        SpanKind::CacheWrite => ("cache", "a packument is written to the cache"),
        SpanKind::Verify => ("verify", "integrity check (SHA-512) of a tarball"),
        SpanKind::Inflate => ("inflate", "a tarball is decompressed"),
        SpanKind::Unpack => ("unpack", "a package's files are written"),
        SpanKind::Publish => ("publish", "a package is published to the store"),
        SpanKind::Link => ("link", "a package is linked into node_modules"),
        SpanKind::Script => ("script", "a lifecycle script of the project runs"),
    };
    KindDescription { name, description }
}

/// Whether it is a request: it waits for its response, then receives it.
pub fn is_request(kind: SpanKind) -> bool {
    matches!(kind, SpanKind::Packument | SpanKind::Tarball)
}

/// Whether it is work, rather than a phase or a wait.
pub fn is_work(kind: SpanKind) -> bool {
    !matches!(kind, SpanKind::Phase | SpanKind::Wait)
}

/// The color of a phase: that of its main kind of work.
pub fn phase_color(name: &str) -> &'static str {
    match name {
        "resolve" => "packument",
        "fetch" => "tarball",
        "link" => "link",
        "scripts" => "script",
        "plan" => "decode",
        "read project" | "read configuration" => "unpack",
        _ => "phase",
    }
}
