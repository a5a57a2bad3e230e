//! What the page calls each kind of span, in which colour, and what it says of it.

use rusk_base::timeline::SpanKind;

/// A row of the legend.
pub struct Row {
    /// Also the name of its colour in the page's style.
    pub name: &'static str,
    pub about: &'static str,
}

pub fn row(kind: SpanKind) -> Row {
    let (name, about) = match kind {
        SpanKind::Phase => ("phase", "a part of the job, on the main thread"),
        SpanKind::Wait => ("wait", "the main thread has nothing to do until others have"),
        SpanKind::Lookup => ("lookup", "a host's name becomes addresses"),
        SpanKind::Connect => ("connect", "a TCP connection is opened"),
        SpanKind::Handshake => ("handshake", "TLS, and what both sides speak"),
        SpanKind::Packument => ("packument", "a request for a package's versions"),
        SpanKind::Tarball => ("tarball", "a request for a package's files"),
        SpanKind::Repository => ("repository", "git looks for a commit, and fetches it"),
        SpanKind::Decode => ("decode", "a packument is inflated, parsed and packed"),
        SpanKind::CacheWrite => ("keep", "a packument is written to the cache"),
        SpanKind::Verify => ("verify", "SHA-512 of a tarball, compared with what it must be"),
        SpanKind::Inflate => ("inflate", "a tarball is decompressed"),
        SpanKind::Unpack => ("unpack", "a package's files are written"),
        SpanKind::Publish => ("publish", "a package appears in the store"),
        SpanKind::Link => ("link", "a package appears in node_modules"),
        SpanKind::Script => ("script", "one of the project's own scripts runs"),
    };
    Row { name, about }
}

/// Whether it is a request, which waits for its answer and then receives it.
pub fn is_request(kind: SpanKind) -> bool {
    matches!(kind, SpanKind::Packument | SpanKind::Tarball)
}

/// Whether it is work, and not what contains work or waits for it.
pub fn is_work(kind: SpanKind) -> bool {
    !matches!(kind, SpanKind::Phase | SpanKind::Wait)
}

/// The colour of a phase: that of what mostly happens in it.
pub fn colour_of_phase(name: &str) -> &'static str {
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
