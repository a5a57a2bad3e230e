//! Specifiers of dependencies: `^1.2.0`, `latest`, `workspace:*`, `../dir`, `user/repo#main`.
//! Parsed as in bun. Paths and URLs remain strings; joining and checking paths is the caller's
//! task.

mod git;
pub mod jsr;
mod path;
mod request;

use crate::name::PackageName;
use crate::problem;
use crate::semver::Range;
use rusk_base::Result;
use std::fmt;

pub use git::{Committish, Forge};
pub use request::Request;

/// Longer specifiers are rejected. Real ones are below 1 KiB.
pub const SPECIFIER_BYTES_MAX: usize = 16 * 1024;

/// The source of a dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Specifier {
    /// A range of versions in the registry; `literal` is the range as written.
    Npm {
        name: PackageName,
        naming: Naming,
        range: Range,
        literal: Box<str>,
    },
    /// A dist-tag in the registry.
    DistTag {
        name: PackageName,
        naming: Naming,
        tag: Box<str>,
    },
    /// A package of this project; the part after `workspace:`, a range or a path.
    Workspace(Box<str>),
    /// A directory that is installed: its dependencies too.
    Directory(Box<str>),
    /// A link. Its target is not read.
    Link(Box<str>),
    TarballPath(Box<str>),
    TarballUrl(Box<str>),
    /// A repository that is cloned. The URL is an argument of `git clone`; `forge` is its host, if
    /// it is a known one.
    Git {
        url: Box<str>,
        committish: Committish,
        forge: Option<Forge>,
    },
    /// A repository at GitHub, fetched as a tarball.
    Github {
        owner: Box<str>,
        repo: Box<str>,
        committish: Committish,
    },
    /// A reference to a catalog; the default catalog has no group.
    Catalog {
        group: Option<Box<str>>,
    },
}

/// Whether a package of the registry is installed under its own name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    Own,
    /// Written as `npm:name@…`.
    Alias,
    /// Written as `jsr:…`: the name in the registry is `@jsr/scope__name`.
    Jsr,
}

impl Specifier {
    /// Reads one entry of a dependency map: the name on its left, the literal on its right.
    pub fn parse(name: &str, literal: &str) -> Result<Specifier> {
        let name = PackageName::parse(name).map_err(|error| problem::package_name(name, error))?;
        let text = checked(literal)?;
        match parse_nameless(text)? {
            Some(specifier) => Ok(specifier),
            None => parse_registry(name, text),
        }
    }

    /// The part after the name: a range, `*` for an empty one, or a dist-tag.
    pub fn wanted(&self) -> Option<&str> {
        match self {
            Specifier::Npm { literal, .. } if literal.is_empty() => Some("*"),
            Specifier::Npm { literal, .. } => Some(literal),
            Specifier::DistTag { tag, .. } => Some(tag),
            _ => None,
        }
    }

    /// The name in the registry.
    pub fn registry_name(&self) -> Option<&PackageName> {
        match self {
            Specifier::Npm { name, .. } | Specifier::DistTag { name, .. } => Some(name),
            _ => None,
        }
    }
}

fn checked(literal: &str) -> Result<&str> {
    if literal.len() > SPECIFIER_BYTES_MAX {
        return Err(problem::specifier_too_long(literal.len(), SPECIFIER_BYTES_MAX));
    }
    let text = literal.trim();
    match text.contains(char::is_control) {
        true => Err(problem::specifier(text, "text without control characters")),
        false => Ok(text),
    }
}

/// Parses the specifiers that do not depend on the dependency's name; `None` for ranges and
/// dist-tags of the registry.
fn parse_nameless(text: &str) -> Result<Option<Specifier>> {
    let Some((scheme, rest)) = split_scheme(text) else {
        return match path::is_path(text) {
            true => Ok(Some(path::parse(text))),
            false => git::parse_short(text),
        };
    };
    let specifier = match scheme {
        "npm" | "jsr" => return Ok(None),
        "workspace" => Specifier::Workspace(rest.into()),
        "link" => Specifier::Link(rest.into()),
        "catalog" => match rest.trim() {
            "" => Specifier::Catalog { group: None },
            group => Specifier::Catalog { group: Some(group.into()) },
        },
        // Yarn links such a directory; here it is as with `file:`.
        "file" | "portal" => path::parse(rest),
        _ => git::parse_url(text, scheme, rest)?,
    };
    Ok(Some(specifier))
}

/// Splits `scheme:rest`, where the scheme is lower case, so that it is neither a host nor a user.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_word = scheme.starts_with(|character: char| character.is_ascii_lowercase())
        && scheme.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'+');
    is_word.then_some((scheme, rest))
}

fn parse_registry(name: PackageName, text: &str) -> Result<Specifier> {
    if let Some(text) = text.strip_prefix("jsr:") {
        return jsr::parse(&name, text.trim());
    }
    let Some(target) = text.strip_prefix("npm:") else {
        return range_or_tag(name, Naming::Own, text);
    };
    let (target, wanted) = split_name(target);
    let target = PackageName::parse(target).map_err(|error| problem::package_name(target, error))?;
    range_or_tag(target, Naming::Alias, wanted.unwrap_or(""))
}

/// The name, and the part after the `@` that ends it.
pub fn split_name(text: &str) -> (&str, Option<&str>) {
    let scope_bytes = usize::from(text.starts_with('@'));
    match text[scope_bytes..].split_once('@') {
        Some((name, rest)) => (&text[..scope_bytes + name.len()], Some(rest)),
        None => (text, None),
    }
}

fn range_or_tag(name: PackageName, naming: Naming, text: &str) -> Result<Specifier> {
    let text = text.trim();
    if let Some(range) = Range::parse(text) {
        return Ok(Specifier::Npm { name, naming, range, literal: text.into() });
    }
    // A tag is part of a URL; one with characters that must be escaped is invalid.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    match text.bytes().all(is_plain) {
        true => Ok(Specifier::DistTag { name, naming, tag: text.into() }),
        false => Err(problem::specifier(text, "a range, a dist-tag, a path, a URL or `user/repo`")),
    }
}

impl fmt::Display for Specifier {
    /// Text that is read as the same specifier.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Specifier::Npm { name, naming, literal: wanted, .. }
            | Specifier::DistTag { name, naming, tag: wanted } => match naming {
                Naming::Own => f.write_str(wanted),
                Naming::Alias => write!(f, "npm:{name}@{wanted}"),
                Naming::Jsr => {
                    let own = jsr::jsr_name(name).unwrap_or_default();
                    write!(f, "jsr:{own}@{wanted}")
                }
            },
            Specifier::Workspace(rest) => write!(f, "workspace:{rest}"),
            Specifier::Directory(path) | Specifier::TarballPath(path) => write!(f, "file:{path}"),
            Specifier::Link(path) => write!(f, "link:{path}"),
            Specifier::TarballUrl(url) => f.write_str(url),
            Specifier::Git { url, committish, .. } => {
                let prefix = match url.split_once("://") {
                    None => "git+ssh://",
                    Some(("git", _)) => "",
                    Some(_) => "git+",
                };
                write!(f, "{prefix}{url}{committish}")
            }
            Specifier::Github { owner, repo, committish } => write!(f, "github:{owner}/{repo}{committish}"),
            Specifier::Catalog { group } => write!(f, "catalog:{}", group.as_deref().unwrap_or("")),
        }
    }
}

#[cfg(test)]
mod tests;
