//! Where an install works: the project, its configuration, the store, and the lock that keeps a
//! second install out of the same project.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusk_base::lock::{FileLock, Wait};
use rusk_base::{Result, files};
use rusk_npm::bun_lock;
use rusk_npm::graph::Platform;
use rusk_registry::Client;
use rusk_store::{Package, Store};

use crate::configuration::noted::Noted;
use crate::configuration::{Configuration, Flags};
use crate::downloads::Downloads;
use crate::event::{Event, Events};
use crate::look::Look;
use crate::plan::Installed;
use crate::project::{LockfileText, Project, Shelf, root_of};
use crate::request::{Edit, Goal, Host, Omit, Request, Trust};
use crate::shop::{Ahead, Premises, Shop};
use crate::state::FileClock;
use crate::{apply, platform, prune, state};

/// Another install in the same project is waited for this long: longer than most installs take.
const PROJECT_LOCK_LIMIT: Duration = Duration::from_secs(600);

/// A record of some hundred places: to compare it takes longer than to start a thread.
const RECORD_BYTES_ALONE: u64 = 32 << 10;

pub struct Site {
    pub project: Project,
    /// The member in whose folder the command was given, by its path.
    pub member: String,
    pub configuration: Configuration,
    pub store: Arc<Store>,
    pub platform: Platform,
    /// Where the cache keeps what is known about the project.
    pub record: PathBuf,
    /// At node_modules, where that began early: for want of a lockfile, or while it was read.
    pub look: Option<Look>,
    /// What its configuration was read from, where the project alone says that.
    pub noted: Option<Noted>,
    /// Of node_modules, once it was tried.
    pub file_clock: OnceLock<FileClock>,
    pub threads: usize,
    _lock: FileLock,
    /// Keeps `prune` away.
    _cache: FileLock,
}

/// Where an install would work, before anything of the project but its configuration is read.
pub struct Ground {
    pub root: PathBuf,
    member: String,
    pub configuration: Configuration,
    noted: Noted,
}

impl Ground {
    /// The ground around a folder: its own project's, or that of the project it is a workspace of.
    pub fn find(folder: &Path, request: &Request, host: &Host) -> Result<Ground> {
        let root = root_of(folder)?;
        let member = folder.strip_prefix(&root).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        let mut noted = Noted::default();
        let configuration = Configuration::load_noting(&root, host, &Flags::of(request), &mut noted)?;
        Ok(Ground { root, member, configuration, noted })
    }

    pub fn open(self, request: &Request, host: &Host, events: &mut dyn Events) -> Result<Site> {
        let Ground { root, member, configuration, noted } = self;
        let noted = Some(noted);
        Ok(Site { member, noted, ..Site::open_configured(&root, configuration, request, host, events)? })
    }
}

impl Site {
    /// A project whose own files do not say how it is installed.
    pub fn open_configured(
        folder: &Path,
        configuration: Configuration,
        request: &Request,
        host: &Host,
        events: &mut dyn Events,
    ) -> Result<Site> {
        let record = state::path(&configuration.cache_dir, folder);
        let lock = lock(&record, events)?;
        let cache = prune::keep_away(&configuration.cache_dir, events)?;
        let (mut project, look) = match request.edit {
            Edit::Add { .. } => (Project::read_or_begin(folder)?, None),
            _ => {
                let look = look(folder, request)?;
                (Project::read(folder)?, look)
            }
        };
        for warning in configuration.warnings.iter().chain(&project.members.project.manifest.warnings) {
            events.event(Event::Warning(warning));
        }
        for setting in not_followed(&configuration, &project) {
            events.event(Event::Warning(&format!("{setting} is not followed yet")));
        }
        let look = match look {
            None => find_lockfile(&mut project, request)?.map(Look::over),
            begun => begun,
        };
        let store = Arc::new(
            Store::open(&configuration.cache_dir.join("store"))?
                .with_inventory(record.with_extension("inventory")),
        );
        let platform = platform::of(&request.platform);
        let threads = (host.processors)().max(1);
        let member = String::new();
        Ok(Site {
            project,
            member,
            configuration,
            store,
            platform,
            record,
            look,
            noted: None,
            file_clock: OnceLock::new(),
            threads,
            _lock: lock,
            _cache: cache,
        })
    }

    pub fn shop<'a>(
        &'a self,
        client: &'a Client,
        request: &Request,
        host: &'a Host,
        events: &'a mut dyn Events,
        offer: &'a dyn Fn(&Package),
    ) -> Shop<'a> {
        let ahead = match request.goal {
            Goal::Install | Goal::Frozen | Goal::Clean => Ahead::Tarballs(self.platform),
            Goal::LockfileOnly | Goal::DryRun => Ahead::Nothing,
        };
        let mut downloads = Downloads::new(Arc::clone(&self.store), self.threads, request.trust, offer);
        downloads.offers_chosen = request.omit == Omit::default();
        let cache_dir = &self.configuration.cache_dir;
        let premises = Premises { client, project: &self.project.folder, cache_dir, host };
        Shop::new(premises, downloads, events, ahead, request.verify)
    }
}

/// A look at node_modules before anything is read: there is nothing to see where there is no
/// record; where it says a lot, and a lockfile is what counts, another thread looks meanwhile.
fn look(folder: &Path, request: &Request) -> Result<Option<Look>> {
    match state::bytes(folder) {
        0 => Ok(Some(Look::over(Installed::default()))),
        RECORD_BYTES_ALONE.. if believes(request) && files::exists(&folder.join(bun_lock::FILE_NAME)) => {
            Ok(Some(Look::begin(apply::open(folder)?)))
        }
        _ => Ok(None),
    }
}

/// Whether what is installed counts.
fn believes(request: &Request) -> bool {
    request.trust == Trust::InstalledFiles && request.goal != Goal::Clean
}

/// A project without a lockfile goes on from what is installed: that is a resolution already. It
/// counts as long as node_modules stands as it was made; who deletes that as well gets a new one.
fn find_lockfile(project: &mut Project, request: &Request) -> Result<Option<Installed>> {
    let needs_own = matches!(request.goal, Goal::Frozen | Goal::Clean) || request.trust == Trust::Nothing;
    if project.lockfile.is_some() || needs_own {
        return Ok(None);
    }
    let folder = apply::open(&project.folder)?;
    let Some((text, installed)) = state::find_lockfile(folder.as_fd()) else { return Ok(None) };
    let lockfile = LockfileText::parse(text, Shelf::NodeModules);
    // One that cannot be read is none: nobody asked for it.
    project.lockfile = lockfile.ok();
    Ok(Some(installed))
}

/// What a project may ask for that this version does not do; silence would let it pass for done.
fn not_followed(configuration: &Configuration, project: &Project) -> Vec<&'static str> {
    let defaults = &configuration.defaults;
    let settings = [
        (defaults.minimum_release_age_s.is_some(), "`minimumReleaseAge`"),
        (!project.members.project.manifest.patched_dependencies.is_empty(), "`patchedDependencies`"),
    ];
    settings.into_iter().filter(|(is_set, _)| *is_set).map(|(_, setting)| setting).collect()
}

fn lock(record: &Path, events: &mut dyn Events) -> Result<FileLock> {
    if let Some(folder) = record.parent() {
        files::make_folders(folder)?;
    }
    let subject = "another install in this project";
    let wait = Wait { subject, limit: PROJECT_LOCK_LIMIT };
    FileLock::acquire(&record.with_extension("lock"), wait, &mut |waited| {
        events.event(Event::Waiting { subject, waited });
    })
}
