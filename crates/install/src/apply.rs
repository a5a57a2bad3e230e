//! node_modules compared with the layout to be, and made so.

use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Arc;

use rusk_base::{
    Result, files,
    sys::{self, OwnedFd},
    timeline,
};
use rusk_npm::bun_lock::ConfigVersion;
use rusk_npm::bunfig::Linker;
use rusk_npm::graph::PackageId;
use rusk_store::Backend;

use crate::configuration::Sharing;
use crate::decide::{Decided, LockfileChange};
use crate::event::{Event, Events, Phase};
use crate::fetch::Packages;
use crate::hoist::hoist;
use crate::isolate::isolate;
use crate::layout::{Kind, Layout, Wanted};
use crate::link::ahead::{Ahead, Start};
use crate::link::staging::Staging;
use crate::link::{Workshop, link};
use crate::plan::{Installed, Knowledge, Plan};
use crate::request::{BackendFlag, Goal, Request, Trust};
use crate::shared::Keys;
use crate::shared::make::{Shared, links_dir};
use crate::shared::tools;
use crate::site::Site;
use crate::summary::LockfileOutcome;
use crate::{problem, source, state, uses};

/// What has to change.
pub fn plan(site: &Site, request: &Request, decided: &Decided, names: &source::Keys<'_>) -> Result<Plan> {
    let wanted = Wanted { omit: request.omit, platform: site.platform };
    // Asked for as late as can be: another thread may still look.
    let installed = || installed(site, request);
    let linker = linker(site, request);
    if linker == Linker::Hoisted {
        let mut graph = decided.graph.clone();
        let tree = hoist(&mut graph, &wanted)?;
        let stamp = |id: PackageId| names.stamp(&graph, id);
        return Ok(Plan::of(&graph, Layout::hoisted(&graph, &tree), &stamp, installed()?));
    }
    let graph = &decided.graph;
    let stamp = |id: PackageId| names.stamp(graph, id);
    let isolated = isolate(graph, &wanted, &site.configuration.defaults.hoisting)?;
    let defaults = &site.configuration.defaults;
    let may_fall_back = linker == Linker::Global && defaults.sharing == Sharing::UnlessAToolFails;
    let tool = tools::find(&site.project.members).filter(|_| may_fall_back);
    if linker == Linker::Isolated || tool.is_some() {
        let mut plan = Plan::of(graph, Layout::isolated(graph, &isolated), &stamp, installed()?);
        plan.note =
            tool.map(|tool| format!("`{tool}` needs its packages in the project, so they are not shared"));
        return Ok(plan);
    }
    let keys = Keys::of(graph, &isolated, &stamp, &barred(site));
    let cache_dir = &site.configuration.cache_dir;
    let links_dir = links_dir(cache_dir);
    let links = links_dir.to_str().ok_or_else(|| problem::cache_dir_text(cache_dir))?;
    let layout = Layout::global(graph, &isolated, &keys, links);
    let shared = Shared::find(graph, &isolated, &keys, &stamp, (cache_dir, request.trust));
    let mut plan = Plan::of(graph, layout, &stamp, installed()?);
    plan.shared = Some(Box::new(shared));
    Ok(plan)
}

/// Packages whose files may change once they are installed: patched, or with scripts that are
/// approved.
fn barred(site: &Site) -> BTreeSet<String> {
    let manifest = &site.project.members.project.manifest;
    let patched = manifest.patched_dependencies.iter().map(|(package, _)| {
        let at = package.rfind('@').filter(|&at| at > 0).unwrap_or(package.len());
        package[..at].to_owned()
    });
    patched.chain(manifest.trusted_dependencies.iter().flatten().cloned()).collect()
}

/// What the project asks for, else what bun takes its lockfile to mean: since configuration version
/// 1, members of a workspace do not see each other's packages.
pub fn linker(site: &Site, request: &Request) -> Linker {
    let version = site.project.lockfile.as_ref().map(|locked| locked.lockfile.config_version);
    let is_isolated =
        version.unwrap_or_default() == ConfigVersion::V1 && !site.project.members.workspaces.is_empty();
    request.linker.unwrap_or(if is_isolated { Linker::Isolated } else { Linker::Hoisted })
}

fn installed(site: &Site, request: &Request) -> Result<Arc<Installed>> {
    if request.trust == Trust::Nothing || request.goal == Goal::Clean {
        return Ok(Arc::default());
    }
    match &site.look {
        Some(look) => Ok(look.installed()),
        None => Ok(Arc::new(state::read(open(&site.project.folder)?.as_fd()))),
    }
}

/// A project's folder, to work relative to it.
pub fn open(folder: &Path) -> Result<OwnedFd> {
    sys::open_folder(sys::CURRENT, folder).map_err(|errno| files::problem::open_folder(folder, errno))
}

/// Makes it so. `save` writes the project's files, once all that takes space is built; then the
/// record of what is installed goes, and comes back when all is done.
pub fn apply(
    site: &Site,
    decided: &Decided,
    plan: &Plan,
    packages: &Packages,
    events: &mut dyn Events,
    ahead: &Ahead<'_>,
    save: &dyn Fn() -> Result<LockfileOutcome>,
) -> Result<LockfileOutcome> {
    let (folder, project) = (&site.project.folder, ahead.project());
    if plan.is_empty() && !Staging::is_left(project) {
        return save_beside(site, decided, plan, project, save);
    }
    events.event(Event::Phase(Phase::Link));
    // The folder comes first: should there be nothing to install next time, it alone says that this
    // was begun.
    let Start { staging, backend, ready } = ahead.finish()?;
    let workshop = Workshop {
        project: folder,
        cache_dir: &site.configuration.cache_dir,
        store: &site.store,
        backend,
        graph: &decided.graph,
        packages,
        ready: &ready,
        modules: ahead.modules,
        homes: site.project.members.workspaces.iter().map(|member| member.path.clone()).collect(),
        threads: site.threads,
    };
    if let Some(shared) = &plan.shared {
        uses::add(&site.record, folder, &shared.closure)?;
        timeline::phase("make shared packages", || shared.make(&workshop, events))?;
    }
    let mut outcome = LockfileOutcome::Unchanged;
    let mut commit = || {
        outcome = save()?;
        state::forget(project)
    };
    let linked = link(plan, &workshop, &staging, events, &mut commit);
    // Cleared also when that went wrong: for want of space, perhaps.
    staging.clear_beside(|| {
        linked?;
        let lockfile = decided.lockfile_text(site);
        let clock = timeline::phase("record places", || state::write(project, plan, lockfile))?;
        site.file_clock.get_or_init(|| clock);
        uses::set(&site.record, folder, plan.shared.as_ref().map(|shared| shared.closure.as_str()))?;
        let used = packages.values().collect::<Vec<_>>();
        timeline::phase("record packages", || site.store.write_inventory(&used))
    })?;
    Ok(outcome)
}

/// Writes the project's files where nothing else changes; what node_modules says of its lockfile
/// changes with them.
fn save_beside(
    site: &Site,
    decided: &Decided,
    plan: &Plan,
    project: BorrowedFd<'_>,
    save: &dyn Fn() -> Result<LockfileOutcome>,
) -> Result<LockfileOutcome> {
    let outcome = save()?;
    if let Some(LockfileChange::Write(text)) = &decided.lockfile
        && site.project.lockfile.as_ref().is_none_or(|locked| locked.text != *text)
    {
        state::write_lockfile(project, text)?;
    }
    // So that the members, which nothing may lead to, are known to have been seen.
    if plan.kind != Kind::Hoisted && plan.knowledge == Knowledge::None {
        files::make_folders_at(project, Path::new("node_modules"))?;
        let clock = state::write(project, plan, decided.lockfile_text(site))?;
        site.file_clock.get_or_init(|| clock);
    }
    Ok(outcome)
}

pub fn backend(flag: BackendFlag) -> Option<Backend> {
    match flag {
        BackendFlag::Best => None,
        BackendFlag::Hardlink => Some(Backend::Hardlink),
        BackendFlag::Clone => Some(Backend::Clone),
        BackendFlag::Copy => Some(Backend::CopyFileRange),
    }
}
