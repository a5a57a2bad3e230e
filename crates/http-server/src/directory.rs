//! Directory routes: files below a directory. In: the rest of a request's path. Out: an open file,
//! or a redirection to the path with a slash. Only the one canonical spelling of a path is served,
//! and the kernel keeps links inside of the directory (`openat2(2)`, `RESOLVE_IN_ROOT`).

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rusk_base::sys::mounts::open_in_root;
use rusk_base::sys::{self, Errno, Mode, OFlags};

use crate::file::OpenFile;

/// What a path names.
pub enum DirectoryEntry {
    File {
        file: OpenFile,
        path: Vec<u8>,
    },
    /// A directory whose path has no slash at its end.
    Redirect,
    Absent,
}

/// A directory that is served.
pub struct Directory {
    pub(crate) fd: sys::OwnedFd,
    /// Content types by extension, in lower case.
    types: HashMap<String, String>,
    /// Bytes of the route's path before the wildcard.
    pub(crate) prefix_bytes: usize,
}

impl Directory {
    /// `route`: the path, which ends in `/*`.
    pub fn open(path: &Path, route: &str, types: HashMap<String, String>) -> sys::Result<Directory> {
        let fd = sys::open_directory(sys::CWD, path)?;
        Ok(Directory { fd, types, prefix_bytes: route.len().saturating_sub(1) })
    }

    pub(crate) fn type_of(&self, path: &[u8]) -> &str {
        let extension = Path::new(OsStr::from_bytes(path)).extension().and_then(OsStr::to_str);
        let kind = extension.and_then(|extension| self.types.get(&extension.to_ascii_lowercase()));
        kind.map_or("application/octet-stream", String::as_str)
    }

    pub(crate) fn find(&self, path: &[u8]) -> DirectoryEntry {
        let Some(mut relative) = path.get(self.prefix_bytes..).and_then(decode) else {
            return DirectoryEntry::Absent;
        };
        let is_directory = relative.is_empty() || relative.ends_with(b"/");
        if is_directory {
            relative.extend_from_slice(b"index.html");
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let opened = open_in_root(self.fd.as_fd(), OsStr::from_bytes(&relative), flags, Mode::empty());
        match opened.and_then(OpenFile::of) {
            Ok(file) => DirectoryEntry::File { file, path: relative },
            Err(Errno::ISDIR) if !is_directory => DirectoryEntry::Redirect,
            Err(_) => DirectoryEntry::Absent,
        }
    }
}

/// Decodes a path whose segments are canonical: neither empty nor dots, and nothing is encoded that
/// need not be.
fn decode(path: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(path.len());
    let mut at = 0;
    while at < path.len() {
        match path[at] {
            b'%' => {
                let digits = std::str::from_utf8(path.get(at + 1..at + 3)?).ok()?;
                let byte = u8::from_str_radix(digits, 16).ok()?;
                if byte == 0 || may_stand_in_a_segment(byte) || byte == b'/' {
                    return None;
                }
                decoded.push(byte);
                at += 3;
            }
            byte => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    let segments = decoded.strip_suffix(b"/").unwrap_or(&decoded);
    let is_canonical = |segment: &[u8]| !matches!(segment, b"" | b"." | b"..");
    (path.is_empty() || segments.split(|&byte| byte == b'/').all(is_canonical)).then_some(decoded)
}

/// Whether a byte may appear in a segment without being encoded (RFC 3986, `pchar`).
fn may_stand_in_a_segment(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte)
}
