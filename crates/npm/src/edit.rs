//! Edits of package.json that preserve the rest of the file: indentation, key order, newlines,
//! comments. In: source text and changes. Out: the new source text; unchanged if it already has the
//! changes. As in bun, a group with a new name is sorted, a new group is added at the end, and an
//! empty group is removed. Absent: bun's reformatting of the complete file.

use rusk_base::Result;

use crate::json::{self, Dialect, Node};
use crate::manifest::Group;
use crate::problem;

use layout::{Layout, NewMember};

pub mod fields;
mod layout;

/// One dependency as it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `None` leaves a name in its group, and puts a new one into `dependencies`.
    pub group: Option<Group>,
    pub name: String,
    pub literal: String,
}

/// Sets dependencies. A name that is put into a group leaves the others, but may be a development
/// dependency and a peer at once.
pub fn set_dependencies(text: &str, settings: &[Setting]) -> Result<String> {
    let mut text = text.to_owned();
    for Setting { group, name, literal } in settings {
        for target in targets(&text, *group, name)? {
            text = set_entry(&text, target.key(), name, literal)?;
        }
        for other in Group::ALL.into_iter().filter(|other| group.is_some_and(|group| excludes(group, *other)))
        {
            text = remove_from(&text, other, name)?;
        }
    }
    Ok(text)
}

/// Sets the specifiers of dependencies in their groups; other groups stay as they are.
pub fn set_literals(text: &str, settings: &[Setting]) -> Result<String> {
    let mut text = text.to_owned();
    for Setting { group, name, literal } in settings {
        text = set_entry(&text, group.unwrap_or(Group::Production).key(), name, literal)?;
    }
    Ok(text)
}

/// Removes names from every group.
pub fn remove_dependencies(text: &str, names: &[String]) -> Result<String> {
    let mut text = text.to_owned();
    for name in names {
        for group in Group::ALL {
            text = remove_from(&text, group, name)?;
        }
    }
    Ok(text)
}

/// Removes a member of the root object.
pub fn remove_field(text: &str, key: &str) -> Result<String> {
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let Some(at) = root.members().iter().position(|member| member.key == key) else { return Ok(text) };
        text = Layout::of(&text, &root).remove(&root, at);
    }
}

/// Sets a member of the root object; a new one goes to the end. `value`: JSON.
pub fn set_field(text: &str, key: &str, value: &str) -> Result<String> {
    let root = parse(text)?;
    let layout = Layout::of(text, &root);
    Ok(match root.find(key) {
        Some(found) => layout.replace(found, value),
        None => layout.append(&root, key, value),
    })
}

/// Sets a member of an object within others, which are made where they are missing. `value`: JSON.
pub fn set_nested(text: &str, path: &[&str], key: &str, value: &str) -> Result<String> {
    let root = parse(text)?;
    let layout = Layout::of(text, &root);
    let mut node = &root;
    for (depth, name) in path.iter().enumerate() {
        let Some(next) = node.find(name) else {
            return Ok(layout.append_path_to(node, depth, &path[depth..], (key, value)));
        };
        if !next.is_object() {
            return Err(problem::manifest_kind(text, name, next, "an object"));
        }
        node = next;
    }
    Ok(match node.find(key) {
        Some(found) if text[found.start..found.end] == *value => text.to_owned(),
        Some(found) => layout.replace(found, value),
        None => layout.append_at(node, path.len(), key, value),
    })
}

/// Replaces the text at a path of keys, in any file of JSON. `None` if there is none.
pub fn replace_text(text: &str, path: &[&str], value: &str) -> Option<String> {
    let root = json::parse(text, Dialect::Relaxed).ok()?;
    let mut node = &root;
    for key in path {
        node = node.find(key)?;
    }
    node.as_str()?;
    Some(Layout::of(text, &root).replace_value(node, value))
}

/// The groups that name a dependency.
pub fn groups_of(text: &str, name: &str) -> Result<Vec<Group>> {
    let root = parse(text)?;
    let names = |group: &Group| root.find(group.key()).is_some_and(|node| node.find(name).is_some());
    Ok(Group::ALL.into_iter().filter(names).collect())
}

fn excludes(group: Group, other: Group) -> bool {
    let pair = [group, other];
    group != other && !(pair.contains(&Group::Development) && pair.contains(&Group::Peer))
}

/// The groups in which a dependency is changed. A peer that is also in another group is left
/// unchanged: it is a requirement for dependents, not the version that is installed here.
fn targets(text: &str, group: Option<Group>, name: &str) -> Result<Vec<Group>> {
    if let Some(group) = group {
        return Ok(vec![group]);
    }
    let mut found = groups_of(text, name)?;
    match found.len() {
        0 => found.push(Group::Production),
        1 => {}
        _ => found.retain(|&group| group != Group::Peer),
    }
    Ok(found)
}

fn parse(text: &str) -> Result<Node<'_>> {
    let root = json::parse(text, Dialect::Relaxed).map_err(problem::manifest_syntax)?;
    match root.is_object() {
        true => Ok(root),
        false => Err(problem::manifest_kind(text, "package.json", &root, "an object")),
    }
}

/// Sets an entry of an object of names and strings, which is made if there is none.
pub fn set_entry(text: &str, group: &str, name: &str, literal: &str) -> Result<String> {
    let root = parse(text)?;
    let layout = Layout::of(text, &root);
    let entry = NewMember { key: name, literal };
    let Some(node) = root.find(group) else {
        return Ok(layout.append_group(&root, group, &entry));
    };
    if !node.is_object() {
        return Err(problem::manifest_kind(text, group, node, "an object of names and ranges"));
    }
    Ok(match node.find(name) {
        Some(found) if found.as_str() == Some(literal) => text.to_owned(),
        Some(found) => layout.replace_value(found, literal),
        None => layout.insert_sorted(node, &entry),
    })
}

/// Sets a patch in `patchedDependencies`: that of `pnpm` where there is one, else at the top.
pub fn set_patch(text: &str, package: &str, path: &str) -> Result<String> {
    const KEY: &str = "patchedDependencies";
    let root = parse(text)?;
    let Some(node) = root.find("pnpm").and_then(|pnpm| pnpm.find(KEY)).filter(|node| node.is_object()) else {
        return set_entry(text, KEY, package, path);
    };
    let layout = Layout::of(text, &root);
    Ok(match node.find(package) {
        Some(found) => layout.replace_value(found, path),
        None => layout.insert_sorted_at(node, &NewMember { key: package, literal: path }, 2),
    })
}

/// Sets an entry of a catalog in the root package.json: where catalogs are, else in `workspaces` if
/// that is an object, else at the top. The default catalog is the empty string.
pub fn set_catalog_entry(text: &str, catalog: &str, name: &str, literal: &str) -> Result<String> {
    let root = parse(text)?;
    let workspaces = root.find("workspaces").filter(|node| node.is_object());
    let at_top = ["catalog", "catalogs"].iter().any(|key| root.find(key).is_some());
    let (owner, base): (&Node<'_>, &[&str]) = match workspaces {
        Some(workspaces) if !at_top => (workspaces, &["workspaces"]),
        _ => (&root, &[]),
    };
    let inner: &[&str] = if catalog.is_empty() { &["catalog"] } else { &["catalogs", catalog] };
    let layout = Layout::of(text, &root);
    let entry = NewMember { key: name, literal };
    let mut node = owner;
    for (depth, key) in inner.iter().enumerate() {
        let Some(next) = node.find(key) else {
            return Ok(layout.append_path(node, base.len() + depth, &inner[depth..], &entry));
        };
        if !next.is_object() {
            return Err(problem::manifest_kind(text, key, next, "an object of names and ranges"));
        }
        node = next;
    }
    Ok(match node.find(name) {
        Some(found) if found.as_str() == Some(literal) => text.to_owned(),
        Some(found) => layout.replace_value(found, literal),
        None => layout.insert_sorted_at(node, &entry, base.len() + inner.len()),
    })
}

fn remove_from(text: &str, group: Group, name: &str) -> Result<String> {
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let Some(node) = root.find(group.key()) else {
            return Ok(text);
        };
        let Some(at) = node.members().iter().position(|member| member.key == name) else {
            return Ok(text);
        };
        let layout = Layout::of(&text, &root);
        let others = node.members().iter().any(|member| member.key != name);
        text = match others {
            true => layout.remove(node, at),
            false => {
                let groups = root.members().iter();
                let at = groups.rev().position(|member| member.key == group.key());
                let last = at.map(|from_end| root.members().len() - 1 - from_end);
                layout.remove(&root, last.expect("the group was found above"))
            }
        };
    }
}

#[cfg(test)]
mod tests;
