//! One entry of `packages`: what it says about its package. In: the parsed entry. Out: its
//! dependencies, its source, its programs and platforms.

use rusk_base::Result;
use rusk_npm::credential;
use rusk_npm::graph::{Bin, Constraints, Role, Source, Text};
use rusk_npm::json::Node;
use rusk_npm::semver::Version;
use rusk_npm::specifier::{Committish, Specifier};

use super::entry_table::{Context, LockEntry};

/// Dependencies of one package; the largest ever published have some hundreds of each kind.
const DEPENDENCIES_MAX: usize = 20_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct DeclaredDependency<'n> {
    pub name: &'n str,
    pub literal: &'n str,
    pub role: Role,
    /// The owner's tarball brings it.
    pub bundled: bool,
}

/// The project and its members have dependencies for development, and peers that only
/// `peerDependenciesMeta` names, as package.json has them here. Of a published package, a name that
/// is an ordinary dependency is not a peer, and npm does not look for what only the meta names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Member,
    Published,
}

pub(super) fn dependencies<'n>(
    context: &Context<'_>,
    node: &'n Node<'n>,
    owner: Owner,
) -> Result<Vec<DeclaredDependency<'n>>> {
    let meta = node.find("peerDependenciesMeta").map_or(&[][..], Node::members);
    let is_optional = |node: &Node<'_>| node.find("optional").and_then(Node::as_bool) == Some(true);
    let optional: Vec<&str> =
        meta.iter().filter(|member| is_optional(&member.node)).map(|member| member.key.as_ref()).collect();
    let mut found: Vec<DeclaredDependency<'n>> = Vec::new();
    let groups = [
        ("optionalDependencies", Role::Optional),
        ("dependencies", Role::Production),
        ("devDependencies", Role::Development),
        ("peerDependencies", Role::Peer),
    ];
    for (group, role) in groups {
        if role == Role::Development && owner == Owner::Published {
            continue;
        }
        let Some(node) = node.find(group) else { continue };
        if !node.is_object() {
            return Err(context.error(node.start, &format!("an object as `{group}`")));
        }
        let first = found.len();
        for member in node.members() {
            let name: &'n str = &member.key;
            let literal = member.node.as_str();
            let literal = literal.ok_or_else(|| context.error(member.start, "a specifier"))?;
            if found[first..].iter().any(|other| other.name == name) {
                return Err(context.error(member.start, &format!("`{name}` once in `{group}`")));
            }
            let is_repeated = match role {
                Role::Production => found.iter().any(|other| other.name == name),
                Role::Peer => owner == Owner::Published && found.iter().any(|other| other.name == name),
                _ => false,
            };
            if is_repeated {
                continue;
            }
            if found.len() >= DEPENDENCIES_MAX {
                let expected = format!("at most {DEPENDENCIES_MAX} dependencies of one package");
                return Err(context.error(member.start, &expected));
            }
            let is_optional_peer = role == Role::Peer && optional.contains(&name);
            let role = if is_optional_peer { Role::OptionalPeer } else { role };
            found.push(DeclaredDependency { name, literal, role, bundled: false });
        }
    }
    let peers = node.find("peerDependencies");
    for member in meta.iter().filter(|member| is_optional(&member.node)) {
        let name: &'n str = &member.key;
        let is_known = peers.is_some_and(|peers| peers.find(name).is_some());
        if owner == Owner::Member && !is_known && found.len() < DEPENDENCIES_MAX {
            found.push(DeclaredDependency { name, literal: "*", role: Role::OptionalPeer, bundled: false });
        }
    }
    if let Some(bundled) = node.find("bundleDependencies").filter(|_| owner == Owner::Published) {
        let brings = |name: &str| {
            bundled.as_bool() == Some(true) || bundled.elements().iter().any(|it| it.as_str() == Some(name))
        };
        found.iter_mut().for_each(|it| it.bundled = !it.role.is_peer() && brings(it.name));
    }
    Ok(found)
}

/// Where a package comes from. `wanted`: a name and a specifier that led here.
pub(super) fn source(
    context: &Context<'_>,
    entry: &LockEntry<'_>,
    name: &str,
    wanted: Option<(&str, &str)>,
) -> Result<Source> {
    let error = |expected: &str| context.error(entry.offset, expected);
    let resolved = entry.node.find("resolved").and_then(Node::as_str).unwrap_or_default();
    if let Some(path) = resolved.strip_prefix("file:") {
        let is_tarball = [".tgz", ".tar.gz", ".tar"].iter().any(|ending| path.ends_with(ending));
        if is_tarball {
            return Ok(Source::LocalTarball { path: path.into() });
        }
        // npm links to the project itself.
        let dir = super::paths::normal(path).filter(|dir| !dir.is_empty());
        let dir = dir.ok_or_else(|| error("a relative path after `file:`"))?;
        return Ok(Source::Directory { path: dir.as_str().into() });
    }
    let wanted = wanted.and_then(|(name, literal)| Specifier::parse(name, literal).ok());
    if resolved.starts_with("git+") || resolved.starts_with("git:") {
        return repository(resolved, wanted.as_ref())
            .ok_or_else(|| error("a repository with its commit as `resolved`"));
    }
    if let Some(Specifier::TarballUrl(_)) = &wanted
        && (resolved.starts_with("https://") || resolved.starts_with("http://"))
    {
        return Ok(Source::RemoteTarball { url: resolved.into() });
    }
    let text = entry.node.find("version").and_then(Node::as_str).ok_or_else(|| error("a `version`"))?;
    let version = Version::parse(text).ok_or_else(|| error(&format!("a version, found `{text}`")))?;
    let is_default = resolved == conventional_url(name, text);
    let tarball: Text = if is_default { "".into() } else { resolved.into() };
    Ok(Source::Npm { version, tarball })
}

/// Where the default registry keeps a tarball.
pub(super) fn conventional_url(name: &str, version: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    let version = version.split('+').next().unwrap_or(version);
    let registry = credential::default_registry().trim_end_matches('/');
    format!("{registry}/{name}/-/{base}-{version}.tgz")
}

/// `git+ssh://git@HOST/USER/REPO.git#COMMIT`, whatever package.json says.
fn repository(resolved: &str, wanted: Option<&Specifier>) -> Option<Source> {
    let (url, commit) = resolved.rsplit_once('#')?;
    let is_commit = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_commit {
        return None;
    }
    if let Some(Specifier::Github { owner, repo, .. }) = wanted {
        let short = &commit[..7];
        let repository = format!("{owner}/{repo}#{commit}").as_str().into();
        return Some(Source::Github { repository, tag: format!("{owner}-{repo}-{short}").as_str().into() });
    }
    match Specifier::parse("repository", resolved).ok()? {
        Specifier::Git { committish: Committish::Reference(_), .. } => Some(Source::Git {
            repository: format!("{}#{commit}", url.strip_prefix("git+").unwrap_or(url)).as_str().into(),
            tag: commit.into(),
        }),
        Specifier::Github { owner, repo, .. } => Some(Source::Github {
            repository: format!("{owner}/{repo}#{commit}").as_str().into(),
            tag: format!("{owner}-{repo}-{}", &commit[..7]).as_str().into(),
        }),
        _ => None,
    }
}

pub(super) fn bin(node: &Node<'_>) -> Bin {
    match node.find("bin") {
        Some(bin) if bin.is_object() => {
            let files = bin.members().iter();
            let files =
                files.filter_map(|member| Some((member.key.as_ref().into(), member.node.as_str()?.into())));
            Bin::Named(files.collect())
        }
        Some(bin) => bin.as_str().map_or(Bin::None, |file| Bin::File(file.into())),
        None => Bin::None,
    }
}

pub(super) fn constraints(node: &Node<'_>) -> Constraints {
    let list = |key: &str| -> Vec<String> {
        let node = node.find(key);
        let one = node.and_then(Node::as_str).map(str::to_owned);
        let many = node.map_or(&[][..], Node::elements).iter().filter_map(Node::as_str).map(str::to_owned);
        one.into_iter().chain(many).collect()
    };
    Constraints::of(&list("os"), &list("cpu"), &list("libc"))
}

/// `engines.node`.
pub(super) fn node_range(node: &Node<'_>) -> Option<Text> {
    node.find("engines")?.find("node")?.as_str().map(Text::from)
}

pub(super) fn is_true(node: &Node<'_>, key: &str) -> bool {
    node.find(key).and_then(Node::as_bool) == Some(true)
}
