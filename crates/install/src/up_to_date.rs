//! Up-to-date check: whether a project is unchanged since its last install, by `stat` alone. In:
//! the stamp of that install, its request, and the current one. Out: nothing is left to do, or the
//! install must run.
//!
//! A stamp lists every file that was read, configuration files included, and every directory of
//! locations, each with a fingerprint. A stamp that is damaged, has another request, or lists
//! anything that changed (or may have, within one step of the clock) is not used.
//!
//! The check runs twice: before the configuration is read, for an identical request; and after it,
//! for another request that leads to the same configuration. Absent: files inside packages;
//! installs whose warnings must be repeated; projects without a node_modules.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::statx_batch::PathBatch;
use rusk_base::{Result, files, sys};
use rusk_configuration::Configuration;
use rusk_configuration::request::{
    BlockedScripts, Edit, Engines, Goal, HostEnvironment, InstallRequest, Reruns, Reuse, Scripts,
};
use rusk_lockfiles::bun::binary;
use rusk_lockfiles::locations::is_inside;
use rusk_lockfiles::{BYTES_MAX, Format, pnpm_workspace};
use rusk_npm::graph::{Graph, Source};
use rusk_resolver::members::MANIFEST_NAME;

use crate::apply;
use crate::context::InstallContext;
use crate::decide::{Decision, LockfileChange};
use crate::event::{InstallEvent, Reporter};
use crate::link::staging;
use crate::plan::Plan;
use crate::project::{LoadedLockfile, LockfileOrigin};
use crate::scripts::{self, Stage};
use crate::state::{self, FileStat, TrackedDirectory};
use crate::summary::Summary;
use rusk_npm::configuration_inputs::VOLATILE_VARIABLES;
use stamp::{FileFingerprint, FileRole, NO_DIGEST, RequestDigest, StampWriter};

pub use stamp::InstallStamp;

mod stamp;

/// Chained links, as many as the kernel follows (`ELOOP`).
const LINKS_MAX: usize = 40;

/// The stamp of the project in a directory, if this request may use it.
pub fn find_stamp(dir: &Path, request: &InstallRequest) -> Option<InstallStamp> {
    may_be_skipped(request).then(|| InstallStamp::find(dir)).flatten()
}

/// The summary of an up-to-date install, before anything but its stamp is read.
pub fn check_before_configuration(
    stamp: Option<&InstallStamp>,
    request: &InstallRequest,
    host: &HostEnvironment,
) -> Option<Summary> {
    stamp?.installed(RequestDigest::BeforeConfiguration(&raw_digest(request, host))).map(summary)
}

/// The summary of an up-to-date install, if the project in `dir` is unchanged.
pub fn check_with_configuration(
    stamp: Option<&InstallStamp>,
    dir: &Path,
    configuration: &Configuration,
    request: &InstallRequest,
) -> Option<Summary> {
    let stamp = stamp.filter(|_| may_be_skipped(request))?;
    stamp
        .installed(RequestDigest::AfterConfiguration(&configured_digest(dir, configuration, request)))
        .map(summary)
}

fn summary(installed: usize) -> Summary {
    Summary { installed, ..Summary::default() }
}

/// A finished install.
pub struct FinishedInstall<'a> {
    pub context: &'a InstallContext,
    /// The request as given, and the effective one.
    pub given: &'a InstallRequest,
    pub request: &'a InstallRequest,
    pub decision: &'a Decision,
    pub plan: &'a Plan,
    /// Whether the next install has to repeat warnings of this one.
    pub warns_again: bool,
}

/// Writes the stamp, if a later install may rely on it; else removes it.
pub fn write_stamp(outcome: &FinishedInstall<'_>, host: &HostEnvironment) -> Result<()> {
    let FinishedInstall { context, request, plan, .. } = outcome;
    let is_unsure = outcome.warns_again
        || runs_scripts(context, request)
        || !is_immutable(context, &outcome.decision.graph, plan);
    let project = apply::open(&context.project.dir)?;
    let is_sure = may_be_skipped(request) && !is_unsure;
    let writer = if is_sure { make_stamp(outcome, host, project.as_fd())? } else { None };
    match writer {
        Some(writer) => writer.write(project.as_fd()),
        None => stamp::remove(project.as_fd()),
    }
    Ok(())
}

/// Removes the stamp: what it is of is about to change.
pub fn remove_stamp(project: BorrowedFd<'_>) {
    stamp::remove(project);
}

/// Makes the stamp; `None` if a path cannot be written, or if a file changed meanwhile.
fn make_stamp(
    outcome: &FinishedInstall<'_>,
    host: &HostEnvironment,
    project: BorrowedFd<'_>,
) -> Result<Option<StampWriter>> {
    let FinishedInstall { context, given, request, plan, .. } = outcome;
    let shared = plan.shared.as_ref().map_or(0, |shared| shared.packages.len());
    let installed = plan.locations.iter().filter(|location| !location.is_link()).count() + shared;
    let configuration = configuration_files(context);
    let raw = if configuration.is_some() { raw_digest(given, host) } else { NO_DIGEST.to_owned() };
    let clock = *context.file_clock.get_or_init(|| state::file_clock(project));
    let configured = configured_digest(&context.project.dir, &context.configuration, request);
    let mut writer = StampWriter::new(&raw, &configured, installed);
    let files = input_files(context, configuration.unwrap_or_default());
    let mut roles: BTreeMap<&str, (FileRole, Option<FileStat>)> =
        files.iter().map(|(path, role)| (path.as_str(), (*role, None))).collect();
    // The earlier status of an unchanged directory shows any change since then.
    let stat = |dir: &TrackedDirectory| dir.stat.filter(|found| clock.is_fine_on(found.device));
    let directories = state::tracked_directories(plan).iter();
    roles.extend(directories.map(|dir| (dir.path.as_str(), (FileRole::Project, stat(dir)))));
    let mut to_stat = PathBatch::default();
    let unknown = roles.iter().filter(|(_, (_, stat))| stat.is_none());
    unknown.for_each(|(path, _)| to_stat.add(path));
    let fingerprints =
        to_stat.lstatx_all(project, state::stat_strategy(plan), |stat| stat.ok().map(FileFingerprint::of));
    let mut fingerprints = fingerprints.into_iter();
    let mut added = roles.iter().map(|(path, (role, stat))| {
        let fingerprint = match stat {
            Some(found) => Some(FileFingerprint::of_stat(found)),
            None => fingerprints.next().flatten(),
        };
        // A `.bin` that is created later changes its parent directory, which is tracked.
        let is_watched = fingerprint.is_some() || !path.ends_with("/.bin");
        if is_watched { writer.add(fingerprint, clock, *role, path) } else { Some(()) }
    });
    let can_be_written = added.all(|added| added.is_some());
    // Checked after the fingerprints: contents read now are as old as the fingerprints, or these
    // will not match.
    Ok((can_be_written && inputs_unchanged(outcome)?).then_some(writer))
}

/// All files that were read or looked up, and their role.
fn input_files(context: &InstallContext, configuration: Vec<String>) -> BTreeMap<String, FileRole> {
    let dir = &context.project.dir;
    let with_role = |role: FileRole| move |path: String| (path, role);
    let configuration = configuration.into_iter().flat_map(|file| with_links(dir, file));
    let mut files: BTreeMap<String, FileRole> =
        configuration.map(with_role(FileRole::Configuration)).collect();
    let found = project_files(context).into_iter().flat_map(|file| with_links(dir, file));
    files.extend(found.chain(["node_modules".to_owned()]).map(with_role(FileRole::Project)));
    files
}

/// Whether the project's files did not change during this install.
fn inputs_unchanged(outcome: &FinishedInstall<'_>) -> Result<bool> {
    let FinishedInstall { context, decision, .. } = outcome;
    let dir = &context.project.dir;
    if !crate::project::match_disk(&context.project.members, dir) || !context.patches.match_disk(dir) {
        return Ok(false);
    }
    if let Some(LoadedLockfile { origin: LockfileOrigin::Binary(bytes), .. }) = &context.project.lockfile {
        // A frozen install left the file alone; another one replaced it.
        let found = files::find_bytes(&dir.join(binary::FILE_NAME), BYTES_MAX)?;
        if found.is_some() {
            return Ok(found.as_ref() == Some(bytes));
        }
    }
    let found = files::find_string(&context.project.lockfile_path(), BYTES_MAX)?;
    let old = context.project.lockfile.as_ref().map(|locked| &locked.text);
    let new = match &decision.lockfile {
        None => old,
        Some(LockfileChange::Write(text)) => Some(text),
        Some(LockfileChange::Remove) => None,
    };
    Ok([old, new].contains(&found.as_ref()))
}

/// All files that are read before the configuration is known; `None` where these files do not
/// determine it.
fn configuration_files(context: &InstallContext) -> Option<Vec<String>> {
    let inputs =
        context.inputs.as_ref().filter(|inputs| context.member.is_empty() && !inputs.uses_volatile)?;
    let above = context.project.dir.ancestors().skip(1).map(|dir| dir.join(MANIFEST_NAME));
    above.chain(inputs.files.iter().cloned()).map(|path| path.into_os_string().into_string().ok()).collect()
}

/// Whether a request only installs what lockfile and manifests say, and reuses what is installed.
fn may_be_skipped(request: &InstallRequest) -> bool {
    // What a filter selects may depend on git.
    request.edit == Edit::None
        && request.selection.is_default()
        && matches!(request.goal, Goal::Install | Goal::Frozen)
        && request.reuse == Reuse::InstalledFiles
        && request.engines != Engines::Refuse
        && request.dependency_scripts.reruns == Reruns::Changed
        && request.dependency_scripts.blocked == BlockedScripts::Named
}

/// The project's own scripts run on every install.
fn runs_scripts(context: &InstallContext, request: &InstallRequest) -> bool {
    let manifest = &context.project.members.project.manifest;
    let has_scripts =
        || [Stage::Before, Stage::After].iter().any(|stage| scripts::has_scripts(*stage, manifest));
    request.scripts == Scripts::Run
        && (has_scripts() || files::exists(&context.project.dir.join(NATIVE_ADDON)))
}

/// Implies an install script if there is none.
const NATIVE_ADDON: &str = "binding.gyp";

/// Whether installed packages cannot change unless a tracked file changes: a directory or tarball
/// of a dependency may change independently, and so may the dependencies of a linked directory.
fn is_immutable(context: &InstallContext, graph: &Graph, plan: &Plan) -> bool {
    let is_fixed = |source: &Source| match source {
        Source::Directory { .. } | Source::LocalTarball { .. } => false,
        Source::Link { path } => !context.follows_npm() || !is_inside(path),
        _ => true,
    };
    plan.locations.iter().all(|location| is_fixed(&graph.package(location.package).source))
}

/// Relative to the project: files that were read or looked up.
fn project_files(context: &InstallContext) -> Vec<String> {
    let members = &context.project.members;
    let mut paths =
        [MANIFEST_NAME, pnpm_workspace::FILE_NAME, NATIVE_ADDON, staging::NAME].map(str::to_owned).to_vec();
    // Those that are not there too: one that appears decides.
    let lockfiles = Format::ALL.map(Format::file_name).into_iter();
    paths.extend(lockfiles.chain([binary::FILE_NAME]).map(str::to_owned));
    let matched = members.workspaces.iter().chain(&members.unnamed);
    paths.extend(matched.map(|member| format!("{}/{MANIFEST_NAME}", member.path)));
    paths.extend(members.searched.iter().cloned());
    paths.extend(context.patches.paths().map(str::to_owned));
    paths
}

/// A file that is a symbolic link, and the paths it leads to.
fn with_links(dir: &Path, file: String) -> Vec<String> {
    let mut paths = vec![file];
    while let Some(next) = link_of(dir, &paths[paths.len() - 1]).filter(|_| paths.len() <= LINKS_MAX) {
        paths.push(next);
    }
    paths
}

/// Target of a symbolic link; `None` for anything else.
fn link_of(dir: &Path, path: &str) -> Option<String> {
    let target = sys::readlinkat(sys::CWD, dir.join(path)).ok()?;
    let around = Path::new(path).parent()?;
    Some(around.join(target.to_str().ok()?).to_str()?.to_owned())
}

/// Digest of the request as given and of its environment.
fn raw_digest(request: &InstallRequest, host: &HostEnvironment) -> String {
    let HostEnvironment { current_dir, home_dir, environment, .. } = host;
    let lasting = environment.iter().filter(|(name, _)| !VOLATILE_VARIABLES.contains(&name.as_str()));
    let lasting: Vec<_> = lasting.collect();
    digest(&format!("{request:?}\n{current_dir:?}\n{home_dir:?}\n{lasting:?}"))
}

/// Digest of everything but the project's own files that determines the result of an install.
/// Includes the directory, because the cache stores files by the project's path.
fn configured_digest(dir: &Path, configuration: &Configuration, request: &InstallRequest) -> String {
    digest(&format!("{dir:?}\n{request:?}\n{configuration:?}"))
}

fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), text).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Forwards events, and records whether there was a warning.
pub struct WarningTracker<'a> {
    pub reporter: &'a mut dyn Reporter,
    pub warned: bool,
}

impl Reporter for WarningTracker<'_> {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        self.warned |= matches!(event, InstallEvent::Warning(_));
        self.reporter.on_event(event);
    }
}
