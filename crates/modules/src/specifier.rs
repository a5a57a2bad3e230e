//! Specifier syntax. In: a specifier. Out: whether it is a path, or the package name and subpath of
//! a bare specifier. The rules of Node's two algorithms differ.

/// Package name and subpath: `.` or `./…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BareSpecifier<'a> {
    pub(crate) name: &'a str,
    /// Empty, or with its slash.
    rest: &'a str,
}

impl BareSpecifier<'_> {
    pub(crate) fn subpath(&self) -> String {
        format!(".{}", self.rest)
    }
}

/// For `import`: begins with `./`, `../` or `/`, or is `.` or `..`.
pub(crate) fn is_path_for_import(specifier: &str) -> bool {
    specifier.starts_with('/') || is_relative(specifier)
}

/// For `import`, and for relative specifiers in `require`: `.`, `..`, and what begins with them and
/// a slash.
pub(crate) fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// For `require`: everything that begins with `./` or `..`; `.x` is a package name.
pub(crate) fn is_relative_for_require(specifier: &str) -> bool {
    specifier == "." || specifier.starts_with("./") || specifier.starts_with("..")
}

/// Whether the last segment denotes a directory: `a/`, `a/.`, `..`.
pub(crate) fn names_directory(specifier: &str) -> bool {
    matches!(specifier.rsplit('/').next(), Some("" | "." | "..")) && !specifier.is_empty()
}

/// PACKAGE_RESOLVE of Node's ESM resolver: `None` if it throws. The empty string is a valid name,
/// of no package.
pub(crate) fn parse_for_import(specifier: &str) -> Option<BareSpecifier<'_>> {
    let mut slash = specifier.find('/');
    if specifier.starts_with('@') {
        let scope = slash?;
        slash = specifier[scope + 1..].find('/').map(|index| scope + 1 + index);
    }
    let (name, rest) = specifier.split_at(slash.unwrap_or(specifier.len()));
    let is_valid = !name.starts_with('.') && !name.contains(['%', '\\']);
    is_valid.then_some(BareSpecifier { name, rest })
}

/// `EXPORTS_PATTERN` of Node's CommonJS loader: the name of a package that may have `exports`.
pub(crate) fn parse_for_require(specifier: &str) -> Option<BareSpecifier<'_>> {
    let scoped = specifier.strip_prefix('@').and_then(|unscoped| {
        let scope = unscoped.find('/').filter(|&slash| slash > 0 && is_plain(&unscoped[..slash]))?;
        name_end(&specifier[scope + 2..]).map(|end| scope + 2 + end)
    });
    let end = scoped.or_else(|| name_end(specifier))?;
    let (name, rest) = specifier.split_at(end);
    (!rest.contains(['\n', '\r', '\u{2028}', '\u{2029}'])).then_some(BareSpecifier { name, rest })
}

/// The end of an unscoped name.
fn name_end(text: &str) -> Option<usize> {
    let end = text.find('/').unwrap_or(text.len());
    let name = &text[..end];
    (!name.is_empty() && !name.starts_with('.') && is_plain(name)).then_some(end)
}

fn is_plain(name: &str) -> bool {
    !name.contains(['\\', '%'])
}

#[cfg(test)]
mod tests;
