//! Whether a tarball is at its registry under the name of its package. In: URLs, a name. A lockfile
//! may state any URL, with the integrity of what is there: such a tarball may be another package
//! that calls itself so. Absent: what the registry's document says of the version.

use crate::host;
use crate::name::PackageName;

/// Known forms are `REGISTRY/NAME/-/FILE`, and `REGISTRY/download/NAME/…` of GitHub Packages.
pub fn is_at_registry(tarball: &str, registry: &str, name: &PackageName) -> bool {
    is_usual(tarball, registry, name) || is_below_name(tarball, registry, name).unwrap_or(false)
}

/// Without parsing URLs: most lockfiles that state URLs state these, for each package.
fn is_usual(tarball: &str, registry: &str, name: &PackageName) -> bool {
    let rest = tarball.strip_prefix(registry.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    let file = rest.and_then(|rest| rest.strip_prefix(name.as_str())?.strip_prefix("/-/"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    file.is_some_and(|file| file.ends_with(".tgz") && file.bytes().all(is_plain))
}

fn is_below_name(tarball: &str, registry: &str, name: &PackageName) -> Option<bool> {
    let (url, registry) = (host::http_url(tarball)?, host::http_url(registry)?);
    let is_exposed = registry.scheme() == "https" && url.scheme() == "http";
    let base = format!("{}/", registry.path().trim_end_matches('/'));
    let rest = url.path().strip_prefix(&base)?.replace("%2f", "/").replace("%2F", "/");
    let rest = rest.strip_prefix("download/").unwrap_or(&rest);
    let is_named = rest.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'));
    Some(is_named && !is_exposed && host::of(&url) == host::of(&registry))
}

#[cfg(test)]
mod tests;
