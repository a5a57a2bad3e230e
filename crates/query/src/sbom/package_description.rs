//! What a package.json says about its package, with the spellings that npm normalizes
//! (`normalizeData` of @npmcli/package-json): people, repositories at known hosts, the addresses
//! that follow from them. In: the text. Out: values. Absent: everything an install needs.

use rusk_npm::json::{self, Dialect, Node};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageDescription {
    pub name: Option<String>,
    pub version: Option<String>,
    /// An SPDX expression, or what the package says instead.
    pub license: Option<String>,
    /// The name of a person.
    pub author: Option<String>,
    pub description: Option<String>,
    pub homepage: Option<String>,
    /// The URL of its repository.
    pub repository: Option<String>,
    /// The URL of its issue tracker.
    pub bugs: Option<String>,
    pub is_private: bool,
}

impl PackageDescription {
    /// A text that is no package.json describes nothing.
    pub fn parse(text: &str) -> PackageDescription {
        let Ok(root) = json::parse(text, Dialect::Relaxed) else { return PackageDescription::default() };
        let string = |key: &str| root.find(key).and_then(Node::as_str).map(str::to_owned);
        let given = |key: &str| string(key).filter(|text| !text.is_empty());
        let url =
            root.find("repository").and_then(|node| node.as_str().or_else(|| node.find("url")?.as_str()));
        let hosted = url.and_then(HostedRepository::parse);
        let page = |tail: &str| hosted.as_ref().map(|hosted| format!("{}{tail}", hosted.page()));
        PackageDescription {
            name: given("name"),
            version: given("version"),
            license: license(&root),
            author: root.find("author").and_then(author),
            description: given("description"),
            homepage: given("homepage").map(with_scheme).or_else(|| page("#readme")),
            repository: match &hosted {
                Some(hosted) => Some(hosted.url()),
                None => url.filter(|url| !url.is_empty()).map(str::to_owned),
            },
            bugs: match root.find("bugs") {
                None => page("/issues"),
                Some(bugs) => bugs
                    .as_str()
                    .or_else(|| bugs.find("url")?.as_str())
                    .filter(|url| is_url(url))
                    .map(str::to_owned),
            },
            is_private: root.find("private").and_then(Node::as_bool) == Some(true),
        }
    }
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn with_scheme(homepage: String) -> String {
    match homepage.contains("://") || homepage.starts_with("mailto:") {
        true => homepage,
        false => format!("http://{homepage}"),
    }
}

/// `license`, or the older forms: an object with `type`, and a list in `licenses`.
fn license(root: &Node<'_>) -> Option<String> {
    let one = |node: &Node<'_>| {
        node.as_str()
            .or_else(|| node.find("type")?.as_str())
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    root.find("license").and_then(one).or_else(|| {
        let all: Vec<String> = root.find("licenses")?.elements().iter().filter_map(one).collect();
        (!all.is_empty()).then(|| all.join(" OR "))
    })
}

/// `Name <mail> (url)` or an object with `name`.
fn author(node: &Node<'_>) -> Option<String> {
    let name = match node.as_str() {
        Some(text) => text.split(['<', '(']).next().unwrap_or_default(),
        None => node.find("name")?.as_str()?,
    };
    Some(name.trim()).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// A repository at a host whose pages are known.
struct HostedRepository<'a> {
    host: &'static str,
    /// `user/repo`, at GitLab also `group/sub/repo`.
    path: &'a str,
    scheme: Scheme,
    committish: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Https,
    Ssh,
    Git,
}

/// Shortcut and host.
const HOSTS: [(&str, &str); 3] =
    [("github", "github.com"), ("gitlab", "gitlab.com"), ("bitbucket", "bitbucket.org")];

impl<'a> HostedRepository<'a> {
    /// `user/repo`, `github:user/repo`, `git+https://github.com/user/repo.git`,
    /// `git@github.com:user/repo.git` and their kind.
    fn parse(url: &'a str) -> Option<HostedRepository<'a>> {
        let (text, committish) = url.trim().split_once('#').unwrap_or((url.trim(), ""));
        let plain = text.strip_prefix("git+").unwrap_or(text);
        let shortcut = |host: &'static str, path: &'a str| (host, path, Scheme::Https);
        let found = match plain.split_once("://") {
            Some((scheme, rest)) => {
                let scheme = match scheme {
                    "https" | "http" => Scheme::Https,
                    "ssh" => Scheme::Ssh,
                    "git" => Scheme::Git,
                    _ => return None,
                };
                let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
                let at = rest.find(['/', ':'])?;
                let host = rest[..at].strip_prefix("www.").unwrap_or(&rest[..at]);
                let (_, host) = HOSTS.into_iter().find(|(_, known)| *known == host)?;
                (host, &rest[at + 1..], scheme)
            }
            None => match plain.split_once(':') {
                Some((name, path)) => match HOSTS.into_iter().find(|(shortcut, _)| *shortcut == name) {
                    Some((_, host)) => shortcut(host, path),
                    None => {
                        let name = name.rsplit_once('@')?.1;
                        let (_, host) = HOSTS.into_iter().find(|(_, known)| *known == name)?;
                        (host, path, Scheme::Ssh)
                    }
                },
                None => shortcut("github.com", plain),
            },
        };
        let (host, path, scheme) = found;
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let parts = path.split('/').count();
        let is_repository = parts == 2 || (host == "gitlab.com" && parts > 2);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        (is_repository && path.bytes().all(is_plain) && !path.starts_with('.')).then_some(HostedRepository {
            host,
            path,
            scheme,
            committish,
        })
    }

    /// As hosted-git-info renders it.
    fn url(&self) -> String {
        let HostedRepository { host, path, committish, .. } = self;
        let hash = if committish.is_empty() { String::new() } else { format!("#{committish}") };
        match self.scheme {
            Scheme::Https => format!("git+https://{host}/{path}.git{hash}"),
            Scheme::Ssh => format!("git+ssh://git@{host}/{path}.git{hash}"),
            Scheme::Git => format!("git://{host}/{path}.git{hash}"),
        }
    }

    fn page(&self) -> String {
        format!("https://{}/{}", self.host, self.path)
    }
}

#[cfg(test)]
mod tests;
