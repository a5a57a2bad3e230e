//! Runs an install: a project's directory and a request in, node_modules and a lockfile out.

use std::mem::ManuallyDrop;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_base::timeline::phase;
use rusk_base::{Result, files};
use rusk_configuration::request::{Goal, HostEnvironment, InstallRequest, Save, Scripts};
use rusk_configuration::{Configuration, effective, settings};
use rusk_lockfiles::Format;
use rusk_lockfiles::bun::binary;
use rusk_registry::Client;
use rusk_resolver::members::ProjectMember;
use rusk_store::Package;

use crate::context::{InstallContext, ProjectRoot};
use crate::decide::{self, Decision, LockfileChange, StatedPeers};
use crate::dependency_scripts::{self, ScriptRecord, ScriptReview};
use crate::event::{InstallEvent, Phase, Reporter};
use crate::link::early::EarlyLinker;
use crate::package_provider::PackageProvider;
use crate::plan::{Completeness, Plan};
use crate::project::{LoadedLockfile, Project};
use crate::scripts::{self, ScriptContext, Stage};
use crate::summary::{LockfileOutcome, Summary, Times};
use crate::up_to_date::{self, FinishedInstall, WarningTracker};
use crate::{apply, fetch, problem, security_scan, signatures, state, store_keys};
use crate::{unstated, unverified};

/// Installs the project in `dir`, or the one that it is a workspace of.
pub fn install(
    dir: &Path,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    again_if_store_damaged(|| try_install(dir, request, host, reporter))
}

/// What was damaged in the store is removed there when it is found; a second install downloads it
/// again.
fn again_if_store_damaged(mut install: impl FnMut() -> Result<Summary>) -> Result<Summary> {
    match install() {
        Err(problem) if problem::is_store_damaged(&problem) => install(),
        outcome => outcome,
    }
}

fn try_install(
    dir: &Path,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    let clock = Clock::start();
    let mut stamp = up_to_date::find_stamp(dir, request);
    let check = || up_to_date::check_before_configuration(stamp.as_ref(), request, host);
    if let Some(summary) = phase("up-to-date check", check) {
        return Ok(clock.stop(summary));
    }
    let root = phase("read configuration", || ProjectRoot::find(dir, request, host))?;
    let effective = effective::request(request, &root.configuration.defaults);
    if root.path != dir {
        stamp = up_to_date::find_stamp(&root.path, request);
    }
    let check =
        || up_to_date::check_with_configuration(stamp.as_ref(), &root.path, &root.configuration, &effective);
    if let Some(summary) = phase("up-to-date check with configuration", check) {
        return Ok(clock.stop(summary));
    }
    let mut reporter = WarningTracker { reporter, warned: false };
    let context = phase("read project", || root.open(request, host, &mut reporter))?;
    install_at(&context, clock, request, host, &mut reporter)
}

/// Downloads the packages of the lockfile into the store; nothing in the project changes. In the
/// summary, `installed` counts those packages.
pub fn fetch_locked(
    dir: &Path,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    let context = ProjectRoot::find(dir, request, host)?.open(request, host, reporter)?;
    let request = &effective::request(request, &context.configuration.defaults);
    let client = Client::start(settings::of(&context.configuration, request, host))?;
    let offer = |_: &Package| {};
    let mut provider = context.provider(&client, request, host, reporter, &offer);
    let decision = decide::decide(&context, request, &mut provider)?;
    unverified::check(&decision.graph, &context, request)?;
    fetch::fetch_graph(&context, request, &decision.graph, provider)
}

/// The packages of the lockfile that have install scripts, downloaded where they are missing. Waits
/// for no install: nothing in the project is changed.
pub fn review_scripts(
    dir: &Path,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<ScriptReview> {
    let root = ProjectRoot::find(dir, request, host)?;
    // The lock of a project makes it otherwise.
    files::create_directories(&root.configuration.cache_dir)?;
    let context = root.open_to_read(request, host, reporter)?;
    let request = &effective::request(request, &context.configuration.defaults);
    let client = Client::start(settings::of(&context.configuration, request, host))?;
    let offer = |_: &Package| {};
    let mut provider = context.provider(&client, request, host, reporter, &offer);
    let decision = decide::decide(&context, request, &mut provider)?;
    let packages = fetch::fetch_packages(&context, request, &decision.graph, provider)?;
    ScriptReview::of(&context, &decision.graph, &packages)
}

/// Installs a project with a given configuration; none is looked up in its directory or above.
pub fn install_configured(
    dir: &Path,
    configuration: Configuration,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    again_if_store_damaged(|| {
        let clock = Clock::start();
        let mut reporter = WarningTracker { reporter, warned: false };
        let configuration = configuration.clone();
        let context = InstallContext::open_configured(dir, configuration, request, host, &mut reporter)?;
        install_at(&context, clock, request, host, &mut reporter)
    })
}

fn install_at(
    context: &InstallContext,
    mut clock: Clock,
    given: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut WarningTracker<'_>,
) -> Result<Summary> {
    // Warnings so far are those of the configuration and of package.json, which must be repeated.
    let is_warned = reporter.warned;
    let request = &effective::request(given, &context.configuration.defaults);
    let client = Client::start(settings::of(&context.configuration, request, host))?;
    let project = apply::open(&context.project.dir)?;
    let early_linker = EarlyLinker::new(context, request, project.as_fd());
    let offer = |package: &Package| early_linker.offer(package);
    let mut provider = context.provider(&client, request, host, reporter, &offer);

    provider.reporter.on_event(InstallEvent::Phase(Phase::Resolve));
    // Not dropped: the process ends soon, and thousands of packages take time to free.
    let mut decision =
        ManuallyDrop::new(phase("resolve", || decide::decide(context, request, &mut provider))?);
    unverified::check(&decision.graph, context, request)?;
    let keys =
        store_keys::StoreKeys::of(&decision.graph, &context.configuration, &context.patches, request.verify);
    for package in context.patches.unused(&decision.graph) {
        let text = unused_patch(&context.project, package);
        provider.reporter.on_event(InstallEvent::Warning(&text));
    }
    if early_linker.predicts_locations() {
        phase("prefetch", || fetch::prefetch_all(context, request, &decision.graph, &keys, &mut provider))?;
    }
    add_peers(context, request, &mut decision, &keys, &mut provider)?;
    let plan = ManuallyDrop::new(phase("plan", || apply::plan(context, request, &decision, &keys))?);
    let mut summary = decide::summarize(context, request, &decision, &plan);
    clock.lap(|times| &mut times.resolve);
    if request.goal == Goal::DryRun {
        summary.lockfile = LockfileOutcome::withheld(decision.lockfile.is_some());
        return Ok(clock.stop(summary));
    }
    security_scan::check(context, given, host, &decision, &plan, provider.reporter)?;
    if let Some(note) = plan.note.as_ref().filter(|_| !plan.is_empty()) {
        provider.reporter.on_event(InstallEvent::Warning(note));
    }
    let packages = ManuallyDrop::new(phase("fetch", || {
        fetch::fetch(context, request, &decision, &plan, &keys, provider, &mut summary)
    })?);
    clock.lap(|times| &mut times.fetch);

    let scripted = dependency_scripts::find(context, request, &decision, &plan, &packages)?;
    scripted.warn(reporter);
    scripted.check_blocked(request)?;
    signatures::check(request, &client, &decision.graph, &plan, &packages, reporter)?;
    // Removed when packages are linked.
    let mut record = ScriptRecord::read(project.as_fd());

    let save = || write_files(context, request, &decision);
    summary.lockfile = match request.goal {
        Goal::LockfileOnly => save()?,
        _ => phase("link", || {
            apply::apply(context, &decision, &plan, &packages, reporter, &early_linker, &save)
        })?,
    };
    if summary.lockfile == LockfileOutcome::Written && is_binary(context) {
        let text = format!("{} was replaced by {}", binary::FILE_NAME, context.project.format.file_name());
        reporter.on_event(InstallEvent::Warning(&text));
    }
    clock.lap(|times| &mut times.link);
    summary.scripts_run = phase("scripts of dependencies", || {
        dependency_scripts::run(context, request, host, &scripted, &mut record, reporter)
    })?;
    summary.scripts_not_rerun = scripted.not_rerun(&request.dependency_scripts.reruns, &summary.scripts_run);
    summary.scripts_held_back = scripted.held_back_labels(&record);
    summary.scripts_ignored = request.scripts == Scripts::Ignore;
    phase("scripts", || run_scripts(context, request, host, &plan, reporter))?;
    clock.lap(|times| &mut times.scripts);
    // Warnings about versions are given when they are resolved; versions in a lockfile are not
    // resolved again.
    let warns_again = is_warned || (reporter.warned && summary.lockfile != LockfileOutcome::Written);
    let outcome = FinishedInstall { context, given, request, decision: &decision, plan: &plan, warns_again };
    phase("record", || up_to_date::write_stamp(&outcome, host))?;
    // After the record: they must not prevent that the next install is found up to date.
    if plan.completeness == Completeness::Unknown {
        for note in &context.configuration.notes {
            reporter.on_event(InstallEvent::Warning(note));
        }
    }
    Ok(clock.stop(summary))
}

fn unused_patch(project: &Project, package: &str) -> String {
    let reason =
        format!("the patch of `{package}` is not used: no such package of a registry is in the lockfile");
    match project.format {
        Format::Pnpm => {
            format!("{reason}; pnpm refuses to install until it is gone from `patchedDependencies`")
        }
        _ => reason,
    }
}

/// Adds the peers that the lockfile does not state.
fn add_peers(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &mut Decision,
    keys: &store_keys::StoreKeys<'_>,
    provider: &mut PackageProvider<'_>,
) -> Result<()> {
    if decision.peers == StatedPeers::None && request.goal != Goal::LockfileOnly {
        let graph = &decision.graph;
        decision.graph =
            phase("read peers", || unstated::peers::add_peers(context, request, graph, keys, provider))?;
    }
    Ok(())
}

/// Writes package.json and then the lockfile: interrupted between the two, the next install
/// resolves what is new again. `--no-save` and frozen installs write neither.
fn write_files(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
) -> Result<LockfileOutcome> {
    let withheld = request.save == Save::No || matches!(request.goal, Goal::Frozen | Goal::Clean);
    if withheld {
        return Ok(LockfileOutcome::withheld(decision.lockfile.is_some()));
    }
    let manifests = decision.files.iter().map(|(path, text)| (context.project.dir.join(path), text));
    let lockfile = match &decision.lockfile {
        Some(LockfileChange::Write(text)) => Some((context.project.lockfile_path(), text)),
        _ => None,
    };
    let written: Vec<(PathBuf, &String)> = manifests.chain(lockfile).collect();
    let written: Vec<(&Path, &[u8])> =
        written.iter().map(|(path, text)| (&**path, text.as_bytes())).collect();
    files::write_together(&written)?;
    match &decision.lockfile {
        None => Ok(LockfileOutcome::Unchanged),
        Some(LockfileChange::Write(_)) => {
            // Otherwise bun before 1.2 would go on with versions that the project no longer has.
            if is_binary(context) {
                files::remove_file(&context.project.dir.join(binary::FILE_NAME))?;
            }
            Ok(LockfileOutcome::Written)
        }
        Some(LockfileChange::Remove) => {
            let path = context.project.dir.join(context.project.lockfile_name());
            files::remove_file(&path).map(|()| LockfileOutcome::Removed)
        }
    }
}

fn is_binary(context: &InstallContext) -> bool {
    context.project.lockfile.as_ref().is_some_and(LoadedLockfile::is_binary)
}

/// Runs the lifecycle scripts of the project, and those of members that were relinked; members
/// first, as they may build what the project needs.
fn run_scripts(
    context: &InstallContext,
    request: &InstallRequest,
    host: &HostEnvironment,
    plan: &Plan,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    let runs_here = matches!(request.goal, Goal::Install | Goal::Frozen | Goal::Clean);
    if request.scripts != Scripts::Run || !runs_here {
        return Ok(());
    }
    let members = &context.project.members;
    let named_tool = members.project.manifest.package_manager.as_deref();
    let user_agent = context.project.format.script_user_agent(named_tool, &host.user_agent);
    let host = &HostEnvironment { user_agent, ..host.clone() };
    let fresh = members.workspaces.iter().filter(|member| plan.relinks_member(&member.path));
    let selected = context.installed_members(request);
    let is_selected = |member: &&ProjectMember| selected.is_none_or(|paths| paths.contains(&member.path));
    for member in fresh.chain([&members.project]).filter(is_selected) {
        let script_context = ScriptContext {
            project_dir: &context.project.dir,
            member_dir: &context.project.dir_of(member),
            manifest: &member.manifest,
            host,
            output: host.script_output,
        };
        let before = scripts::run(Stage::Before, &script_context, reporter);
        let ran = before.and_then(|()| scripts::run(Stage::After, &script_context, reporter));
        if ran.is_err() && script_context.member_dir != script_context.project_dir {
            // A member's scripts run when it is relinked; without the record, the next install runs
            // them again.
            state::remove_record(apply::open(&context.project.dir)?.as_fd())?;
        }
        ran?;
    }
    Ok(())
}

/// Measures the phases.
struct Clock {
    start: Instant,
    last: Instant,
    times: Times,
}

impl Clock {
    fn start() -> Clock {
        let now = Instant::now();
        Clock { start: now, last: now, times: Times::default() }
    }

    fn lap(&mut self, phase: impl Fn(&mut Times) -> &mut std::time::Duration) {
        let now = Instant::now();
        *phase(&mut self.times) += now - self.last;
        self.last = now;
    }

    fn stop(mut self, mut summary: Summary) -> Summary {
        self.times.total = self.start.elapsed();
        summary.times = self.times;
        summary
    }
}
