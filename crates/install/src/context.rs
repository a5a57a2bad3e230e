//! Where an install works: the project, its configuration, the store, and the lock that keeps a
//! second install out of the same project.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files};
use rusk_npm::bun_lock;
use rusk_npm::graph::Platform;
use rusk_registry::Client;
use rusk_store::{Package, Store};

use crate::configuration::inputs::ConfigurationInputs;
use crate::configuration::{Configuration, Flags};
use crate::downloads::Downloads;
use crate::event::{Event, Reporter};
use crate::installed_scan::InstalledScan;
use crate::package_provider::{PackageProvider, Prefetch, ProviderContext};
use crate::plan::InstalledTree;
use crate::project::{LoadedLockfile, LockfileOrigin, Project, find_root};
use crate::request::{Edit, Goal, HostEnvironment, Omit, Request, Trust};
use crate::state::FileClock;
use crate::{apply, platform, prune, state};

/// Another install in the same project is waited for this long: longer than most installs take.
const PROJECT_LOCK_LIMIT: Duration = Duration::from_secs(600);

/// A record of some hundred places: to compare it takes longer than to start a thread.
const SCAN_THREAD_RECORD_BYTES_MIN: u64 = 32 << 10;

pub struct InstallContext {
    pub project: Project,
    /// The member in whose folder the command was given, by its path.
    pub member: String,
    pub configuration: Configuration,
    pub store: Arc<Store>,
    pub platform: Platform,
    /// Where the cache keeps what is known about the project.
    pub cache_prefix: PathBuf,
    /// At node_modules, where that began early: for want of a lockfile, or while it was read.
    pub installed_scan: Option<InstalledScan>,
    /// What its configuration was read from, where the project alone says that.
    pub inputs: Option<ConfigurationInputs>,
    /// Of node_modules, once it was tried.
    pub file_clock: OnceLock<FileClock>,
    pub threads: usize,
    _lock: FileLock,
    /// Keeps `prune` away.
    _cache: FileLock,
}

/// Where an install would work, before anything of the project but its configuration is read.
pub struct ProjectRoot {
    pub path: PathBuf,
    member: String,
    pub configuration: Configuration,
    inputs: ConfigurationInputs,
}

impl ProjectRoot {
    /// The ground around a folder: its own project's, or that of the project it is a workspace of.
    pub fn find(dir: &Path, request: &Request, host: &HostEnvironment) -> Result<ProjectRoot> {
        let path = find_root(dir)?;
        let member = dir.strip_prefix(&path).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        let mut inputs = ConfigurationInputs::default();
        let configuration = Configuration::load_with_inputs(&path, host, &Flags::of(request), &mut inputs)?;
        Ok(ProjectRoot { path, member, configuration, inputs })
    }

    pub fn open(
        self,
        request: &Request,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let ProjectRoot { path, member, configuration, inputs } = self;
        let inputs = Some(inputs);
        Ok(InstallContext {
            member,
            inputs,
            ..InstallContext::open_configured(&path, configuration, request, host, reporter)?
        })
    }
}

impl InstallContext {
    /// A project whose own files do not say how it is installed.
    pub fn open_configured(
        dir: &Path,
        configuration: Configuration,
        request: &Request,
        host: &HostEnvironment,
        reporter: &mut dyn Reporter,
    ) -> Result<InstallContext> {
        let cache_prefix = state::cache_prefix(&configuration.cache_dir, dir);
        let lock = lock(&cache_prefix, reporter)?;
        let cache = prune::lock_shared(&configuration.cache_dir, reporter)?;
        let (mut project, installed_scan) = match request.edit {
            Edit::Add { .. } => (Project::read_or_begin(dir)?, None),
            _ => {
                let installed_scan = start_scan(dir, request)?;
                (Project::read(dir)?, installed_scan)
            }
        };
        for warning in configuration.warnings.iter().chain(&project.members.project.manifest.warnings) {
            reporter.on_event(Event::Warning(warning));
        }
        for setting in unsupported_settings(&configuration, &project) {
            reporter.on_event(Event::Warning(&format!("{setting} is not followed yet")));
        }
        let installed_scan = match installed_scan {
            None => find_lockfile(&mut project, request)?.map(InstalledScan::finished),
            begun => begun,
        };
        let store = Arc::new(
            Store::open(&configuration.cache_dir.join("store"))?
                .with_inventory(cache_prefix.with_extension("inventory")),
        );
        let platform = platform::of(&request.platform);
        let threads = (host.processors)().max(1);
        let member = String::new();
        Ok(InstallContext {
            project,
            member,
            configuration,
            store,
            platform,
            cache_prefix,
            installed_scan,
            inputs: None,
            file_clock: OnceLock::new(),
            threads,
            _lock: lock,
            _cache: cache,
        })
    }

    pub fn provider<'a>(
        &'a self,
        client: &'a Client,
        request: &Request,
        host: &'a HostEnvironment,
        reporter: &'a mut dyn Reporter,
        offer: &'a dyn Fn(&Package),
    ) -> PackageProvider<'a> {
        let prefetch = match request.goal {
            Goal::Install | Goal::Frozen | Goal::Clean => Prefetch::Tarballs(self.platform),
            Goal::LockfileOnly | Goal::DryRun => Prefetch::Off,
        };
        let mut downloads = Downloads::new(Arc::clone(&self.store), self.threads, request.trust, offer);
        downloads.offers_prefetched = request.omit == Omit::default();
        let cache_dir = &self.configuration.cache_dir;
        let provider_context = ProviderContext { client, project: &self.project.dir, cache_dir, host };
        PackageProvider::new(provider_context, downloads, reporter, prefetch, request.verify)
    }
}

/// A look at node_modules before anything is read: there is nothing to see where there is no
/// record; where it says a lot, and a lockfile is what counts, another thread looks meanwhile.
fn start_scan(dir: &Path, request: &Request) -> Result<Option<InstalledScan>> {
    match state::record_bytes(dir) {
        0 => Ok(Some(InstalledScan::finished(InstalledTree::default()))),
        SCAN_THREAD_RECORD_BYTES_MIN..
            if reuses_installed(request) && files::exists(&dir.join(bun_lock::FILE_NAME)) =>
        {
            Ok(Some(InstalledScan::start(apply::open(dir)?)))
        }
        _ => Ok(None),
    }
}

/// Whether what is installed counts.
fn reuses_installed(request: &Request) -> bool {
    request.trust == Trust::InstalledFiles && request.goal != Goal::Clean
}

/// A project without a lockfile goes on from what is installed: that is a resolution already. It
/// counts as long as node_modules stands as it was made; who deletes that as well gets a new one.
fn find_lockfile(project: &mut Project, request: &Request) -> Result<Option<InstalledTree>> {
    let needs_own = matches!(request.goal, Goal::Frozen | Goal::Clean) || request.trust == Trust::Nothing;
    if project.lockfile.is_some() || needs_own {
        return Ok(None);
    }
    let dir = apply::open(&project.dir)?;
    let Some((text, installed)) = state::find_lockfile(dir.as_fd()) else { return Ok(None) };
    let lockfile = LoadedLockfile::parse(text, LockfileOrigin::NodeModules);
    // One that cannot be read is none: nobody asked for it.
    project.lockfile = lockfile.ok();
    Ok(Some(installed))
}

/// What a project may ask for that this version does not do; silence would let it pass for done.
fn unsupported_settings(configuration: &Configuration, project: &Project) -> Vec<&'static str> {
    let defaults = &configuration.defaults;
    let settings = [
        (defaults.minimum_release_age_s.is_some(), "`minimumReleaseAge`"),
        (!project.members.project.manifest.patched_dependencies.is_empty(), "`patchedDependencies`"),
    ];
    settings.into_iter().filter(|(is_set, _)| *is_set).map(|(_, setting)| setting).collect()
}

fn lock(cache_prefix: &Path, reporter: &mut dyn Reporter) -> Result<FileLock> {
    if let Some(dir) = cache_prefix.parent() {
        files::create_directories(dir)?;
    }
    let subject = "another install in this project";
    let wait = LockWait { subject, limit: PROJECT_LOCK_LIMIT };
    FileLock::acquire(&cache_prefix.with_extension("lock"), wait, &mut |waited| {
        reporter.on_event(Event::Waiting { subject, waited });
    })
}
