//! `rusk deprecate`: marks versions of a package as deprecated, or takes the mark back.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::json::{self, Dialect, Node, quote_into};
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Prereleases, Range, Rules, Syntax, Version};
use rusk_npm::specifier::split_name;
use rusk_registry::{ApiMethod, ApiRequest};
use rusk_scripts::Exit;

use super::problem;
use super::session::Session;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let target = &invocation.operands[0];
    if invocation.operands.len() < 2 {
        return Err(problem::no_message());
    }
    let message = invocation.operands[1..].join(" ");
    let (name, range) = split_name(target);
    let range = range.unwrap_or("*");
    let name = PackageName::parse(name).map_err(|_| problem::bad_package_name(name))?;
    let rules = Rules { syntax: Syntax::Loose, prereleases: Prereleases::Included };
    let range = Range::parse_with(range, rules).ok_or_else(|| problem::bad_range(range))?;
    let session = Session::open(invocation, environment, screen)?;
    let subject = format!("the packument of `{name}`");
    let url = session.client.package_url(&name, "?write=true");
    let text = session.find(url, subject.clone())?.ok_or_else(|| problem::no_package(&name, &session))?;
    let root = json::parse(&text, Dialect::Strict).map_err(|_| problem::bad_registry_answer(&subject))?;
    let versions = root.find("versions").map(Node::members).unwrap_or_default();
    let is_meant = |version: &str| Version::parse(version).is_some_and(|version| range.contains(&version));
    let meant: Vec<_> = versions.iter().filter(|member| is_meant(&member.key)).collect();
    if meant.is_empty() {
        return Err(problem::no_version_in_range(name.as_str(), target));
    }
    let nodes: Vec<&Node<'_>> = meant.iter().map(|member| &member.node).collect();
    let body = with_deprecation(&text, &nodes, &message);
    if !invocation.is_on(Flag::DryRun) {
        let request = ApiRequest {
            method: ApiMethod::Put,
            url: session.client.package_url(&name, ""),
            body: Some(body.into_bytes()),
            headers: Vec::new(),
            subject: format!("the deprecation of `{target}`"),
        };
        session.call(request, screen)?;
    }
    let versions: Vec<&str> = meant.iter().map(|member| &*member.key).collect();
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("name", string(name.as_str())),
            ("versions", array(versions.iter().map(|version| string(version)))),
            ("message", string(&message)),
        ]),
        false => {
            let verb = if message.is_empty() { "no longer deprecated" } else { "deprecated" };
            versions.iter().map(|version| format!("{verb}: {name}@{version}\n")).collect()
        }
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// The packument with the message in each of these versions. An empty message takes the mark back.
fn with_deprecation(text: &str, versions: &[&Node<'_>], message: &str) -> String {
    let mut quoted = String::new();
    quote_into(&mut quoted, message);
    let mut edits: Vec<(std::ops::Range<usize>, String)> = versions
        .iter()
        .map(|version| match version.find("deprecated") {
            Some(node) => (node.start..node.end, quoted.clone()),
            None => {
                let comma = if version.members().is_empty() { "" } else { "," };
                (version.start + 1..version.start + 1, format!("\"deprecated\":{quoted}{comma}"))
            }
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut edited = String::with_capacity(text.len() + edits.len() * (quoted.len() + 16));
    let mut at = 0;
    for (range, replacement) in edits {
        edited.push_str(&text[at..range.start]);
        edited.push_str(&replacement);
        at = range.end;
    }
    edited.push_str(&text[at..]);
    edited
}

#[cfg(test)]
mod tests;
