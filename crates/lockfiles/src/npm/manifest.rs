//! The entry of the project or of a member in `packages`: what npm repeats of its package.json. In:
//! the text of package.json, the entry that was there. Out: the entry's members. What package.json
//! still says in other words stays as it was.

use rusk_npm::json::{self, Dialect, Node};

use super::json::{Json, Members};

const GROUPS: [&str; 5] =
    ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"];

/// Fields that are repeated as they are.
const FIELDS: [&str; 8] =
    ["acceptDependencies", "cpu", "deprecated", "engines", "libc", "os", "version", "workspaces"];

const INSTALL_SCRIPTS: [&str; 3] = ["preinstall", "install", "postinstall"];

/// `path`: the directory of the package.json, relative to the project. `old`: members of the entry
/// that was there, and its parsed form.
pub(super) fn members(path: &str, text: &str, old: Option<(Members, &Node<'_>)>) -> Members {
    // It was read before the lockfile was made: a text that is not JSON does not come this far.
    let Ok(root) = json::parse(text, Dialect::Relaxed) else {
        return old.map(|(members, _)| members).unwrap_or_default();
    };
    let mut fresh = fresh(path, &root);
    let Some((mut members, node)) = old else { return fresh };
    let repeated = ["name", "license", "funding", "bundleDependencies"];
    for key in repeated.into_iter().chain(FIELDS).chain(GROUPS) {
        let value = fresh.iter().position(|(other, _)| other == key).map(|at| fresh.swap_remove(at).1);
        replace(&mut members, node, key, value);
    }
    // These have other causes, too: a directory of programs, a native addon.
    for (key, value) in fresh {
        replace(&mut members, node, &key, Some(value));
    }
    members
}

/// Sets a member unless it says the same already.
fn replace(members: &mut Members, old: &Node<'_>, key: &str, value: Option<Json>) {
    let before = old.find(key).map(|node| sorted(Json::of(node)));
    if before == value.clone().map(sorted) {
        return;
    }
    members.retain(|(other, _)| other != key);
    members.extend(value.map(|value| (key.to_owned(), value)));
}

/// With the keys of objects in one order, to compare.
fn sorted(value: Json) -> Json {
    match value {
        Json::Object(mut members) => {
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Json::Object(members.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        value => value,
    }
}

fn fresh(path: &str, root: &Node<'_>) -> Members {
    let mut members: Members = Vec::new();
    let mut add = |key: &str, value: Option<Json>| {
        members.extend(value.map(|value| (key.to_owned(), value)));
    };
    add("name", name(path, root).map(Json::Text));
    for key in FIELDS {
        add(key, root.find(key).and_then(field));
    }
    for group in GROUPS {
        add(group, dependencies(root, group));
    }
    add("license", license(root));
    add("funding", root.find("funding").and_then(funding));
    let bundled = root.find("bundleDependencies").or_else(|| root.find("bundledDependencies"));
    add("bundleDependencies", bundled.and_then(field));
    add("bin", bin(root));
    let has_script = |name: &&str| root.find("scripts").is_some_and(|scripts| scripts.find(name).is_some());
    add("hasInstallScript", INSTALL_SCRIPTS.iter().any(has_script).then_some(Json::True));
    members
}

/// A member's name is left out where its directory is called so.
fn name(path: &str, root: &Node<'_>) -> Option<String> {
    let name = root.find("name").and_then(Node::as_str).filter(|name| !name.is_empty())?;
    (path.is_empty() || directory_name(path) != name).then(|| name.to_owned())
}

/// The name that a package in this directory has without saying so.
pub(super) fn directory_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let base = parts.next().unwrap_or_default();
    match parts.next() {
        Some(scope) if scope.starts_with('@') => format!("{scope}/{base}"),
        _ => base.to_owned(),
    }
}

/// npm leaves out what is empty.
fn field(node: &Node<'_>) -> Option<Json> {
    let is_empty = match Json::of(node) {
        Json::Raw(text) => text == "null" || text == "false" || text == "0",
        Json::Text(text) => text.is_empty(),
        Json::List(elements) => elements.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    };
    (!is_empty).then(|| Json::of(node))
}

/// An optional dependency is not also an ordinary one.
fn dependencies(root: &Node<'_>, group: &str) -> Option<Json> {
    let node = root.find(group).filter(|node| node.is_object())?;
    let optional = root.find("optionalDependencies").filter(|_| group == "dependencies");
    let members = node
        .members()
        .iter()
        .filter(|member| optional.is_none_or(|optional| optional.find(&member.key).is_none()));
    let members: Members = members.map(|member| (member.key.to_string(), Json::of(&member.node))).collect();
    (!members.is_empty()).then_some(Json::Object(members))
}

/// npm writes a single address as an object.
pub(super) fn funding(node: &Node<'_>) -> Option<Json> {
    match node.as_str().filter(|url| !url.is_empty()) {
        Some(url) => Some(Json::object([("url", url)])),
        None => field(node),
    }
}

fn license(root: &Node<'_>) -> Option<Json> {
    let node = root.find("license")?;
    let text = node.as_str().or_else(|| node.find("type").and_then(Node::as_str));
    text.filter(|text| !text.is_empty()).map(|text| Json::Text(text.to_owned()))
}

fn bin(root: &Node<'_>) -> Option<Json> {
    let node = root.find("bin")?;
    let files: Members = match node.as_str() {
        Some(file) => {
            let name = root.find("name").and_then(Node::as_str)?;
            let name = name.rsplit('/').next().unwrap_or(name);
            vec![(name.to_owned(), Json::Text(program_path(file)))]
        }
        None => node
            .members()
            .iter()
            .filter_map(|member| {
                Some((member.key.to_string(), Json::Text(program_path(member.node.as_str()?))))
            })
            .collect(),
    };
    (!files.is_empty()).then_some(Json::Object(files))
}

/// Without `./` before it.
pub(super) fn program_path(file: &str) -> String {
    super::paths::normal(file.trim_start_matches('/')).unwrap_or_default()
}
