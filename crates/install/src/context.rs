//! Context of an install: the project, its configuration, the store, and the lock that prevents a
//! second install in the same project.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files};
use rusk_configuration::request::{Edit, Goal, HostEnvironment, InstallRequest, Omit, Reuse};
use rusk_configuration::{Configuration, Flags};
use rusk_lockfiles::{Format, Tool};
use rusk_npm::graph::Platform;
use rusk_npm::release_age::ReleaseAge;
use rusk_npm::release_trust::ReleaseTrust;
use rusk_registry::Client;
use rusk_store::{Package, Store};

use crate::downloads::Downloads;
use crate::event::{InstallEvent, Reporter};
use crate::installed_scan::InstalledScan;
use crate::package_provider::{PackageProvider, Prefetch, ProviderContext};
use crate::patches::Patches;
use crate::plan::InstalledTree;
use crate::project::{LoadedLockfile, LockfileOrigin, Project, find_root};
use crate::release_age::release_age;
use crate::state::FileClock;
use crate::store_keys::Verification;
use crate::{apply, platform, problem, prune, selection, state};
use rusk_npm::configuration_inputs::ConfigurationInputs;

/// Time to wait for another install in the same project: longer than most installs take.
const PROJECT_LOCK_LIMIT: Duration = Duration::from_secs(600);

/// A record of some hundred locations: comparing it takes longer than starting a thread.
const SCAN_THREAD_RECORD_BYTES_MIN: u64 = 32 << 10;

pub struct InstallContext {
    pub project: Project,
    /// Path of the member in whose directory the command was run.
    pub member: String,
    /// Paths of the members whose package.json is edited: that one, or the selected ones.
    pub edited_members: Vec<String>,
    pub configuration: Configuration,
    pub patches: Patches,
    pub release_age: Option<ReleaseAge>,
    pub release_trust: Option<ReleaseTrust>,
    pub store: Arc<Store>,
    pub platform: Platform,
    /// Prefix of the names of the project's files in the cache.
    pub cache_prefix: PathBuf,
    /// A scan of node_modules that was started early: because there is no lockfile, or to run while
    /// it is read.
    pub installed_scan: Option<InstalledScan>,
    /// The files its configuration was read from; `None` when the configuration was passed in.
    pub inputs: Option<ConfigurationInputs>,
    /// Of the file system of node_modules, once it was probed.
    pub file_clock: OnceLock<FileClock>,
    pub threads: usize,
    /// `None`: nothing in the project is changed.
    _lock: Option<FileLock>,
    /// Held so that `prune` does not run.
    _cache: FileLock,
}

/// A project of which only the configuration has been read.
pub struct ProjectRoot {
    pub path: PathBuf,
    member: String,
    pub configuration: Configuration,
    inputs: ConfigurationInputs,
}

impl ProjectRoot {
    /// Finds the project of a directory: its own, or the one that it is a workspace of.
    pub fn find(dir: &Path, request: &InstallRequest, host: &HostEnvironment) -> Result<ProjectRoot> {
        let path = find_root(dir)?;
        let member = dir.strip_prefix(&path).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        let mut inputs = ConfigurationInputs::default();
        let configuration = Configuration::load_with_inputs(&path, host, &Flags::of(request), &mut inputs)?;
        Ok(ProjectRoot { path, member, configuration, inputs })
    }

    /// Waits for another install in the project, and prevents the next one.
    pub fn open(
        self,
        request: &InstallRequest,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let lock = lock(&state::cache_prefix(&self.configuration.cache_dir, &self.path), reporter)?;
        Ok(InstallContext { _lock: Some(lock), ..self.open_to_read(request, host, reporter)? })
    }

    /// For what changes nothing in the project; an install may run meanwhile.
    pub fn open_to_read(
        self,
        request: &InstallRequest,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let ProjectRoot { path, member, configuration, inputs } = self;
        let inputs = Some(inputs);
        let context = InstallContext::read(&path, configuration, request, host, reporter)?;
        selection::check_operands(&request.selection, &context.project, &request.edit)?;
        let edited_members = match request.selection.is_default() {
            true => vec![member.clone()],
            false => selection::select_paths(&request.selection, &context.project, host, reporter)?,
        };
        Ok(InstallContext { member, edited_members, inputs, ..context })
    }
}

impl InstallContext {
    /// Opens a project with a configuration that does not come from its own files.
    pub fn open_configured(
        dir: &Path,
        configuration: Configuration,
        request: &InstallRequest,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let lock = lock(&state::cache_prefix(&configuration.cache_dir, dir), reporter)?;
        let context = InstallContext::read(dir, configuration, request, host, reporter)?;
        Ok(InstallContext { _lock: Some(lock), ..context })
    }

    fn read(
        dir: &Path,
        configuration: Configuration,
        request: &InstallRequest,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let cache_prefix = state::cache_prefix(&configuration.cache_dir, dir);
        let cache = prune::lock_shared(&configuration.cache_dir, reporter)?;
        let (mut project, installed_scan) = match request.edit {
            Edit::Add { .. } => (Project::read_or_begin(dir)?, None),
            _ => {
                let installed_scan = start_scan(dir, request)?;
                (Project::read(dir)?, installed_scan)
            }
        };
        project.members.link_rule = configuration.defaults.workspace_links;
        project.members.peer_rule = configuration.defaults.peers.rule(project.format);
        for warning in configuration.warnings.iter().chain(&project.members.project.manifest.warnings) {
            reporter.on_event(InstallEvent::Warning(warning));
        }
        let (flags, workspace) = (&request.release_age, &project.members.project.release_age);
        let (release_age, unread) = release_age(flags, &configuration.defaults, workspace, host.now_s);
        warn_of_exclusions(&unread, "the minimum age", reporter);
        let trust_settings = request.release_trust.over(&configuration.defaults.release_trust);
        let (release_trust, unread) = ReleaseTrust::new(&trust_settings, host.now_s);
        warn_of_exclusions(&unread, "the trust policy", reporter);
        let patches = Patches::read(dir, &project.members.project.manifest)?;
        let installed_scan = match installed_scan {
            None => find_lockfile(&mut project, request)?.map(InstalledScan::finished),
            begun => begun,
        };
        let store = Arc::new(
            Store::open(&configuration.cache_dir.join("store"))?
                .with_inventory(cache_prefix.with_extension("inventory"))
                .with_link_check(configuration.defaults.link_check),
        );
        let platform = platform::of(&request.platform, &configuration.defaults.platform);
        let threads = (host.processors)().max(1);
        let (member, edited_members) = (String::new(), vec![String::new()]);
        Ok(InstallContext {
            project,
            member,
            edited_members,
            configuration,
            patches,
            release_age,
            release_trust,
            store,
            platform,
            cache_prefix,
            installed_scan,
            inputs: None,
            file_clock: OnceLock::new(),
            threads,
            _lock: None,
            _cache: cache,
        })
    }

    /// Paths of the members whose dependencies alone are installed; `None`: all.
    pub fn installed_members(&self, request: &InstallRequest) -> Option<&[String]> {
        let is_selected = request.edit == Edit::None && !request.selection.is_default();
        is_selected.then_some(self.edited_members.as_slice())
    }

    /// As [`rusk_resolver::MetadataSource::follows_npm`].
    pub fn follows_npm(&self) -> bool {
        self.project.format.tool() == Tool::Npm
    }

    pub fn provider<'a>(
        &'a self,
        client: &'a Client,
        request: &InstallRequest,
        host: &'a HostEnvironment,
        reporter: &'a mut dyn Reporter,
        offer: &'a dyn Fn(&Package),
    ) -> PackageProvider<'a> {
        let prefetch = match request.goal {
            // Which group a package is in is known after the resolution.
            _ if request.omit != Omit::default() => Prefetch::Off,
            Goal::Install | Goal::Frozen | Goal::Clean => Prefetch::Tarballs(self.platform),
            Goal::LockfileOnly | Goal::DryRun => Prefetch::Off,
        };
        let mut downloads = Downloads::new(Arc::clone(&self.store), self.threads, request.reuse, offer);
        downloads.offers_prefetched =
            request.omit == Omit::default() && self.installed_members(request).is_none();
        let cache_dir = &self.configuration.cache_dir;
        let release_age = self.release_age.as_ref();
        let project = &self.project.dir;
        let foreign_sources = request.foreign_sources;
        let follows_npm = self.follows_npm();
        let provider_context =
            ProviderContext { client, project, cache_dir, host, release_age, foreign_sources, follows_npm };
        let verification = Verification::of(&self.configuration, request.verify);
        PackageProvider::new(provider_context, downloads, reporter, prefetch, verification)
    }
}

fn warn_of_exclusions(unread: &[String], rule: &str, reporter: &mut dyn Reporter) {
    for exclusion in unread {
        let expected = "expected a name, or a name and exact versions";
        let text = format!("`{exclusion}` is not excluded from {rule}: {expected}");
        reporter.on_event(InstallEvent::Warning(&text));
    }
}

/// Starts scanning node_modules before anything is read. Without a record there is nothing to scan.
/// Where the record is large and a lockfile exists, another thread scans.
fn start_scan(dir: &Path, request: &InstallRequest) -> Result<Option<InstalledScan>> {
    match state::record_bytes(dir) {
        0 => Ok(Some(InstalledScan::finished(InstalledTree::default()))),
        SCAN_THREAD_RECORD_BYTES_MIN.. if reuses_installed(request) && has_lockfile(dir) => {
            Ok(Some(InstalledScan::start(apply::open(dir)?)))
        }
        _ => Ok(None),
    }
}

fn has_lockfile(dir: &Path) -> bool {
    Format::ALL.into_iter().any(|format| files::exists(&dir.join(format.file_name())))
}

/// Whether installed packages may be reused.
fn reuses_installed(request: &InstallRequest) -> bool {
    request.reuse == Reuse::InstalledFiles && request.goal != Goal::Clean
}

/// A project without a lockfile continues from the lockfile stored in node_modules: that is a
/// resolution already. It is used as long as node_modules is unchanged; deleting node_modules too
/// gives a new resolution.
fn find_lockfile(project: &mut Project, request: &InstallRequest) -> Result<Option<InstalledTree>> {
    let needs_own = matches!(request.goal, Goal::Frozen | Goal::Clean) || request.reuse == Reuse::Nothing;
    if project.lockfile.is_some() || needs_own {
        return Ok(None);
    }
    let dir = apply::open(&project.dir)?;
    let Some((text, installed)) = state::find_lockfile(dir.as_fd()) else { return Ok(None) };
    let origin = LockfileOrigin::NodeModules;
    let lockfile = LoadedLockfile::parse(project.format, text, &project.members, origin);
    let is_as_new = |locked: &LoadedLockfile| match &project.blank {
        // Yarn 1 and later versions have files of one name.
        Some(blank) => blank.has_format_of(&locked.lockfile),
        None => true,
    };
    // An unreadable lockfile is ignored: the user did not ask for it.
    project.lockfile = lockfile.ok().filter(is_as_new);
    Ok(Some(installed))
}

pub(crate) fn lock(cache_prefix: &Path, reporter: &mut dyn Reporter) -> Result<FileLock> {
    if let Some(dir) = cache_prefix.parent() {
        files::create_directories(dir).map_err(problem::cache_unwritable)?;
    }
    let subject = "another install in this project";
    let wait = LockWait { subject, limit: PROJECT_LOCK_LIMIT };
    FileLock::acquire(&cache_prefix.with_extension("lock"), wait, &mut |waited| {
        reporter.on_event(InstallEvent::Waiting { subject, waited });
    })
    .map_err(problem::cache_unwritable)
}
