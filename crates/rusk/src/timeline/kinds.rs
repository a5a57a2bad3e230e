//! What the page calls each kind of span, in which colour, and what it says of it.

use rusk_base::timeline::Kind;

/// A row of the legend.
pub struct Row {
    /// Also the name of its colour in the page's style.
    pub name: &'static str,
    pub about: &'static str,
}

pub fn row(kind: Kind) -> Row {
    let (name, about) = match kind {
        Kind::Phase => ("phase", "a part of the job, on the main thread"),
        Kind::Wait => ("wait", "the main thread has nothing to do until others have"),
        Kind::Lookup => ("lookup", "a host's name becomes addresses"),
        Kind::Connect => ("connect", "a TCP connection is opened"),
        Kind::Handshake => ("handshake", "TLS, and what both sides speak"),
        Kind::Packument => ("packument", "a request for a package's versions"),
        Kind::Tarball => ("tarball", "a request for a package's files"),
        Kind::Repository => ("repository", "git looks for a commit, and fetches it"),
        Kind::Decode => ("decode", "a packument is inflated, parsed and packed"),
        Kind::Keep => ("keep", "a packument is written to the cache"),
        Kind::Verify => ("verify", "SHA-512 of a tarball, compared with what it must be"),
        Kind::Inflate => ("inflate", "a tarball is decompressed"),
        Kind::Unpack => ("unpack", "a package's files are written"),
        Kind::Publish => ("publish", "a package appears in the store"),
        Kind::Link => ("link", "a package appears in node_modules"),
        Kind::Script => ("script", "one of the project's own scripts runs"),
    };
    Row { name, about }
}

/// Whether it is a request, which waits for its answer and then receives it.
pub fn is_request(kind: Kind) -> bool {
    matches!(kind, Kind::Packument | Kind::Tarball)
}

/// Whether it is work, and not what contains work or waits for it.
pub fn is_work(kind: Kind) -> bool {
    !matches!(kind, Kind::Phase | Kind::Wait)
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
