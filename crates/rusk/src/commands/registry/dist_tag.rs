//! `rusk dist-tag`: lists, sets and removes the dist-tags of a package.

use std::collections::BTreeMap;

use rusk_base::{Result, problem::printable};
use rusk_npm::json::{self, Dialect, quote_into};
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::split_name;
use rusk_registry::{ApiMethod, ApiRequest};
use rusk_scripts::{Exit, Package};

use super::problem;
use super::session::Session;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let operands: Vec<&str> = invocation.operands.iter().map(String::as_str).collect();
    let session = Session::open(invocation, environment, screen)?;
    match operands.as_slice() {
        ["add" | "set", target, rest @ ..] if rest.len() <= 1 => {
            let (name, version) = split(target)?;
            let version = version.ok_or_else(|| problem::dist_tag_usage("a version: NAME@VERSION"))?;
            let tag = rest.first().unwrap_or(&"latest");
            add(&session, &name, version, tag, screen)?;
            shown(&name, tag, version, '+', screen)
        }
        ["rm" | "remove" | "del", target, tag] => {
            let (name, _) = split(target)?;
            let version = remove(&session, &name, tag, screen)?;
            shown(&name, tag, &version, '-', screen)
        }
        ["ls" | "list"] | [] => list(&session, &own_name(&session)?, invocation, screen),
        ["ls" | "list", target] => list(&session, &split(target)?.0, invocation, screen),
        ["add" | "set" | "rm" | "remove" | "del"] => Err(problem::dist_tag_usage("operands after it")),
        [target] => list(&session, &split(target)?.0, invocation, screen),
        _ => Err(problem::dist_tag_usage("`ls`, `add` or `rm`, and its operands")),
    }
}

/// Whether a text can be a dist-tag: a version range would be ambiguous.
pub fn is_valid(tag: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    !tag.is_empty() && tag.bytes().all(is_plain) && Range::parse(tag).is_none()
}

fn split(target: &str) -> Result<(PackageName, Option<&str>)> {
    let (name, version) = split_name(target);
    let name = PackageName::parse(name).map_err(|_| problem::bad_package_name(name))?;
    Ok((name, version))
}

fn own_name(session: &Session) -> Result<PackageName> {
    let package = Package::find(&session.host.current_dir)?;
    let name = package.and_then(|package| package.scripts.package_name);
    let name = name.ok_or_else(|| problem::dist_tag_usage("the name of a package"))?;
    PackageName::parse(&name).map_err(|_| problem::bad_package_name(&name))
}

fn url(session: &Session, name: &PackageName, tag: &str) -> String {
    let escaped = name.as_str().replace('/', "%2f");
    format!("{}-/package/{escaped}/dist-tags{tag}", session.registry(Some(name)))
}

/// Tags and versions, as the registry orders them.
fn tags_of(session: &Session, name: &PackageName) -> Result<Vec<(String, String)>> {
    let subject = format!("the dist-tags of `{name}`");
    let text = session.find(url(session, name, ""), subject.clone())?;
    let text = text.ok_or_else(|| problem::no_package(name, session))?;
    let root = json::parse(&text, Dialect::Strict).map_err(|_| problem::bad_registry_answer(&subject))?;
    let tags = root.members().iter();
    Ok(tags.filter_map(|tag| Some((tag.key.to_string(), tag.node.as_str()?.to_owned()))).collect())
}

fn list(session: &Session, name: &PackageName, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let tags = tags_of(session, name)?;
    let shown = |(tag, version): &(String, String)| format!("{}: {}\n", printable(tag), printable(version));
    let text = match invocation.is_on(Flag::Json) {
        true => line(&tags.iter().map(|(tag, version)| (tag.as_str(), string(version))).collect::<Vec<_>>()),
        false => tags.iter().map(shown).collect(),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// Says what was added or removed.
fn shown(name: &PackageName, tag: &str, version: &str, sign: char, screen: &mut Screen) -> Result<Exit> {
    let members = [("name", string(name.as_str())), ("tag", string(tag)), ("version", string(version))];
    let (tag, version) = (printable(tag), printable(version));
    screen.outcome(&format!("{sign}{tag}: {name}@{version}\n"), &members)
}

fn add(session: &Session, name: &PackageName, version: &str, tag: &str, screen: &mut Screen) -> Result<()> {
    if !is_valid(tag) {
        return Err(problem::bad_tag(tag));
    }
    if Version::parse(version).is_none() {
        return Err(problem::dist_tag_usage("an exact version: NAME@VERSION"));
    }
    let mut body = String::new();
    quote_into(&mut body, version);
    let request = ApiRequest {
        method: ApiMethod::Put,
        url: url(session, name, &format!("/{tag}")),
        body: Some(body.into_bytes()),
        headers: Vec::new(),
        subject: format!("the dist-tag `{tag}` of `{name}`"),
    };
    session.call(request, screen).map(drop)
}

fn remove(session: &Session, name: &PackageName, tag: &str, screen: &mut Screen) -> Result<String> {
    let tags = tags_of(session, name)?;
    let Some((_, version)) = tags.into_iter().find(|(known, _)| known == tag) else {
        return Err(problem::no_such_tag(name.as_str(), tag));
    };
    let request = ApiRequest {
        method: ApiMethod::Delete,
        url: url(session, name, &format!("/{tag}")),
        body: None,
        headers: Vec::new(),
        subject: format!("the dist-tag `{tag}` of `{name}`"),
    };
    session.call(request, screen).map(|_| version)
}

#[cfg(test)]
mod tests;
