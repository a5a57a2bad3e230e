//! Compares node_modules with the planned layout and makes the changes.

use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Arc;

use rusk_base::{
    Result, files,
    sys::{self, OwnedFd},
    timeline,
};
use rusk_configuration::Sharing;
use rusk_configuration::request::{BackendFlag, Goal, InstallRequest, Reuse};
use rusk_lockfiles::locations::{Locations, decides, is_inside};
use rusk_lockfiles::{Format, bun};
use rusk_npm::bunfig::Linker;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::name::PackageName;
use rusk_npm::script_approvals::DirectKeys;
use rusk_npm::tree::Tree;
use rusk_resolver::hoist::{DependencyFilter, hoist};
use rusk_resolver::isolate::{isolate, isolate_instances};
use rusk_store::Backend;

use crate::context::InstallContext;
use crate::decide::{Decision, LockfileChange};
use crate::event::{InstallEvent, Phase, Reporter};
use crate::fetch::Packages;
use crate::layout::{InstallFilter, Layout, LayoutKind};
use crate::link::early::{EarlyLinker, LinkStart};
use crate::link::staging::StagingArea;
use crate::link::{LinkContext, link};
use crate::plan::{Completeness, InstalledTree, Plan};
use crate::selection::{install_filter, keep_installed};
use crate::shared::SharedKeys;
use crate::shared::entries::{SharedEntries, links_dir};
use crate::shared::incompatible_tools;
use crate::summary::LockfileOutcome;
use crate::virtual_store::VirtualStore;
use crate::{closure_uses, problem, state, store_keys, stored};

/// Plans what has to change in node_modules.
pub fn plan(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    store_keys: &store_keys::StoreKeys<'_>,
) -> Result<Plan> {
    let mut plan = plan_layout(context, request, decision, store_keys)?;
    if begins_anew(request) && !context.project.members.workspaces.is_empty() {
        plan.replaced = state::read(open(&context.project.dir)?.as_fd()).packages_of_members();
    }
    Ok(plan)
}

fn plan_layout(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    store_keys: &store_keys::StoreKeys<'_>,
) -> Result<Plan> {
    let mut filter = install_filter(context, request, &decision.graph);
    let known = filter.members.is_some().then(|| installed(context, request)).transpose()?;
    if let Some(known) = &known {
        keep_installed(&mut filter, context, &decision.graph, known);
    }
    // Waited for as late as possible: another thread may still be scanning.
    let installed = || known.clone().map_or_else(|| installed(context, request), Ok);
    let linker = linker(context, request);
    if linker == Linker::Hoisted {
        let mut graph = decision.graph.clone();
        let tree = match &decision.tree {
            Some(tree) => installed_tree(&graph, tree, &filter),
            None => hoist(&mut graph, &filter)?,
        };
        let stamp = |id: PackageId| store_keys.stamp(&graph, id);
        return Ok(Plan::of(&graph, Layout::hoisted(&graph, &tree), &stamp, installed()?));
    }
    let graph = &decision.graph;
    let stamp = |id: PackageId| store_keys.stamp(graph, id);
    let defaults = &context.configuration.defaults;
    let isolated = match &decision.instances {
        Some(instances) => isolate_instances(graph, &filter, &defaults.hoisting, instances),
        None => isolate(graph, &filter, &defaults.hoisting)?,
    };
    let store = VirtualStore::of(&context.project);
    let may_fall_back = linker == Linker::Global && defaults.sharing == Sharing::UnlessAToolFails;
    let tool = incompatible_tools::find(&context.project.members).filter(|_| may_fall_back);
    if linker == Linker::Isolated || tool.is_some() {
        let mut plan = Plan::of(graph, Layout::isolated(graph, &isolated, store), &stamp, installed()?);
        plan.note =
            tool.map(|tool| format!("`{tool}` needs its packages in the project, so they are not shared"));
        return Ok(plan);
    }
    let keys = SharedKeys::of(graph, &isolated, &stamp, &mutable_packages(context, graph));
    let cache_dir = &context.configuration.cache_dir;
    let links_dir = links_dir(cache_dir);
    let links = links_dir.to_str().ok_or_else(|| problem::cache_dir_text(cache_dir))?;
    let layout = Layout::global(graph, &isolated, store, &keys, links);
    let shared = SharedEntries::find(graph, &isolated, &keys, &stamp, (cache_dir, request.reuse));
    let mut plan = Plan::of(graph, layout, &stamp, installed()?);
    plan.shared = Some(Box::new(shared));
    Ok(plan)
}

/// The part of the lockfile's tree that is installed: what the project reaches by dependencies that
/// are installed.
fn installed_tree(graph: &Graph, tree: &Tree, filter: &InstallFilter) -> Tree {
    let locations = Locations::of(graph, tree);
    let follows = |package, id| filter.includes(graph, package, id) && decides(graph, package, id);
    let reached = locations.reached(graph, &follows);
    locations.tree(&|location| reached[location.index()])
}

/// Packages whose files may change after installation: patched packages, and those whose install
/// scripts are approved.
fn mutable_packages(context: &InstallContext, graph: &Graph) -> BTreeSet<String> {
    let manifest = &context.project.members.project.manifest;
    let patched = manifest.patched_dependencies.iter().map(|(package, _)| {
        let at = package.rfind('@').filter(|&at| at > 0).unwrap_or(package.len());
        package[..at].to_owned()
    });
    let approvals = &manifest.script_approvals;
    let registry_of = |name: &PackageName| context.configuration.registry_of(name);
    let keys = DirectKeys::of(graph, &registry_of);
    let subjects = graph.package_ids().map(|id| keys.subject(id));
    let approved = subjects.filter(|subject| approvals.may_approve(subject));
    patched.chain(approved.map(|subject| subject.name.to_owned())).collect()
}

/// The linker that the request names, else that of the lockfile's format.
pub fn linker(context: &InstallContext, request: &InstallRequest) -> Linker {
    let has_workspaces = !context.project.members.workspaces.is_empty();
    let default = || match context.project.previous() {
        Some((_, lockfile)) => lockfile.default_linker(has_workspaces),
        None if context.project.format == Format::Bun => {
            bun::BunDetails::default().default_linker(has_workspaces)
        }
        // npm, and Yarn 1.
        None => Linker::Hoisted,
    };
    request.linker.unwrap_or_else(default)
}

/// What the last install made, as far as it is kept.
pub fn installed(context: &InstallContext, request: &InstallRequest) -> Result<Arc<InstalledTree>> {
    if begins_anew(request) {
        return Ok(Arc::default());
    }
    match &context.installed_scan {
        Some(scan) => Ok(scan.wait()),
        None => Ok(Arc::new(state::read(open(&context.project.dir)?.as_fd()))),
    }
}

/// Whether nothing is kept of what is installed.
fn begins_anew(request: &InstallRequest) -> bool {
    request.reuse == Reuse::Nothing || request.goal == Goal::Clean
}

/// Opens a project's directory, to work relative to it.
pub fn open(dir: &Path) -> Result<OwnedFd> {
    sys::open_directory(sys::CWD, dir).map_err(|errno| files::problem::open_directory(dir, errno))
}

/// Applies the plan. `save` writes the project's files, once everything that needs disk space is
/// built. Then the record of installed packages is removed; it is written again when all is done.
pub fn apply(
    context: &InstallContext,
    decision: &Decision,
    plan: &Plan,
    packages: &Packages,
    reporter: &mut dyn Reporter,
    early_linker: &EarlyLinker<'_>,
    save: &dyn Fn() -> Result<LockfileOutcome>,
) -> Result<LockfileOutcome> {
    let (dir, project) = (&context.project.dir, early_linker.project());
    if plan.is_empty() && !StagingArea::is_left(project) {
        return save_beside(context, decision, plan, project, save);
    }
    reporter.on_event(InstallEvent::Phase(Phase::Link));
    // The staging directory is made first: if the next install has nothing to do, this directory
    // alone shows that an install was interrupted.
    let LinkStart { staging, backend, early } = early_linker.finish()?;
    let link_context = LinkContext {
        project: dir,
        cache_dir: &context.configuration.cache_dir,
        store: &context.store,
        backend,
        graph: &decision.graph,
        packages,
        early: &early,
        node_modules: early_linker.node_modules,
        member_dirs: own_directories(context, &decision.graph),
        threads: context.threads,
    };
    if let Some(shared) = &plan.shared {
        closure_uses::add(&context.cache_prefix, dir, &shared.closure)?;
        let made = timeline::phase("make shared packages", || shared.make(&link_context, reporter));
        repaired(made, &link_context, reporter)?;
    }
    let mut outcome = LockfileOutcome::Unchanged;
    let mut commit = || {
        outcome = save()?;
        state::remove_record(project)
    };
    let linked = link(plan, &link_context, &staging, reporter, &mut commit);
    let linked = repaired(linked, &link_context, reporter);
    // Cleared after a failure too: the disk may be full.
    staging.clear_during(reporter, || {
        linked?;
        let lockfile = decision.lockfile_text(context);
        let clock = timeline::phase("record locations", || state::write(project, plan, lockfile))?;
        context.file_clock.get_or_init(|| clock);
        closure_uses::replace(
            &context.cache_prefix,
            dir,
            plan.shared.as_ref().map(|shared| shared.closure.as_str()),
        )?;
        let used = packages.values().collect::<Vec<_>>();
        timeline::phase("record packages", || context.store.write_inventory(&used))
    })?;
    Ok(outcome)
}

/// After packages were found damaged in the store, removes there what is damaged of all packages.
fn repaired(linked: Result<()>, context: &LinkContext<'_>, reporter: &mut dyn Reporter) -> Result<()> {
    if linked.as_ref().is_err_and(problem::is_store_damaged) {
        stored::remove_damaged(context.store, context.packages.values(), reporter)?;
    }
    linked
}

/// The directories of the project that have node_modules of their own: members, and linked
/// directories.
fn own_directories(context: &InstallContext, graph: &Graph) -> Vec<String> {
    let members = context.project.members.workspaces.iter().map(|member| member.path.clone());
    let linked = graph.package_ids().filter_map(|id| match &graph.package(id).source {
        Source::Link { path } if is_inside(path) && graph.dependencies_of(id).next().is_some() => {
            Some(path.to_string())
        }
        _ => None,
    });
    members.chain(linked).collect()
}

/// Writes the project's files when node_modules does not change; the copy of the lockfile in
/// node_modules is updated with them.
fn save_beside(
    context: &InstallContext,
    decision: &Decision,
    plan: &Plan,
    project: BorrowedFd<'_>,
    save: &dyn Fn() -> Result<LockfileOutcome>,
) -> Result<LockfileOutcome> {
    let outcome = save()?;
    if let Some(LockfileChange::Write(text)) = &decision.lockfile
        && let Some(copy) = decision.lockfile_text(context)
        && context.project.lockfile.as_ref().is_none_or(|locked| locked.text != *text)
    {
        state::write_lockfile(project, copy)?;
    }
    // Records that the members were checked, although no link leads to them.
    if plan.kind != LayoutKind::Hoisted && plan.completeness == Completeness::Unknown {
        files::create_directories_at(project, Path::new("node_modules"))?;
        let clock = state::write(project, plan, decision.lockfile_text(context))?;
        context.file_clock.get_or_init(|| clock);
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
