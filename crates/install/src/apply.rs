//! node_modules compared with the layout to be, and made so.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rusk_base::{Result, files, sys, timeline};
use rusk_npm::bun_lock::ConfigVersion;
use rusk_npm::bunfig::Linker;
use rusk_npm::graph::PackageId;
use rusk_store::Backend;

use crate::decide::{Decided, LockfileChange};
use crate::event::{Event, Events, Phase};
use crate::fetch::Packages;
use crate::hoist::hoist;
use crate::isolate::isolate;
use crate::layout::{Kind, Layout, Wanted};
use crate::link::staging::Staging;
use crate::link::{Workshop, link};
use crate::plan::{Installed, Knowledge, Plan};
use crate::request::{BackendFlag, Goal, Request, Trust};
use crate::site::Site;
use crate::summary::LockfileOutcome;
use crate::{source, state, still};

/// What has to change.
pub fn plan(site: &Site, request: &Request, decided: &Decided) -> Result<Plan> {
    let mut graph = decided.graph.clone();
    let wanted = Wanted { omit: request.omit, platform: site.platform };
    let layout = match linker(site, request, decided) {
        Linker::Hoisted => {
            let tree = hoist(&mut graph, &wanted)?;
            Layout::hoisted(&graph, &tree)
        }
        Linker::Isolated => {
            Layout::isolated(&graph, &isolate(&graph, &wanted, &site.configuration.defaults.hoisting)?)
        }
    };
    let stamp = |id: PackageId| source::stamp(&graph, id, &site.configuration, request.verify);
    Ok(Plan::of(&graph, &layout, &stamp, &installed(site, request)?))
}

/// What the project asks for, else what bun takes its lockfile to mean: since configuration version 1, members of a
/// workspace do not see each other's packages.
fn linker(site: &Site, request: &Request, decided: &Decided) -> Linker {
    let is_isolated =
        decided.config_version == ConfigVersion::V1 && !site.project.members.workspaces.is_empty();
    request.linker.unwrap_or(if is_isolated { Linker::Isolated } else { Linker::Hoisted })
}

fn installed(site: &Site, request: &Request) -> Result<Installed> {
    if request.trust == Trust::Nothing || request.goal == Goal::Clean {
        return Ok(Installed::default());
    }
    match &site.installed {
        Some(installed) => Ok(installed.clone()),
        None => Ok(state::read(open(&site.project.folder)?.as_fd())),
    }
}

/// A project's folder, to work relative to it.
pub fn open(folder: &Path) -> Result<OwnedFd> {
    sys::open_folder(sys::CURRENT, folder).map_err(|errno| files::problem::open_folder(folder, errno))
}

/// Makes it so. `save` writes the project's files, once all that takes space is built; then the record of what is
/// installed goes, and comes back when all is done.
pub fn apply(
    site: &Site,
    request: &Request,
    decided: &Decided,
    plan: &Plan,
    packages: &Packages,
    events: &mut dyn Events,
    save: &dyn Fn() -> Result<LockfileOutcome>,
) -> Result<LockfileOutcome> {
    let folder = &site.project.folder;
    let project = open(folder)?;
    if plan.is_empty() && !Staging::is_left(project.as_fd()) {
        return save_beside(site, decided, plan, project.as_fd(), save);
    }
    events.event(Event::Phase(Phase::Link));
    // The folder comes first: should there be nothing to install next time, it alone says that this was begun.
    let staging = Staging::make(project.as_fd(), folder)?;
    let workshop = Workshop {
        project: folder,
        store: &site.store,
        backend: Backend::probe(&site.store, folder, backend(request.backend))?,
        graph: &decided.graph,
        packages,
        homes: site.project.members.workspaces.iter().map(|member| member.path.clone()).collect(),
        threads: site.threads,
    };
    let mut outcome = LockfileOutcome::Unchanged;
    let mut commit = || {
        outcome = save()?;
        still::forget(&site.record)?;
        state::forget(project.as_fd())
    };
    let linked = link(plan, &workshop, &staging, events, &mut commit);
    // Also when that went wrong: for want of space, perhaps.
    let cleared = timeline::phase("clear away", || staging.clear());
    linked.and(cleared)?;
    let lockfile = decided.lockfile_text(site);
    timeline::phase("record places", || state::write(project.as_fd(), plan, lockfile))?;
    let used = packages.values().collect::<Vec<_>>();
    timeline::phase("record packages", || site.store.write_inventory(&used))?;
    Ok(outcome)
}

/// Writes the project's files where nothing else changes; what node_modules says of its lockfile changes with them.
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
    if plan.kind == Kind::Isolated && plan.knowledge == Knowledge::None {
        files::make_folders_at(project, Path::new("node_modules"))?;
        state::write(project, plan, decided.lockfile_text(site))?;
    }
    Ok(outcome)
}

fn backend(flag: BackendFlag) -> Option<Backend> {
    match flag {
        BackendFlag::Best => None,
        BackendFlag::Hardlink => Some(Backend::Hardlink),
        BackendFlag::Clone => Some(Backend::Clone),
        BackendFlag::Copy => Some(Backend::CopyFileRange),
    }
}
