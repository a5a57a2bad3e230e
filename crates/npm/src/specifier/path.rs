//! Specifiers that are paths, with or without `file:`. The path remains a string; the caller
//! expands `~/`.

use super::Specifier;

/// Whether it can only be a path: `./x`, `../x`, `/x`, `~/x`, and tarballs by their extension.
pub(super) fn is_path(text: &str) -> bool {
    text.starts_with(['.', '/']) || text.starts_with("~/") || is_tarball(text)
}

pub(super) fn is_tarball(text: &str) -> bool {
    [".tgz", ".tar.gz", ".tar"].iter().any(|ending| {
        let start = text.len().saturating_sub(ending.len());
        text.get(start..).is_some_and(|tail| tail.eq_ignore_ascii_case(ending))
    })
}

/// A path as written, or the part after `file:`.
pub(super) fn parse(text: &str) -> Specifier {
    let path = without_authority(text);
    match is_tarball(&path) {
        true => Specifier::TarballPath(path),
        false => Specifier::Directory(path),
    }
}

/// Leading slashes have npm's meaning: `//x` and `///x` are `/x`, but `/../x` is `../x` and `/~/x`
/// is `~/x`.
fn without_authority(text: &str) -> Box<str> {
    let bare = text.trim_start_matches('/');
    let slashes = text.len() - bare.len();
    let (first, _) = bare.split_once('/').unwrap_or((bare, ""));
    match (slashes, first) {
        (0, "") => ".".into(),
        (0, _) | (_, "." | ".." | "~") => bare.into(),
        _ => format!("/{bare}").into(),
    }
}
