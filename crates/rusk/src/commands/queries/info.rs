//! `rusk info`: what the registry says about a package.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::name::PackageName;
use rusk_query::registry_document::RegistryDocument;
use rusk_scripts::{Exit, Package};

use super::problem;
use crate::commands::registry::problem as registry_problem;
use crate::commands::registry::session::Session;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::bytes_text;
use rusk_screen::Screen;
use rusk_screen::json::object;
use rusk_screen::style::{Highlight, OutputStyle};

/// Dependencies that are named; `rusk info NAME dependencies` shows all.
const DEPENDENCIES_SHOWN_MAX: usize = 100;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let session = Session::open(invocation, environment, screen)?;
    let (name, wanted) = match invocation.operands.first().map(String::as_str) {
        None | Some(".") => (own_name(&session)?, "latest".to_owned()),
        Some(operand) => split(operand)?,
    };
    let subject = format!("the packument of `{name}`");
    let text = session.find(session.client.package_url(&name, ""), subject.clone())?;
    let text = text.ok_or_else(|| registry_problem::no_package(&name, &session))?;
    let document =
        RegistryDocument::parse(&text).map_err(|_| registry_problem::bad_registry_answer(&subject))?;
    let release = document.find_version(&wanted);
    let release = release
        .ok_or_else(|| registry_problem::no_version_in_range(name.as_str(), &format!("{name}@{wanted}")))?;
    let fields = invocation.operands.get(1..).unwrap_or_default();
    let is_json = invocation.is_on(Flag::Json);
    let page = match (fields, is_json) {
        ([], true) => document.merged(release) + "\n",
        ([], false) => page(&document, release, screen.style()),
        (fields, _) => fields_text(&document, release, fields, is_json)?,
    };
    screen.page(&page).map(|()| Exit::DONE)
}

fn own_name(session: &Session) -> Result<PackageName> {
    let package = Package::find(&session.host.current_dir)?;
    let name = package.and_then(|package| package.scripts.package_name);
    let name = name.ok_or_else(problem::no_package_name)?;
    PackageName::parse(&name).map_err(|_| registry_problem::bad_package_name(&name))
}

/// `name`, `name@range`.
fn split(operand: &str) -> Result<(PackageName, String)> {
    let at = operand.rfind('@').filter(|&at| at > 0);
    let (name, wanted) = at.map_or((operand, "latest"), |at| (&operand[..at], &operand[at + 1..]));
    let name = PackageName::parse(name).map_err(|_| registry_problem::bad_package_name(name))?;
    Ok((name, if wanted.is_empty() { "latest" } else { wanted }.to_owned()))
}

/// One field is its value, several are `field = value`.
fn fields_text(
    document: &RegistryDocument<'_>,
    release: &Node<'_>,
    fields: &[String],
    is_json: bool,
) -> Result<String> {
    let mut found = Vec::new();
    for field in fields {
        let value = document.field(release, field).ok_or_else(|| problem::no_field(field))?;
        found.push((field.as_str(), value));
    }
    Ok(match (found.as_slice(), is_json) {
        ([(_, value)], true) => format!("{value}\n"),
        (_, true) => object(&found) + "\n",
        ([(_, value)], false) => format!("{}\n", plain(value)),
        _ => found.iter().map(|(field, value)| format!("{field} = {}\n", plain(value))).collect(),
    })
}

/// A string as it is, everything else as JSON.
fn plain(value: &str) -> String {
    let parsed = json::parse(value, Dialect::Strict).ok();
    let string = parsed.as_ref().and_then(|node| node.as_str().map(str::to_owned));
    printable(string.as_deref().unwrap_or(value)).into_owned()
}

fn page(document: &RegistryDocument<'_>, release: &Node<'_>, style: &OutputStyle) -> String {
    let string = |node: &Node<'_>, path: &[&str]| {
        let found = path.iter().try_fold(node, |node, key| node.find(key));
        found.and_then(Node::as_str).map(|text| printable(text).into_owned())
    };
    let version = string(release, &["version"]).unwrap_or_default();
    let dependencies = release.find("dependencies").map(Node::members).unwrap_or_default();
    let license = string(release, &["license"]).or_else(|| string(release, &["license", "type"]));
    let mut text = format!(
        "{}@{version} | {} | deps: {} | versions: {}\n",
        string(release, &["name"]).unwrap_or_default(),
        license.unwrap_or_else(|| "no license".to_owned()),
        dependencies.len(),
        document.versions().len(),
    );
    text.extend(string(release, &["description"]).map(|description| description + "\n"));
    text.extend(string(release, &["homepage"]).map(|homepage| homepage + "\n"));
    if let Some(reason) = string(release, &["deprecated"]) {
        text.push_str(&format!("{}: {reason}\n", style.for_stdout(Highlight::Warning, "deprecated")));
    }
    let dist = ["tarball", "shasum", "integrity"];
    let dist = dist.into_iter().filter_map(|key| Some((key, string(release, &["dist", key])?)));
    let bytes = document.field(release, "dist.unpackedSize").and_then(|size| size.parse().ok());
    let size = bytes.map(|bytes| ("unpackedSize", bytes_text(bytes)));
    let dist: Vec<String> = dist.chain(size).map(|(key, value)| format!(" .{key}: {value}\n")).collect();
    push_section(&mut text, "dist", &dist);
    let lines = dependencies.iter().take(DEPENDENCIES_SHOWN_MAX);
    let mut lines: Vec<String> =
        lines.map(|member| format!("- {}: {}\n", printable(&member.key), plain_of(&member.node))).collect();
    if dependencies.len() > DEPENDENCIES_SHOWN_MAX {
        lines.push(format!("- {} more\n", dependencies.len() - DEPENDENCIES_SHOWN_MAX));
    }
    push_section(&mut text, &format!("dependencies ({}):", dependencies.len()), &lines);
    let maintainers = document.root().find("maintainers").map(Node::elements).unwrap_or_default();
    let lines: Vec<String> =
        maintainers.iter().filter_map(|it| Some(format!("- {}\n", string(it, &["name"])?))).collect();
    push_section(&mut text, "maintainers:", &lines);
    let tags = document.dist_tags().into_iter();
    let tags: Vec<String> =
        tags.map(|(tag, version)| format!("{}: {}\n", printable(tag), printable(version))).collect();
    push_section(&mut text, "dist-tags:", &tags);
    if let Some(time) = string(document.root(), &["time", &version]) {
        text.push_str(&format!("\nPublished: {time}\n"));
    }
    text
}

fn plain_of(node: &Node<'_>) -> String {
    printable(node.as_str().unwrap_or_default()).into_owned()
}

fn push_section(text: &mut String, head: &str, lines: &[String]) {
    if !lines.is_empty() {
        text.push_str(&format!("\n{head}\n{}", lines.concat()));
    }
}
