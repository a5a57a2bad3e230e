//! Decides which versions are installed: those of the lockfile if it still matches package.json,
//! else those that the resolver picks.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rusk_base::Result;
use rusk_configuration::request::{Edit, Engines, Goal, InstallRequest, Omit, Save};
use rusk_lockfiles::{Format, Lockfile, NewLockfile, Previous};
use rusk_npm::graph::{Graph, PackageId, Platform, Role, Source, Text};
use rusk_npm::manifest::Pairs;
use rusk_npm::tree::Tree;

use crate::context::InstallContext;
use crate::edit::RequestDirs;
use crate::event::{InstallEvent, Reporter};
use crate::package_provider::PackageProvider;
use crate::plan::{Completeness, Origin, PackageLocation, Plan};
use crate::project::{LoadedLockfile, LockfileOrigin};
use crate::release_facts::release_facts;
use crate::summary::{Change, LocationChange, Summary};
use crate::{development_engines, edit, engines, installable, problem, release_checks};
use rusk_base::folded;
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::members::Members;
use rusk_resolver::{MetadataSource, Resolution, Update};

/// The versions to install, and the files to write for them.
pub struct Decision {
    pub graph: Graph,
    /// Where packages lie, if the lockfile's format says so; else the tree follows from the graph.
    pub tree: Option<Tree>,
    /// As in [`Lockfile`].
    pub instances: Option<Vec<Text>>,
    /// The change to the project's lockfile; `None` when it stays as it is.
    pub lockfile: Option<LockfileChange>,
    /// Whether the lockfile says which peers packages have; if not, those of the graph are missing.
    pub peers: StatedPeers,
    /// Files of the project that are edited, relative to it, and the new contents.
    pub files: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatedPeers {
    All,
    None,
}

impl StatedPeers {
    fn of(lockfile: &Lockfile) -> StatedPeers {
        if lockfile.omits_peers() { StatedPeers::None } else { StatedPeers::All }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockfileChange {
    Write(String),
    /// There are no dependencies any more. Where there was no lockfile, none is written.
    Remove,
}

impl Decision {
    /// The lockfile of the installed versions, whether it is written or not, for the copy in
    /// node_modules; empty for a format whose file must stay in the project.
    pub fn lockfile_text<'a>(&'a self, context: &'a InstallContext) -> Option<&'a str> {
        if context.project.format != Format::Bun {
            return Some("");
        }
        match &self.lockfile {
            None => context.project.lockfile.as_ref().map(|locked| locked.text.as_str()),
            Some(LockfileChange::Write(text)) => Some(text),
            Some(LockfileChange::Remove) => None,
        }
    }
}

pub fn decide(
    context: &InstallContext,
    request: &InstallRequest,
    provider: &mut PackageProvider<'_>,
) -> Result<Decision> {
    development_engines::check(context, request, provider)?;
    if request.edit != Edit::None {
        return decide_edited(context, request, provider);
    }
    let members = &context.project.members;
    let mismatch = match &context.project.lockfile {
        None => Some("there is none".to_owned()),
        Some(locked) => match rusk_resolver::find_mismatch(members, &locked.lockfile)? {
            None => find_changed_directory(members, &locked.lockfile, provider)?,
            mismatch => mismatch,
        }
        .or_else(|| context.patches.find_mismatch(&locked.lockfile)),
    };
    let is_frozen = matches!(request.goal, Goal::Frozen | Goal::Clean);
    match (&context.project.lockfile, mismatch) {
        (Some(locked), None) => {
            if request.engines == Engines::Refuse {
                let locked = locked_engines(&locked.lockfile.graph, &context.platform, provider);
                engines::check(members, &locked, &mut provider.node, request.engines, provider.reporter)?;
            }
            let change = match locked.origin {
                LockfileOrigin::Project => None,
                LockfileOrigin::Binary(_) | LockfileOrigin::NodeModules => {
                    Some(LockfileChange::Write(locked.text.clone()))
                }
            };
            let graph = installable::graph(&locked.lockfile, &context.platform, provider)?;
            let peers = StatedPeers::of(&locked.lockfile);
            let Lockfile { tree, instances, .. } = locked.lockfile.clone();
            Ok(Decision { graph, tree, instances, lockfile: change, peers, files: Vec::new() })
        }
        (None, _) if is_frozen && !members.are_empty() => {
            Err(problem::no_lockfile(context.project.format.file_name()))
        }
        (Some(_), Some(reason)) if is_frozen => {
            Err(problem::frozen(context.project.lockfile_name(), &reason))
        }
        _ => {
            let resolution = resolve(context, members, &Update::Nothing, request, provider)?;
            finish(context, members, resolution, Vec::new(), provider)
        }
    }
}

fn find_changed_directory(
    members: &Members,
    lockfile: &Lockfile,
    provider: &mut PackageProvider<'_>,
) -> Result<Option<String>> {
    let rules = rusk_resolver::rules::of_manifest(&members.project.manifest);
    rusk_resolver::linked_directories::find_mismatch(lockfile, &rules, provider)
}

/// package.json is edited in memory first; its final contents depend on the versions.
fn decide_edited(
    context: &InstallContext,
    request: &InstallRequest,
    provider: &mut PackageProvider<'_>,
) -> Result<Decision> {
    let mut members = context.project.members.clone();
    let has_versions = context.project.lockfile.is_some() || members.are_empty();
    if request.edit == Edit::Deduplicate && !has_versions {
        return Err(problem::nothing_to_deduplicate(context.project.format.file_name()));
    }
    let paths = &context.edited_members;
    for name in edit::nothing_to_remove(&mut members, paths, &request.edit)? {
        let text = format!("nothing to remove: package.json does not depend on `{name}`");
        provider.reporter.on_event(InstallEvent::Warning(&text));
    }
    let project = &context.project;
    let dirs = RequestDirs { project: &project.dir, command: &context.member, tool: project.format.tool() };
    let edits = edit::prepare_all(&mut members, paths, &request.edit, &dirs, provider)?;
    let update = edit::combined_update(&edits);
    let mut resolution = resolve(context, &members, &update, request, provider)?;
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for manifest_edit in &edits {
        manifest_edit.finalize(&mut members, &mut resolution.graph)?;
    }
    // One member's edit may change catalogs in the project's own package.json.
    for manifest_edit in &edits {
        let own = manifest_edit.member.as_deref();
        let before = own.and_then(|path| context.project.members.all().find(|member| member.path == path));
        let changed = own.and_then(|path| members.find_mut(path));
        let changed = changed.filter(|member| before.is_none_or(|before| before.text != member.text));
        files.extend(changed.map(|member| (member.manifest_path(), member.text.clone())));
    }
    // Catalogs are in the project's own files.
    files.extend(members.project.changed_files(&context.project.members.project));
    resolution.rules = rusk_resolver::rules::of_manifest(&members.project.manifest);
    finish(context, &members, resolution, files.into_iter().collect(), provider)
}

fn resolve(
    context: &InstallContext,
    members: &Members,
    update: &Update,
    request: &InstallRequest,
    provider: &mut PackageProvider<'_>,
) -> Result<Resolution> {
    if let Some(warning) = unnamed_members(members) {
        provider.reporter.on_event(InstallEvent::Warning(&warning));
    }
    let old = context.project.previous().map(|(_, lockfile)| lockfile);
    let resolution = release_checks::resolve(context, members, old, update, provider)?;
    for warning in &resolution.warnings {
        provider.reporter.on_event(InstallEvent::Warning(warning));
    }
    let ageless = provider.without_publish_times();
    if !ageless.is_empty() {
        let list = folded::listed(ageless.into_iter());
        let text = format!("the registry has no publish times of {list}: their minimum age is not checked");
        provider.reporter.on_event(InstallEvent::Warning(&text));
    }
    warn_of_deprecated(&resolution.deprecated, provider.reporter);
    for detail in &resolution.details {
        provider.reporter.on_event(InstallEvent::Detail(detail));
    }
    let engines = engines_here(&resolution, &context.platform);
    engines::check(members, &engines, &mut provider.node, request.engines, provider.reporter)?;
    Ok(resolution)
}

/// One line for all deprecated packages; the reasons are details.
fn warn_of_deprecated(deprecated: &[(String, String)], reporter: &mut dyn Reporter) {
    if let [(label, reason)] = deprecated {
        let text = format!("{label} is deprecated: {reason}");
        return reporter.on_event(InstallEvent::Warning(&text));
    }
    if deprecated.is_empty() {
        return;
    }
    for (label, reason) in deprecated {
        reporter.on_event(InstallEvent::Detail(&format!("{label} is deprecated: {reason}")));
    }
    let list = folded::listed(deprecated.iter().map(|(label, _)| label.as_str()));
    let text = format!("{} packages are deprecated: {list} (`--verbose` says why)", deprecated.len());
    reporter.on_event(InstallEvent::Warning(&text));
}

/// One line for all peers out of range; each by itself is a detail.
fn warn_of_peers(violated: &[rusk_resolver::ViolatedPeer], reporter: &mut dyn Reporter) {
    match violated {
        [] => {}
        [one] => reporter.on_event(InstallEvent::Warning(&one.line)),
        _ => {
            for one in violated {
                reporter.on_event(InstallEvent::Detail(&one.line));
            }
            let list = folded::listed(violated.iter().map(|one| one.short.as_str()));
            let count = violated.len();
            let text = format!("{count} peer dependencies are out of range: {list} (`--verbose` says where)");
            reporter.on_event(InstallEvent::Warning(&text));
        }
    }
}

/// The engines of the packages that are installed on this platform.
fn engines_here(resolution: &Resolution, platform: &Platform) -> Vec<(String, Pairs)> {
    let graph = &resolution.graph;
    let is_elsewhere = |id: &PackageId| !graph.package(*id).constraints.admits(platform);
    let elsewhere: HashSet<String> =
        graph.package_ids().filter(is_elsewhere).map(|id| graph.label(id)).collect();
    let is_here = |(label, _): &&(String, Pairs)| !elsewhere.contains(label);
    resolution.engines.iter().filter(is_here).cloned().collect()
}

/// The engines of the lockfile's packages that are installed here; most lockfiles do not have them,
/// so packuments are asked for.
fn locked_engines(
    graph: &Graph,
    platform: &Platform,
    provider: &mut PackageProvider<'_>,
) -> Vec<(String, Pairs)> {
    let is_wanted = |id: &PackageId| {
        let package = graph.package(*id);
        package.source.npm_version().is_some() && package.constraints.admits(platform)
    };
    let wanted: Vec<PackageId> = graph.package_ids().filter(is_wanted).collect();
    for &id in &wanted {
        provider.request(graph.package_name(id));
    }
    let facts = wanted.into_iter().map(|id| (graph.label(id), release_facts(graph, id, provider)));
    facts.filter_map(|(label, facts)| Some((label, facts?.engines))).collect()
}

/// One line for all workspaces without a name; an up-to-date project does not repeat it.
fn unnamed_members(members: &Members) -> Option<String> {
    let (first, rest) = members.unnamed.split_first()?;
    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
    Some(format!("the workspace `{}` has no `name` in its package.json and is skipped{more}", first.path))
}

/// Renders the lockfile. What is installed is what the lockfile says: its rules bind peers and say
/// which copy a package finds, so a later install from it changes nothing.
fn finish(
    context: &InstallContext,
    members: &Members,
    resolution: Resolution,
    files: Vec<(String, String)>,
    provider: &mut PackageProvider<'_>,
) -> Result<Decision> {
    let project = &context.project;
    let Resolution { mut graph, mut rules, origins, .. } = resolution;
    let locked = project.lockfile.as_ref().and_then(|locked| locked.lockfile.rules.as_ref());
    let locked = locked.and_then(|rules| rules.patch_hashes.as_deref());
    rules.patch_hashes = Some(context.patches.hashes(locked));
    let previous = project.previous();
    let previous = previous.map(|(text, lockfile)| Previous { text, lockfile, origins: &origins });
    let placed = rusk_lockfiles::arrange(project.format, previous.as_ref(), &mut graph)?;
    let hoisted = match &placed {
        Some(_) => None,
        None => Some(hoist(&mut graph, &AllDependencies)?),
    };
    let texts = members.manifest_strings();
    let mut new = NewLockfile {
        graph: &graph,
        rules: &rules,
        tree: placed.as_ref().or(hoisted.as_ref()).expect("one of the two was made"),
        members: &texts,
        facts: &mut |id| release_facts(&graph, id, provider),
    };
    let text = rusk_lockfiles::render(project.format, previous.as_ref(), &mut new);
    // What is installed is what the file says, as the next install reads it.
    let read = rusk_lockfiles::read(project.format, &text, &texts)?;
    let graph = installable::graph(&read, &context.platform, provider)?;
    let peers = StatedPeers::of(&read);
    let Lockfile { tree, instances, .. } = read;
    warn_of_peers(&rusk_resolver::violated_peers(&graph, &rules), provider.reporter);
    let is_on_disk = |locked: &&LoadedLockfile| locked.origin != LockfileOrigin::NodeModules;
    let on_disk = project.lockfile.as_ref().filter(is_on_disk);
    let is_empty = members.are_empty() && project.format.is_removed_when_empty();
    let change = match on_disk {
        Some(_) if is_empty => Some(LockfileChange::Remove),
        None if is_empty => None,
        Some(locked) if locked.text == text && !locked.is_binary() => None,
        _ => Some(LockfileChange::Write(text)),
    };
    Ok(Decision { graph, tree, instances, lockfile: change, peers, files })
}

/// Summarizes the changes for the user.
pub fn summarize(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    plan: &Plan,
) -> Summary {
    let locked = context.project.lockfile.as_ref();
    let direct = |graph: &Graph| direct(graph, request.omit);
    let before = locked.map(|locked| direct(&locked.lockfile.graph)).unwrap_or_default();
    let after = direct(&decision.graph);
    // What is for another platform is not installed, whatever the lockfile says of it.
    let is_here = |id: PackageId| decision.graph.package(id).constraints.admits(&context.platform);
    let is_listed = |name: &&String| after.get(*name).is_none_or(|found| is_here(found.package));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).filter(is_listed).collect();
    names.sort();
    names.dedup();
    let changes = names.into_iter().map(|name| change(name, before.get(name), after.get(name)));
    let was_installed = |location: &&PackageLocation| plan.was_installed(&location.path);
    let is_location_link = |location: &PackageLocation| matches!(location.origin, Origin::Location(_));
    let shared = plan.shared.as_ref();
    let is_first = plan.completeness == Completeness::Unknown || plan.make.len() == plan.locations.len();
    let shared_count = shared.map_or(0, |shared| shared.packages.len());
    let shared_new =
        if is_first { shared_count } else { shared.map_or(0, |shared| shared.missing_packages().count()) };
    let direct: Vec<Change> = changes.filter(|change| change.before != change.after).collect();
    let rewrites = matches!(request.edit, Edit::Update { .. } | Edit::UpdatePicked { .. })
        && request.save == Save::Yes
        && request.goal != Goal::DryRun;
    let rewritten = decision.files.iter().filter(|_| rewrites).map(|(path, _)| path.clone());
    let lists_locations = request.goal == Goal::DryRun || request.edit == Edit::Deduplicate;
    Summary {
        locations: if lists_locations { location_changes(decision, plan, &direct) } else { Vec::new() },
        direct,
        rewritten: rewritten.collect(),
        installed: plan.locations.iter().filter(|location| !location.is_link()).count() + shared_count,
        added: plan.made().filter(|location| !location.is_link() && !was_installed(location)).count()
            + shared_new,
        changed: plan.made().filter(|location| !is_location_link(location)).filter(was_installed).count(),
        removed: plan.removed,
        lockfile_format: context.project.format,
        ..Summary::default()
    }
}

/// The locations that get another package or none, but for those of the changed direct
/// dependencies.
fn location_changes(decision: &Decision, plan: &Plan, direct: &[Change]) -> Vec<LocationChange> {
    let is_listed = |path: &str| {
        let name = path.strip_prefix("node_modules/");
        direct.iter().any(|change| Some(change.name.as_str()) == name)
    };
    let version = |location: &PackageLocation| decision.graph.package(location.package).source.shown();
    let changed = plan.made().filter(|location| {
        !matches!(location.origin, Origin::Location(_)) && plan.was_installed(&location.path)
    });
    let changed = changed.map(|at| LocationChange { path: at.path.clone(), after: Some(version(at)) });
    let removed = plan.removed_locations().map(|path| LocationChange { path: path.to_owned(), after: None });
    let mut changes: Vec<LocationChange> =
        changed.chain(removed).filter(|change| !is_listed(&change.path)).collect();
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    changes
}

/// Direct dependencies of the project and its members, and the versions they are bound to; without
/// those that are not installed.
fn direct(graph: &Graph, omit: Omit) -> BTreeMap<String, DirectDependency> {
    let mut direct: BTreeMap<String, DirectDependency> = BTreeMap::new();
    let importers = graph.package_ids().filter(|&id| is_importer(graph, id));
    for (importer, id) in importers.flat_map(|id| graph.dependencies_of(id).map(move |it| (id, it))) {
        let dependency = graph.dependency(id);
        let counts = dependency.role != Role::Workspace && !omit.excludes(dependency.role);
        if let Some(package) = graph.binding(id).filter(|_| counts) {
            let name = graph.name(dependency.name).to_string();
            let found = direct.entry(name).or_insert_with(|| DirectDependency {
                package,
                version: graph.package(package).source.shown(),
                dependents: BTreeSet::new(),
            });
            found.dependents.insert(match &graph.package(importer).source {
                Source::Workspace { path, .. } => path.to_string(),
                _ => String::new(),
            });
        }
    }
    direct
}

/// What the project and its members depend on under one name.
struct DirectDependency {
    package: PackageId,
    version: String,
    /// Paths of those that do.
    dependents: BTreeSet<String>,
}

/// Where the version is the same, another dependent is an addition, and one less a removal.
fn change(name: &str, before: Option<&DirectDependency>, after: Option<&DirectDependency>) -> Change {
    let version = |found: Option<&DirectDependency>| found.map(|found| found.version.clone());
    let mut change = Change { name: name.to_owned(), before: version(before), after: version(after) };
    if let (Some(before), Some(after)) = (before, after)
        && before.version == after.version
    {
        match before.dependents.is_superset(&after.dependents) {
            false => change.before = None,
            true if before.dependents != after.dependents => change.after = None,
            true => {}
        }
    }
    change
}

fn is_importer(graph: &Graph, id: PackageId) -> bool {
    matches!(graph.package(id).source, Source::Root | Source::Workspace { .. })
}
