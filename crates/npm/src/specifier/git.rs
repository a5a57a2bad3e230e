//! Specifiers that name a repository or a URL. What ends up as an argument of git or ssh is checked
//! here: no host, user or reference begins with a dash.

use super::{Specifier, path};
use crate::problem;
use crate::semver::Range;
use rusk_base::Result;
use std::fmt;

/// A host of repositories with a known form of URLs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forge {
    Github,
    Gitlab,
    Bitbucket,
    Gist,
    Sourcehut,
}

/// Which commit of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Committish {
    /// The default branch.
    Head,
    /// A branch, a tag or a hash, as written after `#`.
    Reference(Box<str>),
    /// The greatest tag inside a range, as written after `#semver:`.
    Semver { range: Range, literal: Box<str> },
}

impl Forge {
    const ALL: [Forge; 5] = [Forge::Github, Forge::Gitlab, Forge::Bitbucket, Forge::Gist, Forge::Sourcehut];

    pub fn host(self) -> &'static str {
        match self {
            Forge::Github => "github.com",
            Forge::Gitlab => "gitlab.com",
            Forge::Bitbucket => "bitbucket.org",
            Forge::Gist => "gist.github.com",
            Forge::Sourcehut => "git.sr.ht",
        }
    }

    fn scheme(self) -> &'static str {
        match self {
            Forge::Github => "github",
            Forge::Gitlab => "gitlab",
            Forge::Bitbucket => "bitbucket",
            Forge::Gist => "gist",
            Forge::Sourcehut => "sourcehut",
        }
    }

    fn of_host(host: &str) -> Option<Forge> {
        let host = host.strip_prefix("www.").unwrap_or(host);
        Forge::ALL.into_iter().find(|forge| forge.host() == host)
    }

    /// True when a path of the web site is a repository, not a page or a file below one.
    fn is_repository(self, path: &str) -> bool {
        let segments: Vec<_> = path.split('/').collect();
        let count_fits = match self {
            Forge::Github | Forge::Bitbucket | Forge::Sourcehut => segments.len() == 2,
            Forge::Gist => segments.len() <= 2,
            Forge::Gitlab => segments.len() >= 2,
        };
        count_fits && segments.into_iter().all(is_segment)
    }
}

/// `user/repo` and `git@host:user/repo`; `None` for anything else.
pub(super) fn parse_short(text: &str) -> Result<Option<Specifier>> {
    let (place, fragment) = split_fragment(text);
    if let Some((owner, repo)) = github_pair(place) {
        return github(owner, repo, fragment).map(Some);
    }
    match is_scp(place) {
        true => scp(place, fragment).map(Some),
        false => Ok(None),
    }
}

/// A URL, or the short form of one: `github:user/repo`.
pub(super) fn parse_url(text: &str, scheme: &str, rest: &str) -> Result<Specifier> {
    if let Some(forge) = Forge::ALL.into_iter().find(|forge| forge.scheme() == scheme) {
        return shortcut(forge, rest)
            .ok_or_else(|| problem::specifier(text, "`user/repo` behind the colon"))?;
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return Err(problem::specifier(text, "a scheme we know, such as `npm:`, `file:` or `https:`"));
    };
    let url = Url::parse(rest).ok_or_else(|| problem::specifier(text, "a URL with a host and no blanks"))?;
    match scheme {
        "http" | "https" => web(text, scheme, &url),
        "git" | "git+http" | "git+https" => match github_pair(url.path).filter(|_| url.is_plain_github()) {
            Some((owner, repo)) => github(owner, repo, url.fragment),
            None => clone(text, scheme, &url),
        },
        "ssh" | "git+ssh" if !url.has_port() && is_scp(url.before_fragment) => {
            scp(url.before_fragment, url.fragment)
        }
        "ssh" | "git+ssh" | "git+file" => clone(text, scheme, &url),
        _ => Err(problem::specifier(text, "a scheme we know, such as `npm:`, `file:` or `https:`")),
    }
}

/// The part after `scheme://`.
struct Url<'a> {
    before_fragment: &'a str,
    fragment: &'a str,
    authority: &'a str,
    /// Without the slashes at its ends.
    path: &'a str,
}

impl<'a> Url<'a> {
    fn parse(rest: &'a str) -> Option<Url<'a>> {
        let (before_fragment, fragment) = split_fragment(rest);
        let (authority, path) = before_fragment.split_once('/').unwrap_or((before_fragment, ""));
        let is_clean =
            !before_fragment.contains(|character: char| character.is_whitespace() || character == '\\');
        let url = Url { before_fragment, fragment, authority, path: path.trim_matches('/') };
        (is_clean && !authority.starts_with('-') && is_host(url.host())).then_some(url)
    }

    fn host(&self) -> &'a str {
        self.host_and_port().0
    }

    fn has_port(&self) -> bool {
        let port = self.host_and_port().1;
        !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
    }

    fn host_and_port(&self) -> (&'a str, &'a str) {
        let host = self.authority.rsplit_once('@').map_or(self.authority, |(_, host)| host);
        match host.rfind(']') {
            Some(end) => (&host[..=end], host[end + 1..].trim_start_matches(':')),
            None => host.split_once(':').unwrap_or((host, "")),
        }
    }

    /// GitHub without a user, a password or a port: its tarballs can be had.
    fn is_plain_github(&self) -> bool {
        Forge::of_host(self.authority) == Some(Forge::Github)
    }
}

/// A host name, an IP address, or empty as in `file:///x`; never an option of ssh.
fn is_host(text: &str) -> bool {
    let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match address {
        Some(address) => address.bytes().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte)),
        None => !text.starts_with('-') && text.bytes().all(is_plain),
    }
}

/// A page, a repository or a tarball, distinguished by host and path.
fn web(text: &str, scheme: &str, url: &Url<'_>) -> Result<Specifier> {
    if url.host().is_empty() {
        return Err(problem::specifier(text, "a URL with a host and no blanks"));
    }
    if path::is_tarball(url.path) {
        return Ok(Specifier::TarballUrl(text.into()));
    }
    if url.is_plain_github() {
        if let Some((owner, repo)) = github_pair(url.path) {
            return github(owner, repo, url.fragment);
        }
        if let Some((place, branch)) = url.path.split_once("/tree/")
            && let Some((owner, repo)) = github_pair(place)
        {
            return github(owner, repo, branch);
        }
        return Ok(Specifier::TarballUrl(text.into()));
    }
    match Forge::of_host(url.host()) {
        Some(forge) if forge.is_repository(url.path) => clone(text, scheme, url),
        _ => Ok(Specifier::TarballUrl(text.into())),
    }
}

fn clone(text: &str, scheme: &str, url: &Url<'_>) -> Result<Specifier> {
    if url.host().is_empty() && scheme != "git+file" {
        return Err(problem::specifier(text, "a URL with a host and no blanks"));
    }
    let scheme = scheme.strip_prefix("git+").unwrap_or(scheme);
    Ok(Specifier::Git {
        url: format!("{scheme}://{}", url.before_fragment).into(),
        committish: Committish::parse(url.fragment)?,
        forge: Forge::of_host(url.host()),
    })
}

/// `None` if the path is not a repository of that forge.
fn shortcut(forge: Forge, rest: &str) -> Option<Result<Specifier>> {
    let (place, fragment) = split_fragment(rest);
    let place = place.trim_start_matches('/');
    let place = place.split_once('@').map_or(place, |(_, place)| place);
    if forge == Forge::Github {
        return github_pair(place).map(|(owner, repo)| github(owner, repo, fragment));
    }
    let place = place.strip_suffix(".git").unwrap_or(place);
    let url = format!("https://{}/{place}.git", forge.host());
    forge.is_repository(place).then(|| {
        let committish = Committish::parse(fragment)?;
        Ok(Specifier::Git { url: url.into(), committish, forge: Some(forge) })
    })
}

/// `user@host:path`, or `host.name:path`.
fn is_scp(place: &str) -> bool {
    let Some((host, path)) = place.split_once(':') else { return false };
    host.contains(['@', '.']) && !host.contains('/') && !path.is_empty() && !place.contains("://")
}

fn scp(place: &str, fragment: &str) -> Result<Specifier> {
    let url = Url::parse(place).filter(|url| !url.host().is_empty());
    let url = url.ok_or_else(|| problem::specifier(place, "`user@host:path` without blanks"))?;
    // `git@host:22/path` has a port, as npm reads it.
    let scheme = if url.has_port() { "ssh://" } else { "" };
    Ok(Specifier::Git {
        url: format!("{scheme}{place}").into(),
        committish: Committish::parse(fragment)?,
        forge: Forge::of_host(url.host()),
    })
}

fn github(owner: &str, repo: &str, fragment: &str) -> Result<Specifier> {
    let committish = Committish::parse(fragment)?;
    Ok(Specifier::Github { owner: owner.into(), repo: repo.into(), committish })
}

/// Only `user/repo` and `user/repo.git`.
fn github_pair(path: &str) -> Option<(&str, &str)> {
    let (owner, repo) = path.split_once('/')?;
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    let is_repository = is_segment(repo) && !repo.ends_with(".git");
    (is_repository && is_segment(owner) && !owner.starts_with('.')).then_some((owner, repo))
}

/// One part of a path that means the same to git, to a URL and to a directory.
fn is_segment(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    !matches!(text, "" | "." | ".." | "-") && !text.starts_with('-') && text.bytes().all(is_plain)
}

fn split_fragment(text: &str) -> (&str, &str) {
    text.split_once('#').unwrap_or((text, ""))
}

impl Committish {
    fn parse(text: &str) -> Result<Committish> {
        if text.is_empty() {
            return Ok(Committish::Head);
        }
        if let Some(literal) = text.strip_prefix("semver:") {
            let range = Range::parse(&percent_decoded(literal));
            let range = range.ok_or_else(|| problem::specifier(literal, "a range behind `semver:`"))?;
            return Ok(Committish::Semver { range, literal: literal.into() });
        }
        // The characters git allows in no reference; a dash in front would be an option.
        let is_barred = |character: char| character.is_whitespace() || "~^:?*[\\#".contains(character);
        match text.starts_with('-') || text.contains("..") || text.contains(is_barred) {
            true => {
                Err(problem::specifier(text, "a branch, a tag, a hash or `semver:` with a range behind `#`"))
            }
            false => Ok(Committish::Reference(text.into())),
        }
    }
}

impl fmt::Display for Committish {
    /// With its `#`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Committish::Head => Ok(()),
            Committish::Reference(text) => write!(f, "#{text}"),
            Committish::Semver { literal, .. } => write!(f, "#semver:{literal}"),
        }
    }
}

/// Decodes `%5E1.0` to `^1.0`; invalid escapes are left unchanged.
fn percent_decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => {
                decoded.push(char::from(byte));
                decoded.push_str(&piece[2..]);
            }
            None => {
                decoded.push('%');
                decoded.push_str(piece);
            }
        }
    }
    decoded
}
