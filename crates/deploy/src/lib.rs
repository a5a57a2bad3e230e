//! Deployment of one member of a project: a directory with its files, its production dependencies
//! and the members that it depends on. In: the project with its lockfile, the member, the target.
//! Out: the directory, which appears complete or not at all. Absent: flags, printing.

mod lockfile;
mod manifests;
mod problem;
mod sources;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::sys::{self, RenameFlags};
use rusk_base::{Result, files};
use rusk_configuration::request::{Edit, Goal, Linker, Omit, Save, Selection};
use rusk_configuration::{Configuration, Flags, LockfileRule, Writes};
use rusk_install::project::Project;
use rusk_install::{HostEnvironment, InstallEvent, InstallRequest, Reporter, Summary};
use rusk_npm::graph::PackageId;
use rusk_resolver::members::ProjectMember;
use rusk_resolver::rules;

use manifests::DeployedMember;
use sources::SourceFiles;

/// Time to wait for another deployment to the same directory: longer than most take.
const LOCK_LIMIT: Duration = Duration::from_secs(600);

pub struct DeployRequest<'a> {
    pub project_dir: &'a Path,
    /// Path of the member, relative to the project.
    pub member: &'a str,
    /// Absolute path of the directory to make.
    pub target: &'a Path,
    pub existing: ExistingTarget,
    /// The flags of installs; development dependencies are left out whatever they say.
    pub install: InstallRequest,
}

/// What happens to a target that has files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingTarget {
    Refuse,
    /// `--force`
    Replace,
}

/// What was deployed.
#[derive(Clone, Debug)]
pub struct Deployment {
    pub name: String,
    /// Files of the member and of the members that it depends on.
    pub files: usize,
    /// Names of those members.
    pub members: Vec<String>,
    pub summary: Summary,
}

/// Makes the directory beside its place and renames it.
pub fn deploy(
    request: &DeployRequest<'_>,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Deployment> {
    check_target(request)?;
    let flags = Flags::of(&request.install);
    let configuration = Configuration::load(request.project_dir, host, &flags)?;
    let project = Project::read(request.project_dir)?;
    let locked = lockfile::checked(&project)?;
    let members = manifests::deployed(&project, &locked.graph, request.member)?;
    let sources = sources::find(&project, &members, request.target)?;
    let rules = rules::of_manifest(&project.members.project.manifest);
    let lockfile = lockfile::render(&project, locked, &members, &rules)?;
    let lockfile = [Some((project.format.file_name(), lockfile)), lockfile::settings(locked, &members)];
    let staging = staging_dir(request.target)?;
    let _lock = lock(&configuration, request.target, reporter)?;
    // A killed deployment left it.
    files::remove_tree(&staging)?;
    let made = fill(&staging, &sources, &members, lockfile.iter().flatten())
        .and_then(|()| install(&staging, request, configuration, &project, host, reporter))
        .and_then(|summary| finish(&staging, &members, request).map(|()| summary));
    let summary = made.inspect_err(|_| {
        // The next deployment removes what is left.
        let _ = files::remove_tree(&staging);
    })?;
    let names = members.iter().filter_map(|member| member.manifest.name.clone());
    Ok(Deployment {
        name: names.clone().next().unwrap_or_default(),
        files: sources.iter().map(|source| source.files.len()).sum(),
        members: names.skip(1).collect(),
        summary,
    })
}

fn check_target(request: &DeployRequest<'_>) -> Result<()> {
    if request.existing == ExistingTarget::Replace && files::is_directory(request.target) {
        let is_inside = request.project_dir.starts_with(request.target);
        return if is_inside { Err(problem::target_is_project(request.target)) } else { Ok(()) };
    }
    match std::fs::read_dir(request.target).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(problem::target_exists(request.target)),
        Err(_) if request.target.symlink_metadata().is_ok() => Err(problem::target_no_dir(request.target)),
        _ => Ok(()),
    }
}

/// Beside the target, so that one rename moves it.
fn staging_dir(target: &Path) -> Result<PathBuf> {
    let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(problem::target_is_project(target));
    };
    files::create_directories(parent)?;
    Ok(parent.join(format!(".{}.rusk-deploy", name.to_string_lossy())))
}

fn lock(configuration: &Configuration, target: &Path, reporter: &mut dyn Reporter) -> Result<FileLock> {
    let mut hasher = DefaultHasher::new();
    target.hash(&mut hasher);
    let dir = configuration.cache_dir.join("projects");
    files::create_directories(&dir)?;
    let subject = "another deployment to this directory";
    let wait = LockWait { subject, limit: LOCK_LIMIT };
    FileLock::acquire(&dir.join(format!("deploy-{:016x}.lock", hasher.finish())), wait, &mut |waited| {
        reporter.on_event(InstallEvent::Waiting { subject, waited });
    })
}

/// Copies the files, and writes what an install needs.
fn fill<'f>(
    staging: &Path,
    sources: &[SourceFiles],
    members: &[DeployedMember],
    mut project_files: impl Iterator<Item = &'f (&'static str, String)>,
) -> Result<()> {
    files::create_directories(staging)?;
    for source in sources {
        source.copy(staging)?;
    }
    for member in members {
        let dir = staging.join(&member.path);
        files::create_directories(&dir)?;
        files::write_atomically(&dir.join("package.json"), member.without_scripts()?.as_bytes())?;
    }
    project_files.try_for_each(|(name, text)| files::write_atomically(&staging.join(name), text.as_bytes()))
}

fn install(
    staging: &Path,
    request: &DeployRequest<'_>,
    mut configuration: Configuration,
    project: &Project,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    let has_workspaces = !project.members.workspaces.is_empty();
    let default = project.lockfile.as_ref().map(|locked| locked.lockfile.default_linker(has_workspaces));
    let linker = request.install.linker.or(configuration.defaults.linker).or(default);
    let linker = match linker {
        // The directory is to be moved to another computer.
        Some(Linker::Global) => Linker::Isolated,
        linker => linker.unwrap_or(Linker::Hoisted),
    };
    configuration.defaults.lockfile = LockfileRule::Updated;
    configuration.defaults.writes = Writes::Allowed;
    let install = InstallRequest {
        edit: Edit::None,
        selection: Selection::default(),
        goal: Goal::Install,
        omit: Omit { development: true, ..request.install.omit },
        save: Save::Yes,
        linker: Some(linker),
        ..request.install.clone()
    };
    rusk_install::install_configured(staging, configuration, &install, host, reporter)
}

/// Writes each package.json as it stays, and makes the directory visible.
fn finish(staging: &Path, members: &[DeployedMember], request: &DeployRequest<'_>) -> Result<()> {
    for member in members {
        let file = staging.join(&member.path).join("package.json");
        files::write_atomically(&file, member.text.as_bytes())?;
    }
    let target = request.target;
    let refused = |errno| files::problem::rename(target, errno);
    if request.existing == ExistingTarget::Replace && files::is_directory(target) {
        sys::renameat2(sys::CWD, staging, sys::CWD, target, RenameFlags::EXCHANGE).map_err(refused)?;
        return files::remove_tree(staging);
    }
    sys::renameat(sys::CWD, staging, sys::CWD, target).map_err(refused)
}

/// The member at a path of the project.
fn member_at<'p>(project: &'p Project, path: &str) -> Result<&'p ProjectMember> {
    let mut all = project.members.all();
    all.find(|member| member.path == path).ok_or_else(|| problem::no_member(path))
}

/// A member of the project in the graph of its lockfile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MemberId(PackageId);

#[cfg(test)]
mod tests;
