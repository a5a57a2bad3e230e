//! Which versions are installed: what the lockfile says when it still says what package.json says,
//! else what the resolver decides.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::bun_lock::{self, ConfigVersion, Lockfile};
use rusk_npm::credential;
use rusk_npm::graph::{Graph, PackageId, Role, Source};

use crate::event::Event;
use crate::hoist::{Everything, hoist};
use crate::plan::{Knowledge, Origin, Place, Plan};
use crate::project::{Members, Shelf};
use crate::request::{Edit, Engines, Goal, Request};
use crate::resolve::{self, Update};
use crate::shop::Shop;
use crate::site::Site;
use crate::summary::{Change, Summary};
use crate::{edit, engines, problem};

/// The versions to install, and the files that say so.
pub struct Decided {
    pub graph: Graph,
    /// What becomes of the project's lockfile, when it does not stay as it is.
    pub lockfile: Option<LockfileChange>,
    /// The member whose package.json is edited, by its path, and its new text.
    pub manifest: Option<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockfileChange {
    Write(String),
    /// Nothing is asked for any more. Where there was none, none is written.
    Remove,
}

impl Decided {
    /// The lockfile that says what is installed, whether it is written or not.
    pub fn lockfile_text<'a>(&'a self, site: &'a Site) -> Option<&'a str> {
        match &self.lockfile {
            None => site.project.lockfile.as_ref().map(|locked| locked.text.as_str()),
            Some(LockfileChange::Write(text)) => Some(text),
            Some(LockfileChange::Remove) => None,
        }
    }
}

pub fn decide(site: &Site, request: &Request, shop: &mut Shop<'_>) -> Result<Decided> {
    if request.edit != Edit::None {
        return decide_edited(site, request, shop);
    }
    let members = &site.project.members;
    let misfit = match &site.project.lockfile {
        None => Some("there is none".to_owned()),
        Some(locked) => resolve::misfit(members, &locked.lockfile)?,
    };
    let is_frozen = matches!(request.goal, Goal::Frozen | Goal::Clean);
    match (&site.project.lockfile, misfit) {
        (Some(locked), None) => {
            if request.engines == Engines::Refuse {
                engines::check(members, &[], &mut shop.node, request.engines, shop.events)?;
            }
            let change = match locked.shelf {
                Shelf::Project => None,
                Shelf::NodeModules => Some(LockfileChange::Write(locked.text.clone())),
            };
            Ok(Decided { graph: locked.lockfile.graph.clone(), lockfile: change, manifest: None })
        }
        (None, _) if is_frozen && !members.are_empty() => Err(problem::no_lockfile()),
        (Some(_), Some(reason)) if is_frozen => Err(problem::frozen(&reason)),
        _ => {
            let lockfile = resolve(site, members, &Update::Nothing, request, shop)?;
            finish(site, members, lockfile, None)
        }
    }
}

/// package.json changes first, in memory; what it finally says depends on the versions.
fn decide_edited(site: &Site, request: &Request, shop: &mut Shop<'_>) -> Result<Decided> {
    let mut members = site.project.members.clone();
    let draft = edit::begin(&mut members, &site.member, &request.edit, shop)?;
    let mut lockfile = resolve(site, &members, &draft.update, request, shop)?;
    draft.settle(&mut members, &mut lockfile.graph)?;
    let changed = draft.member.as_deref().and_then(|path| members.at_mut(path));
    let manifest = changed.map(|member| (member.path.clone(), member.text.clone()));
    finish(site, &members, lockfile, manifest)
}

fn resolve(
    site: &Site,
    members: &Members,
    update: &Update,
    request: &Request,
    shop: &mut Shop<'_>,
) -> Result<Lockfile> {
    let old = site.project.lockfile.as_ref().map(|locked| &locked.lockfile);
    let resolution = resolve::resolve(members, old, update, shop)?;
    for warning in &resolution.warnings {
        shop.events.event(Event::Warning(warning));
    }
    for detail in &resolution.details {
        shop.events.event(Event::Detail(detail));
    }
    engines::check(members, &resolution.engines, &mut shop.node, request.engines, shop.events)?;
    Ok(Lockfile {
        format: old.and_then(|old| old.format),
        config_version: old.map_or(ConfigVersion::V1, |old| old.config_version),
        graph: resolution.graph,
        rules: resolution.rules,
    })
}

fn finish(
    site: &Site,
    members: &Members,
    mut lockfile: Lockfile,
    manifest: Option<(String, String)>,
) -> Result<Decided> {
    let tree = hoist(&mut lockfile.graph, &Everything)?;
    let text = bun_lock::render(&lockfile, &tree, credential::default_registry());
    debug_assert!(bun_lock::parse(&text).is_ok(), "what is written can be read:\n{text}");
    let on_disk = site.project.lockfile.as_ref().filter(|locked| locked.shelf == Shelf::Project);
    let change = match on_disk {
        Some(_) if members.are_empty() => Some(LockfileChange::Remove),
        None if members.are_empty() => None,
        Some(locked) if locked.text == text => None,
        _ => Some(LockfileChange::Write(text)),
    };
    Ok(Decided { graph: lockfile.graph, lockfile: change, manifest })
}

/// What changes for the user.
pub fn summarize(site: &Site, decided: &Decided, plan: &Plan) -> Summary {
    let before =
        site.project.lockfile.as_ref().map(|locked| direct(&locked.lockfile.graph)).unwrap_or_default();
    let after = direct(&decided.graph);
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let changes = names.into_iter().map(|name| Change {
        name: name.clone(),
        before: before.get(name).cloned(),
        after: after.get(name).cloned(),
    });
    let was_there = |place: &&Place| plan.was_there(&place.path);
    let leads_to_place = |place: &Place| matches!(place.origin, Origin::Place(_));
    let shared = plan.shared.as_ref();
    let is_first = plan.knowledge == Knowledge::None || plan.make.len() == plan.places.len();
    let shared_count = shared.map_or(0, |shared| shared.packages);
    let shared_new = if is_first { shared_count } else { shared.map_or(0, |shared| shared.wanted().count()) };
    Summary {
        direct: changes.filter(|change| change.before != change.after).collect(),
        installed: plan.places.iter().filter(|place| !place.is_link()).count() + shared_count,
        added: plan.made().filter(|place| !place.is_link() && !was_there(place)).count() + shared_new,
        changed: plan.made().filter(|place| !leads_to_place(place)).filter(was_there).count(),
        removed: plan.removed,
        ..Summary::default()
    }
}

/// What the project and its members ask for, and what they get.
fn direct(graph: &Graph) -> BTreeMap<String, String> {
    let mut direct = BTreeMap::new();
    let importers = graph.package_ids().filter(|&id| is_importer(graph, id));
    for id in importers.flat_map(|importer| graph.dependencies_of(importer)) {
        let dependency = graph.dependency(id);
        if let Some(bound) = graph.binding(id).filter(|_| dependency.role != Role::Workspace) {
            let name = graph.name(dependency.name).to_string();
            direct.entry(name).or_insert_with(|| graph.package(bound).source.text());
        }
    }
    direct
}

fn is_importer(graph: &Graph, id: PackageId) -> bool {
    matches!(graph.package(id).source, Source::Root | Source::Workspace { .. })
}
