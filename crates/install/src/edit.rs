//! The change to package.json that `add`, `remove` and `update` make. It is made on the text in
//! memory before versions are decided, completed with the versions that were decided, and written
//! with the lockfile.

use rusk_base::Result;
use rusk_npm::edit::{Setting, groups_of, remove_dependencies, set_dependencies};
use rusk_npm::graph::{DependencyId, Graph, PackageId, Source};
use rusk_npm::manifest;
use rusk_npm::name::PackageName;
use rusk_npm::specifier::{Naming, Specifier};

use crate::problem;
use crate::project::{Member, Members};
use crate::request::{Edit, Group, Reach, SavedRange};
use crate::resolve::{Market, Update, place_of_request};

/// An edit under way: the literals that wait for a version.
#[derive(Debug, Default)]
pub struct Draft {
    /// The member whose package.json changes, by its path; `None` when none does.
    pub member: Option<String>,
    open: Vec<Open>,
    pub update: Update,
}

/// A dependency whose saved range depends on the version that is chosen.
#[derive(Debug)]
struct Open {
    name: String,
    group: Option<manifest::Group>,
    /// `npm:other@` in front of an alias.
    prefix: String,
    /// `^`, `~` or nothing.
    operator: &'static str,
}

/// Changes the member at `path` in memory.
pub fn begin(members: &mut Members, path: &str, edit: &Edit, market: &mut dyn Market) -> Result<Draft> {
    match edit {
        Edit::None => Ok(Draft::default()),
        Edit::Add { specifiers, group, range } => add(members, path, specifiers, *group, *range, market),
        Edit::Remove { names } => remove(members, path, names),
        Edit::Update { names, reach } => update(members, path, names, *reach),
    }
}

fn add(
    members: &mut Members,
    path: &str,
    specifiers: &[String],
    group: Group,
    range: SavedRange,
    market: &mut dyn Market,
) -> Result<Draft> {
    let group = target(group);
    let mut draft = Draft { member: Some(path.to_owned()), ..Draft::default() };
    let mut settings = Vec::new();
    let mut names = Vec::new();
    for text in specifiers {
        let request = Specifier::parse_request(text)?;
        let name = match &request.name {
            Some(name) => name.clone(),
            None => name_at(path, &request.specifier, market)?,
        };
        if let Some(open) = open_range(&name, group, &request.specifier, range) {
            draft.open.push(open);
        }
        let literal = literal_of(&name, text, &request.specifier);
        names.push(name.to_string());
        settings.push(Setting { group, name: name.to_string(), literal });
    }
    change(members, path, |text| set_dependencies(text, &settings))?;
    draft.update = Update::Direct(names);
    Ok(draft)
}

fn target(group: Group) -> Option<manifest::Group> {
    match group {
        Group::Kept => None,
        Group::Production => Some(manifest::Group::Production),
        Group::Development => Some(manifest::Group::Development),
        Group::Optional => Some(manifest::Group::Optional),
        Group::Peer => Some(manifest::Group::Peer),
    }
}

/// What a package that came without a name calls itself.
fn name_at(path: &str, specifier: &Specifier, market: &mut dyn Market) -> Result<PackageName> {
    let place = place_of_request(path, specifier)?;
    let visit = market.visit(&place)?;
    let name = visit.manifest.name.as_deref().and_then(|name| PackageName::parse(name).ok());
    name.ok_or_else(|| problem::nameless_package(&place.text()))
}

/// A dist-tag is saved as the range of what it led to.
fn open_range(
    name: &PackageName,
    group: Option<manifest::Group>,
    specifier: &Specifier,
    range: SavedRange,
) -> Option<Open> {
    let Specifier::DistTag { name: target, naming, .. } = specifier else { return None };
    let prefix = match naming {
        Naming::Own => String::new(),
        Naming::Alias => format!("npm:{target}@"),
    };
    let operator = match range {
        SavedRange::Caret => "^",
        SavedRange::Exact => "",
    };
    Some(Open { name: name.to_string(), group, prefix, operator })
}

/// What stands in package.json while versions are decided.
fn literal_of(name: &PackageName, text: &str, specifier: &Specifier) -> String {
    match specifier {
        Specifier::DistTag { name: target, naming: Naming::Alias, tag } => format!("npm:{target}@{tag}"),
        Specifier::DistTag { tag, .. } => tag.to_string(),
        _ => {
            let named = text.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('@'));
            named.unwrap_or(text).to_owned()
        }
    }
}

fn remove(members: &mut Members, path: &str, names: &[String]) -> Result<Draft> {
    let member = members.at_mut(path).ok_or_else(|| problem::no_member(path))?;
    for name in names {
        if groups_of(&member.text, name)?.is_empty() {
            return Err(problem::not_a_dependency(name));
        }
    }
    change(members, path, |text| remove_dependencies(text, names))?;
    Ok(Draft { member: Some(path.to_owned()), ..Draft::default() })
}

fn update(members: &mut Members, path: &str, names: &[String], reach: Reach) -> Result<Draft> {
    let member = members.at_mut(path).ok_or_else(|| problem::no_member(path))?;
    for name in names {
        if groups_of(&member.text, name)?.is_empty() {
            return Err(problem::not_a_dependency(name));
        }
    }
    let mut draft = Draft {
        update: if names.is_empty() { Update::Everything } else { Update::Names(names.to_vec()) },
        ..Draft::default()
    };
    if reach == Reach::InRange {
        return Ok(draft);
    }
    let mut settings = Vec::new();
    for (group, dependencies) in member.manifest.groups() {
        for (name, literal) in dependencies {
            let wanted = names.is_empty() || names.contains(name);
            if let Some(open) = latest(name, group, literal).filter(|_| wanted) {
                let literal = format!("{}latest", open.prefix);
                settings.push(Setting { group: Some(group), name: name.clone(), literal });
                draft.open.push(open);
            }
        }
    }
    draft.member = Some(path.to_owned());
    change(members, path, |text| set_dependencies(text, &settings))?;
    Ok(draft)
}

/// A range of the registry is moved to the latest version with the operator it has.
fn latest(name: &str, group: manifest::Group, literal: &str) -> Option<Open> {
    let Ok(Specifier::Npm { name: target, naming, range, .. }) = Specifier::parse(name, literal) else {
        return None;
    };
    let prefix = match naming {
        Naming::Own => String::new(),
        Naming::Alias => format!("npm:{target}@"),
    };
    let operator = match literal.strip_prefix(&prefix).unwrap_or(literal).trim_start() {
        text if text.starts_with('~') => "~",
        _ if range.is_exact().is_some() => "",
        _ => "^",
    };
    Some(Open { name: name.to_owned(), group: Some(group), prefix, operator })
}

fn change(members: &mut Members, path: &str, edit: impl Fn(&str) -> Result<String>) -> Result<()> {
    let member = members.at_mut(path).ok_or_else(|| problem::no_member(path))?;
    *member = Member::parse(path.to_owned(), edit(&member.text)?)?;
    Ok(())
}

impl Draft {
    /// Puts the ranges of the chosen versions where tags stood, in package.json and in the graph.
    pub fn settle(&self, members: &mut Members, graph: &mut Graph) -> Result<()> {
        let Some(path) = &self.member else { return Ok(()) };
        let mut settings = Vec::new();
        for open in &self.open {
            for id in declared(graph, path, &open.name) {
                let bound = graph.binding(id).map(|package| graph.package(package));
                let Some(version) = bound.and_then(|package| package.source.npm_version()) else { continue };
                let literal = format!("{}{}{version}", open.prefix, open.operator);
                graph.rewrite(id, literal.as_str().into());
                settings.push(Setting { group: open.group, name: open.name.clone(), literal });
            }
        }
        change(members, path, |text| set_dependencies(text, &settings))
    }
}

/// The dependencies of this name that the member at `path` declares.
fn declared(graph: &Graph, path: &str, name: &str) -> Vec<DependencyId> {
    let is_member = |id: &PackageId| match &graph.package(*id).source {
        Source::Root => path.is_empty(),
        Source::Workspace { path: own, .. } => **own == *path,
        _ => false,
    };
    let Some(member) = graph.package_ids().find(is_member) else { return Vec::new() };
    let all = graph.dependencies_of(member);
    all.filter(|&id| graph.name(graph.dependency(id).name).as_str() == name).collect()
}

#[cfg(test)]
mod tests;
