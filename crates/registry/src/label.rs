//! Labels of requests in a timeline. In: a URL. Out: the package's name, with its version if the
//! URL is in a registry's usual form for tarballs; otherwise host and path. No credentials, no
//! query.

use url::Url;

pub fn of(url: &Url) -> String {
    let path = unescape(url.path());
    let path = path.trim_matches('/');
    match path.split_once("/-/") {
        Some((before, file)) => release(before, file),
        None if path.ends_with(".tgz") || path.is_empty() => None,
        None => Some(package(path).to_owned()),
    }
    .unwrap_or_else(|| format!("{}/{path}", url.host_str().unwrap_or_default()))
}

/// `left/-/left-1.0.0.tgz`: the file name starts with the name without its scope.
fn release(before: &str, file: &str) -> Option<String> {
    let package = package(before);
    let bare = package.rsplit('/').next()?;
    let version = file.rsplit('/').next()?.strip_suffix(".tgz")?.strip_prefix(bare)?.strip_prefix('-')?;
    Some(format!("{package}@{version}"))
}

/// The last segment of a path, with its scope.
fn package(path: &str) -> &str {
    let mut slashes = path.rmatch_indices('/').map(|(at, _)| at + 1);
    let name = slashes.next().unwrap_or(0);
    let scope = if name == 0 { 0 } else { slashes.next().unwrap_or(0) };
    &path[if path[scope..].starts_with('@') { scope } else { name }..]
}

/// Decodes the two characters that are escaped in scoped names.
fn unescape(path: &str) -> String {
    path.replace("%2f", "/").replace("%2F", "/").replace("%40", "@")
}

#[cfg(test)]
mod tests;
