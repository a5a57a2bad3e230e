//! The change to package.json made by `add`, `remove` and `update`. It is made in memory before
//! resolution, completed with the resolved versions, and written with the lockfile.

use rusk_base::Result;
use rusk_configuration::request::{
    DependencyGroup, Edit, Existing, PickedUpdate, SavedRange, UpdateExtent, UpdateReach,
};
use rusk_npm::edit::{Setting, groups_of, remove_dependencies, set_dependencies, set_literals};
use rusk_npm::graph::{DependencyId, Graph, PackageId, Source};
use rusk_npm::manifest::{self, Manifest};
use rusk_npm::name::PackageName;
use rusk_npm::specifier::{Naming, Specifier};
use rusk_resolver::members::{MemberLinkRule, Members, ProjectMember};
use rusk_resolver::{MetadataSource, Update, source_of_request};

use crate::problem;

mod catalogs;
mod groups;
mod local_paths;
mod names;
mod pending_range;
mod raise;

use catalogs::PendingEntry;
use groups::{GroupRule, is_replaced};
pub use local_paths::RequestDirs;
use names::UpdateNames;
use pending_range::{PendingRange, latest_range, pending_range, prefix};

/// An edit in progress: the literals that wait for a version.
#[derive(Debug, Default)]
pub struct ManifestEdit {
    /// Path of the member whose package.json changes; `None` when none does.
    pub member: Option<String>,
    pending: Vec<PendingRange>,
    /// Entries of catalogs that wait for a version.
    entries: Vec<PendingEntry>,
    groups: GroupRule,
    pub update: Update,
}

/// Edits the package.json of the members at `paths` in memory; paths in requests are relative to
/// the directory of the command. Of several members, those that do not have a name
/// that is removed or updated are passed over.
pub fn prepare_all(
    members: &mut Members,
    paths: &[String],
    edit: &Edit,
    dirs: &RequestDirs<'_>,
    metadata: &mut dyn MetadataSource,
) -> Result<Vec<ManifestEdit>> {
    if let Edit::Update { names, .. } = edit {
        names::check(members, paths, names)?;
    }
    let mut prepared = Vec::with_capacity(paths.len());
    for path in paths {
        let mut own = edit.clone();
        if let Edit::Add { specifiers, .. } = &mut own {
            for text in specifiers {
                *text = local_paths::rebased(&dirs.saved(text), dirs.command, path);
            }
        }
        prepared.push(prepare(members, path, &own, metadata)?);
    }
    Ok(prepared)
}

/// The names to remove that no member depends on.
pub fn nothing_to_remove<'a>(
    members: &mut Members,
    paths: &[String],
    edit: &'a Edit,
) -> Result<Vec<&'a str>> {
    let Edit::Remove { names } = edit else { return Ok(Vec::new()) };
    let mut unknown = Vec::new();
    for name in names {
        if !names::is_found(members, paths, name)? {
            unknown.push(name.as_str());
        }
    }
    Ok(unknown)
}

/// What all edits update.
pub fn combined_update(edits: &[ManifestEdit]) -> Update {
    let mut all = Update::Nothing;
    for edit in edits {
        all = match (all, &edit.update) {
            (Update::Everything, _) | (_, Update::Everything) => Update::Everything,
            (Update::Names(mut names), Update::Names(more)) => {
                names.extend(more.iter().cloned());
                Update::Names(names)
            }
            (Update::Importers(mut names), Update::Importers(more)) => {
                names.extend(more.iter().cloned());
                Update::Importers(names)
            }
            (Update::Direct(mut names), Update::Direct(more)) => {
                names.extend(more.iter().cloned());
                Update::Direct(names)
            }
            (Update::Nothing, update) => update.clone(),
            (all, _) => all,
        };
    }
    all
}

/// Edits the package.json of the member at `path` in memory.
fn prepare(
    members: &mut Members,
    path: &str,
    edit: &Edit,
    metadata: &mut dyn MetadataSource,
) -> Result<ManifestEdit> {
    match edit {
        Edit::None => Ok(ManifestEdit::default()),
        Edit::Deduplicate => Ok(ManifestEdit { update: Update::Deduplicate, ..ManifestEdit::default() }),
        Edit::Add { specifiers, group, range, existing, catalog } => {
            let saved =
                SavedAs { group: *group, range: *range, existing: *existing, catalog: catalog.as_deref() };
            add(members, path, specifiers, saved, metadata)
        }
        Edit::Remove { names } => remove(members, path, names),
        Edit::UpdateAnywhere { names } => {
            Ok(ManifestEdit { update: Update::Names(names.clone()), ..ManifestEdit::default() })
        }
        Edit::Update { names, reach, groups, extent } => {
            update(members, path, &UpdateNames { names, groups }, (*reach, *extent))
        }
        Edit::UpdatePicked { picks } => update_picked(members, path, picks),
    }
}

/// How new dependencies are saved.
#[derive(Clone, Copy)]
struct SavedAs<'a> {
    group: DependencyGroup,
    range: SavedRange,
    existing: Existing,
    catalog: Option<&'a str>,
}

fn add(
    members: &mut Members,
    path: &str,
    specifiers: &[String],
    saved: SavedAs<'_>,
    metadata: &mut dyn MetadataSource,
) -> Result<ManifestEdit> {
    let group = manifest_group(saved.group);
    let mut manifest_edit = ManifestEdit { member: Some(path.to_owned()), ..ManifestEdit::default() };
    let mut settings = Vec::new();
    let mut names = Vec::new();
    for text in specifiers {
        let request = Specifier::parse_request(text)?;
        let name = match &request.name {
            Some(name) => name.clone(),
            None => fetch_name(path, &request.specifier, metadata)?,
        };
        let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
        let is_known = !groups_of(&member.text, name.as_str())?.is_empty();
        match saved.existing {
            Existing::Skip if is_known => continue,
            Existing::Required if !is_known => return Err(problem::not_a_dependency(name.as_str())),
            _ => {}
        }
        let is_named_only = text == name.as_str();
        let own_literal = find_literal(&member.manifest, name.as_str());
        let own_catalog = own_literal.as_deref().and_then(|literal| literal.strip_prefix("catalog:"));
        let shared = || has_default_entry(&members.project.manifest, name.as_str()).then_some("");
        let catalog = saved.catalog.or_else(|| own_catalog.or_else(shared).filter(|_| is_named_only));
        names.push(name.to_string());
        let pending = pending_range(&name, group, &request.specifier, saved.range);
        let literal = literal_of(&name, text, &request.specifier);
        let literal = match catalog {
            Some(catalog) => {
                let entry = CatalogEntry { catalog, name: &name, literal: &literal, is_named_only };
                if saved.catalog.is_some() && entry.set(&mut members.project, &request.specifier)? {
                    let waiting = pending.map(|range| PendingEntry { catalog: catalog.to_owned(), range });
                    manifest_edit.entries.extend(waiting);
                }
                format!("catalog:{catalog}")
            }
            None => {
                manifest_edit.pending.extend(pending);
                literal
            }
        };
        settings.push(Setting { group, name: name.to_string(), literal });
    }
    rewrite_manifest(members, path, |text| set_dependencies(text, &settings))?;
    manifest_edit.update = Update::Direct(names);
    Ok(manifest_edit)
}

/// What package.json has for a dependency now.
fn find_literal(manifest: &Manifest, name: &str) -> Option<String> {
    let mut all = manifest.groups().into_iter().flat_map(|(_, dependencies)| dependencies.iter());
    all.find(|(own, _)| own == name).map(|(_, literal)| literal.clone())
}

fn has_default_entry(project: &Manifest, name: &str) -> bool {
    project.catalog.iter().any(|(own, _)| own == name)
}

/// An entry of a catalog that is added with a dependency.
struct CatalogEntry<'a> {
    catalog: &'a str,
    name: &'a PackageName,
    literal: &'a str,
    /// No range was given: an entry that exists stays.
    is_named_only: bool,
}

impl CatalogEntry<'_> {
    /// Whether the entry is new or changed.
    fn set(&self, project: &mut ProjectMember, specifier: &Specifier) -> Result<bool> {
        if specifier.registry_name().is_none() {
            return Err(problem::not_for_a_catalog(self.name.as_str(), self.literal));
        }
        let manifest = &project.manifest;
        let entries = match self.catalog {
            "" => Some(&manifest.catalog),
            catalog => manifest.catalogs.iter().find(|(name, _)| name == catalog).map(|(_, entries)| entries),
        };
        let exists =
            entries.is_some_and(|entries| entries.iter().any(|(name, _)| name == self.name.as_str()));
        if exists && self.is_named_only {
            return Ok(false);
        }
        *project = project.with_catalog_entry(self.catalog, self.name.as_str(), self.literal)?;
        Ok(true)
    }
}

fn manifest_group(group: DependencyGroup) -> Option<manifest::Group> {
    match group {
        DependencyGroup::Current => None,
        DependencyGroup::Production => Some(manifest::Group::Production),
        DependencyGroup::Development => Some(manifest::Group::Development),
        DependencyGroup::Optional => Some(manifest::Group::Optional),
        DependencyGroup::Peer => Some(manifest::Group::Peer),
    }
}

/// The name that a package states for itself, for a request without a name.
fn fetch_name(path: &str, specifier: &Specifier, metadata: &mut dyn MetadataSource) -> Result<PackageName> {
    let source = source_of_request(path, specifier)?;
    let found = metadata.fetch_manifest(&source)?;
    let name = found.manifest.name.as_deref().and_then(|name| PackageName::parse(name).ok());
    name.ok_or_else(|| problem::package_without_name(&source.text()))
}

/// The literal that package.json has during resolution.
fn literal_of(name: &PackageName, text: &str, specifier: &Specifier) -> String {
    match specifier {
        Specifier::DistTag { name: target, naming, tag } => {
            format!("{}{tag}", prefix(name.as_str(), target, *naming))
        }
        Specifier::Npm { name: target, naming: Naming::Jsr, literal, .. } => {
            format!("{}{literal}", prefix(name.as_str(), target, Naming::Jsr))
        }
        _ => {
            let named = text.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('@'));
            named.unwrap_or(text).to_owned()
        }
    }
}

fn remove(members: &mut Members, path: &str, names: &[String]) -> Result<ManifestEdit> {
    rewrite_manifest(members, path, |text| remove_dependencies(text, names))?;
    Ok(ManifestEdit { member: Some(path.to_owned()), ..ManifestEdit::default() })
}

fn update(
    members: &mut Members,
    path: &str,
    wanted: &UpdateNames<'_>,
    (reach, extent): (UpdateReach, UpdateExtent),
) -> Result<ManifestEdit> {
    let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
    let names = &names::expand(&member.manifest, wanted);
    let is_everything = names.is_none();
    let names: &[String] = names.as_deref().unwrap_or_default();
    let mut manifest_edit = ManifestEdit {
        update: match extent {
            UpdateExtent::Direct if is_everything => Update::Importers(direct_names(&member.manifest)),
            UpdateExtent::Direct => Update::Importers(names.to_vec()),
            UpdateExtent::All if is_everything => Update::Everything,
            UpdateExtent::All => Update::Names(names.to_vec()),
        },
        ..ManifestEdit::default()
    };
    let is_wanted = |group: manifest::Group, name: &String| {
        (is_everything || names.contains(name)) && names::includes(wanted.groups, group)
    };
    match reach {
        UpdateReach::InRange => {
            manifest_edit.pending = raise::raised_ranges(&member.manifest, &is_wanted);
            let member = member.manifest.clone();
            manifest_edit.entries = catalogs::raised_entries(&members.project.manifest, &member, &is_wanted);
            (manifest_edit.member, manifest_edit.groups) = (Some(path.to_owned()), GroupRule::Kept);
        }
        UpdateReach::ToLatest => to_latest(members, path, &mut manifest_edit, &is_wanted)?,
    }
    Ok(manifest_edit)
}

fn direct_names(manifest: &Manifest) -> Vec<String> {
    let groups = manifest.groups().into_iter();
    groups.flat_map(|(_, dependencies)| dependencies.iter().map(|(name, _)| name.clone())).collect()
}

/// Updates the dependencies of the member that were picked.
fn update_picked(members: &mut Members, path: &str, picks: &[PickedUpdate]) -> Result<ManifestEdit> {
    let own: Vec<&PickedUpdate> = picks.iter().filter(|pick| pick.member == path).collect();
    let mut manifest_edit = ManifestEdit {
        update: Update::Names(own.iter().map(|pick| pick.name.clone()).collect()),
        ..ManifestEdit::default()
    };
    let is_latest = |_: manifest::Group, name: &String| {
        own.iter().any(|pick| pick.name == *name && pick.reach == UpdateReach::ToLatest)
    };
    if own.iter().any(|pick| pick.reach == UpdateReach::ToLatest) {
        to_latest(members, path, &mut manifest_edit, &is_latest)?;
    }
    Ok(manifest_edit)
}

/// Replaces ranges by `latest`, until the version is known.
fn to_latest(
    members: &mut Members,
    path: &str,
    manifest_edit: &mut ManifestEdit,
    is_wanted: &dyn Fn(manifest::Group, &String) -> bool,
) -> Result<()> {
    let linked = linked_names(members);
    let project = members.project.manifest.clone();
    let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
    let mut settings = Vec::new();
    for (group, dependencies) in member.manifest.groups() {
        for (name, literal) in dependencies {
            // A patch is for the range that it names.
            let is_patched = member.manifest.yarn_patches.iter().any(|patch| patch.package == *name);
            // A member of the project has one version here.
            let is_fixed = is_patched || linked.contains(name);
            let is_moved = is_wanted(group, name) && !is_fixed && !is_replaced(&member.manifest, group, name);
            if let Some(pending) = latest_range(name, group, literal).filter(|_| is_moved) {
                let literal = format!("{}latest", pending.prefix);
                settings.push(Setting { group: Some(group), name: name.clone(), literal });
                manifest_edit.pending.push(pending);
            }
            let entry = catalogs::moved_entry(&project, (group, name, literal)).filter(|_| is_moved);
            manifest_edit.entries.extend(entry);
        }
    }
    for PendingEntry { catalog, range } in &manifest_edit.entries {
        let literal = format!("{}latest", range.prefix);
        members.project = members.project.with_catalog_entry(catalog, &range.name, &literal)?;
    }
    (manifest_edit.member, manifest_edit.groups) = (Some(path.to_owned()), GroupRule::Kept);
    rewrite_manifest(members, path, |text| set_literals(text, &settings))
}

/// Names of members that ranges are bound to; none where only `workspace:` is.
fn linked_names(members: &Members) -> Vec<String> {
    match members.link_rule {
        MemberLinkRule::Linked => {
            members.workspaces.iter().filter_map(|member| member.manifest.name.clone()).collect()
        }
        MemberLinkRule::FromRegistry => Vec::new(),
    }
}

fn rewrite_manifest(members: &mut Members, path: &str, edit: impl Fn(&str) -> Result<String>) -> Result<()> {
    let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
    *member = member.with_text(edit(&member.text)?)?;
    Ok(())
}

impl ManifestEdit {
    /// Replaces tags by ranges of the resolved versions, in package.json and in the graph.
    pub fn finalize(&self, members: &mut Members, graph: &mut Graph) -> Result<()> {
        let Some(path) = &self.member else { return Ok(()) };
        let mut settings = Vec::new();
        for pending in &self.pending {
            for id in find_dependencies_in(graph, path, pending) {
                let bound = graph.binding(id).map(|package| &graph.package(package).source);
                let Some(literal) = bound.and_then(|source| pending.literal_for(source, members)) else {
                    continue;
                };
                graph.rewrite(id, literal.as_str().into());
                settings.push(Setting { group: pending.group, name: pending.name.clone(), literal });
            }
        }
        catalogs::finalize(&self.entries, path, members, graph)?;
        rewrite_manifest(members, path, |text| self.groups.set(text, &settings))
    }
}

/// The dependencies that a range is of: where several groups have the name, that of its group.
fn find_dependencies_in(graph: &Graph, path: &str, pending: &PendingRange) -> Vec<DependencyId> {
    let mut found = find_dependencies(graph, path, &pending.name);
    let is_of_group = |id: &DependencyId| groups::has_role(pending.group, graph.dependency(*id).role);
    if found.iter().any(is_of_group) {
        found.retain(is_of_group);
    }
    found
}

/// The dependencies of this name that the member at `path` declares.
fn find_dependencies(graph: &Graph, path: &str, name: &str) -> Vec<DependencyId> {
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
