//! Descriptors, `name@range`, and what they lead to. In: a descriptor, and the version and place
//! that the lockfile has for it. Out: the package's own name and its source.

use rusk_npm::credential;
use rusk_npm::graph::{Graph, PackageId, Source, Text};
use rusk_npm::overrides::Rule;
use rusk_npm::semver::Version;
use rusk_npm::specifier::{Specifier, split_name};

/// The name and the range: `@s/a@^1` are `@s/a` and `^1`.
pub(super) fn split(descriptor: &str) -> (&str, &str) {
    let (name, range) = split_name(descriptor);
    (name, range.unwrap_or_default())
}

/// The ranges under which a dependency may be in the file, first that of a resolution for this
/// dependent, then that of one for all, then the written one.
pub(super) fn ranges<'r>(
    rules: &'r [Rule],
    parent: &'r str,
    name: &'r str,
    literal: &'r str,
) -> impl Iterator<Item = &'r str> {
    let of_name = rules.iter().filter(move |rule| rule.target.name == name);
    let special =
        of_name.clone().filter(move |rule| rule.parent.as_ref().is_some_and(|it| it.name == parent));
    let is_general = move |range: &str| range.is_empty() || range == literal;
    let general = of_name.filter(move |rule| rule.parent.is_none() && is_general(&rule.target.range));
    special.chain(general).map(|rule| rule.literal.as_str()).chain([literal])
}

/// The directory that paths of a package's dependencies are relative to. `None` for a published
/// package: it would choose which local files are installed.
pub(super) fn base_of(graph: &Graph, owner: PackageId) -> Option<Text> {
    match &graph.package(owner).source {
        Source::Root => Some("".into()),
        Source::Workspace { path, .. } | Source::Directory { path } | Source::Link { path } => {
            Some(path.clone())
        }
        _ => None,
    }
}

/// `path` below `base`, relative to the project.
pub(super) fn within(base: &str, path: &str) -> Text {
    if path.starts_with('/') {
        return path.into();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if parts.is_empty() { ".".into() } else { parts.join("/").into() }
}

/// A release: `url` is empty for the usual place in the registry that is configured.
pub(super) fn release(name: &str, version: &str, url: &str) -> Option<Source> {
    let parsed = Version::parse(version)?;
    let is_usual = match registry_prefix(name, version, url) {
        Some(prefix) => is_public(prefix),
        None => url.is_empty(),
    };
    Some(Source::Npm { version: parsed, tarball: if is_usual { "".into() } else { url.into() } })
}

/// The registry of a tarball at its usual place, with `/` at the end.
pub(super) fn registry_prefix<'u>(name: &str, version: &str, url: &'u str) -> Option<&'u str> {
    url.strip_suffix(usual_path(name, version).as_str())
}

/// Where every registry keeps a tarball.
pub(super) fn usual_path(name: &str, version: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    let version = version.split('+').next().unwrap_or(version);
    format!("{name}/-/{base}-{version}.tgz")
}

/// Whether it is the default registry, or Yarn's own name for the same. As in Yarn, the
/// registry that is configured answers for both.
pub(super) fn is_public(prefix: &str) -> bool {
    let host = |url: &str| {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        rest.map(|rest| rest.trim_end_matches('/').to_owned())
    };
    let Some(own) = host(prefix) else { return false };
    let labels: Vec<&str> = own.split('.').collect();
    labels == ["registry", "yarnpkg", "com"] || Some(own) == host(credential::default_registry())
}

/// A repository at a commit. `place` is a URL with the commit behind `#`, or the URL of an archive
/// that ends with it.
pub(super) fn repository(specifier: &Specifier, place: &str) -> Option<Source> {
    let (url, commit) = match place.rsplit_once('#') {
        Some((url, fragment)) => (url, fragment.strip_prefix("commit=").unwrap_or(fragment)),
        None => place.rsplit_once('/')?,
    };
    let archive = place.rsplit('/').next().unwrap_or_default().split('#').next().unwrap_or_default();
    let commit = if is_commit(archive) { archive } else { commit };
    if !is_commit(commit) {
        return None;
    }
    Some(match specifier {
        Specifier::Github { owner, repo, .. } => Source::Github {
            repository: format!("{owner}/{repo}#{commit}").into(),
            tag: format!("{owner}-{repo}-{}", &commit[..7]).into(),
        },
        _ => Source::Git {
            repository: format!("{}#{commit}", url.strip_prefix("git+").unwrap_or(url)).into(),
            tag: commit.into(),
        },
    })
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
