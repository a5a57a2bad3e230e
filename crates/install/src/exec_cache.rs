//! Cache of packages for `rusk x`. Each request has a slot in the cache: a record, and beside it
//! directories that are each a complete project. In: specifiers, and the directory whose settings
//! apply. Out: the programs of the requested packages.
//!
//! A project in a slot is never changed: a newer one is made beside it and becomes visible when the
//! record is renamed. So no incomplete project is run, and no files are removed from under a
//! running program. Absent: choosing and starting a program.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files};
use rusk_configuration::request::{
    BlockedScripts, DependencyGroup, DependencyScriptFlags, Edit, Existing, Goal, HostEnvironment,
    InstallRequest, Linker, Network, Omit, PlatformFlags, Reruns, Reuse, Save, SavedRange, Scripts,
    TrustSettings, UnverifiedTarballs, Verify,
};
use rusk_configuration::{Configuration, Flags, LockfileRule, Writes, effective};
use rusk_npm::bun_lock;
use rusk_npm::json::text;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::release_age::{ReleaseAgeSettings, StabilityCheck};
use rusk_npm::specifier::{self, Specifier};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::Key;

use crate::event::{InstallEvent, Reporter};
use crate::install::install_configured;
use crate::summary::Summary;
use crate::{problem, state};
pub use programs::{Program, default_of, programs_of};
use record::Record;

mod programs;
pub mod record;

/// How long the resolution of a dist-tag, a range or a branch is reused; bunx has the same day for
/// `latest`.
const MAX_AGE_S: u64 = 24 * 60 * 60;

/// Time to wait for another run that installs the same packages: longer than most installs take.
const LOCK_LIMIT: Duration = Duration::from_secs(600);

/// The packages that are requested.
pub struct ExecRequest<'a> {
    /// As for `rusk add`.
    pub specifiers: &'a [String],
    /// The directory whose `.npmrc` and bunfig.toml apply.
    pub settings_dir: &'a Path,
    /// Names of packages whose install scripts run.
    pub allowed_builds: &'a [String],
}

/// The installed packages of a request.
#[derive(Debug)]
pub struct CachedPrograms {
    /// Absolute path of the directory of the programs.
    pub bin_dir: PathBuf,
    /// Programs of the requested packages, not of their dependencies.
    pub programs: Vec<Program>,
    /// Summary of the install; `None` when nothing was installed.
    pub summary: Option<Summary>,
}

/// Location of one request in the cache.
struct CacheSlot {
    dir: PathBuf,
    /// A request for exact versions only never expires.
    is_exact: bool,
}

/// Finds the packages in the cache, if they have not expired. `request`: the flags; its edit is
/// ignored.
pub fn find(
    exec_request: &ExecRequest<'_>,
    request: &InstallRequest,
    host: &HostEnvironment,
) -> Result<Option<CachedPrograms>> {
    let configuration = Configuration::load(exec_request.settings_dir, host, &Flags::of(request))?;
    let request = effective::request(request, &configuration.defaults);
    let slot = CacheSlot::of(exec_request, &configuration, &request)?;
    Ok(slot.find(&request, host)?.map(|record| slot.cached_programs(record, None)))
}

/// Installs the packages, unless they are in the cache.
pub fn find_or_install(
    exec_request: &ExecRequest<'_>,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<CachedPrograms> {
    let mut configuration = Configuration::load(exec_request.settings_dir, host, &Flags::of(request))?;
    let request = effective::request(request, &configuration.defaults);
    let slot = CacheSlot::of(exec_request, &configuration, &request)?;
    files::create_directories(&slot.dir)?;
    let _lock = lock(&slot, reporter)?;
    // The previous holder of the lock may have installed the same packages.
    if let Some(record) = slot.find(&request, host)? {
        return Ok(slot.cached_programs(record, None));
    }
    // The settings of a project apply to installing that project, not this one.
    configuration.defaults.omit = Omit::default();
    configuration.defaults.lockfile = LockfileRule::Updated;
    configuration.defaults.writes = Writes::Allowed;
    configuration.defaults.scanner = None;
    let request = InstallRequest {
        edit: Edit::Add {
            specifiers: exec_request.specifiers.to_vec(),
            group: DependencyGroup::Production,
            range: SavedRange::Caret,
            existing: Existing::Replace,
            catalog: None,
        },
        goal: Goal::Install,
        omit: Omit::default(),
        scripts: Scripts::OfDependencies,
        dependency_scripts: DependencyScriptFlags {
            blocked: BlockedScripts::Named,
            reruns: Reruns::default(),
            ..request.dependency_scripts
        },
        foreign_sources: Default::default(),
        save: Save::Yes,
        // The programs are looked up in this layout.
        linker: Some(Linker::Hoisted),
        ..request
    };
    let (record, summary) =
        make(&slot, configuration, &request, exec_request.allowed_builds, host, reporter)?;
    Ok(slot.cached_programs(record, Some(summary)))
}

/// Makes a new project in the slot, and the record that points to it.
fn make(
    slot: &CacheSlot,
    configuration: Configuration,
    request: &InstallRequest,
    allowed_builds: &[String],
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<(Record, Summary)> {
    let cache_dir = configuration.cache_dir.clone();
    let before = Record::find(&slot.dir)?;
    let mut name = files::unpredictable_name();
    let dir = slot.dir.join(&name);
    files::create_directories(&dir)?;
    files::write_atomically(&dir.join(MANIFEST_NAME), manifest(allowed_builds).as_bytes())?;
    let installed = install_configured(&dir, configuration, request, host, reporter);
    let installed = installed.inspect_err(|_| {
        // The next run removes what is left.
        let _ = discard(&dir, &cache_dir);
    });
    let summary = installed?;
    let mut previous = None;
    if let Some(before) = before {
        match is_same(&dir, &slot.dir.join(&before.name)) {
            // Programs that run from it continue, and the disk holds it once.
            true => (name, previous) = (before.name, before.previous),
            false => previous = Some(before.name),
        }
    }
    let programs = programs_of(&slot.dir.join(&name), &direct(&slot.dir.join(&name))?)?;
    let record = Record { name, previous, made_s: host.now_s, programs };
    record.write(&slot.dir)?;
    tidy(slot, &record, &cache_dir)?;
    Ok((record, summary))
}

/// A package.json that approves the scripts of these packages.
fn manifest(allowed_builds: &[String]) -> String {
    let names = allowed_builds.iter().map(|name| text::string(name));
    text::line(&[("trustedDependencies", text::array(names))])
}

/// The direct dependencies of a project.
fn direct(dir: &Path) -> Result<Vec<String>> {
    let text = files::read_to_string(&dir.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    let manifest = Manifest::parse(&text)?;
    Ok(manifest.dependencies.into_iter().map(|(name, _)| name).collect())
}

/// Whether two projects have the same packages.
fn is_same(one: &Path, other: &Path) -> bool {
    let lockfile = |dir: &Path| files::find_bytes(&dir.join(bun_lock::FILE_NAME), bun_lock::BYTES_MAX);
    match (lockfile(one), lockfile(other)) {
        (Ok(Some(one)), Ok(Some(other))) => one == other,
        _ => false,
    }
}

/// Removes projects that the record does not name: those replaced twice, and what a killed run
/// left.
fn tidy(slot: &CacheSlot, record: &Record, cache_dir: &Path) -> Result<()> {
    let refused = |error| problem::list(&slot.dir, error);
    for entry in slot.dir.read_dir().map_err(refused)? {
        let entry = entry.map_err(refused)?;
        let name = entry.file_name();
        let is_named =
            name == *record.name || record.previous.as_ref().is_some_and(|previous| name == **previous);
        if !is_named && entry.file_type().map_err(refused)?.is_dir() {
            discard(&entry.path(), cache_dir)?;
        }
    }
    Ok(())
}

fn discard(dir: &Path, cache_dir: &Path) -> Result<()> {
    let record = state::cache_prefix(cache_dir, dir);
    for kind in ["lock", "still", "inventory", "uses"] {
        files::remove_file(&record.with_extension(kind))?;
    }
    files::remove_tree(dir)
}

/// Settings, perhaps of a project, by which other packages are chosen or let through than in most
/// directories: nothing of theirs is found there.
fn choices(configuration: &Configuration, request: &InstallRequest) -> Vec<String> {
    let defaults = &configuration.defaults;
    let age = request.release_age.over(&defaults.release_age);
    let InstallRequest { verify, unverified_tarballs, release_trust, platform, .. } = request;
    let mut choices = Vec::new();
    let mut add = |differs: bool, choice: &dyn Debug| {
        if differs {
            choices.push(format!("{choice:?}"));
        }
    };
    add(age != ReleaseAgeSettings::default(), &age);
    add(defaults.stability != StabilityCheck::Off, &defaults.stability);
    add(*release_trust != TrustSettings::default(), release_trust);
    add(*verify != Verify::default(), verify);
    add(*unverified_tarballs != UnverifiedTarballs::default(), unverified_tarballs);
    for platform in [platform, &defaults.platform] {
        add(*platform != PlatformFlags::default(), platform);
    }
    configuration.cache_partition.iter().for_each(|partition| add(true, partition));
    choices
}

fn lock(slot: &CacheSlot, reporter: &mut dyn Reporter) -> Result<FileLock> {
    let subject = "another run that installs the same packages";
    let wait = LockWait { subject, limit: LOCK_LIMIT };
    FileLock::acquire(&slot.dir.join("lock"), wait, &mut |waited| {
        reporter.on_event(InstallEvent::Waiting { subject, waited });
    })
}

impl CacheSlot {
    /// Packages of one name from different registries are different packages, and so may their
    /// dependencies be. Scripts leave files.
    fn of(
        request: &ExecRequest<'_>,
        configuration: &Configuration,
        install_request: &InstallRequest,
    ) -> Result<CacheSlot> {
        let mut normalized = Vec::new();
        let mut is_exact = true;
        for text in request.specifiers {
            let specifier::Request { name, specifier } = Specifier::parse_request(text)?;
            is_exact &= match &specifier {
                Specifier::Npm { range, .. } => range.is_exact().is_some(),
                Specifier::DistTag { .. }
                | Specifier::Git { .. }
                | Specifier::Github { .. }
                | Specifier::TarballUrl(_) => false,
                _ => return Err(problem::transient_path(text)),
            };
            normalized.push(match name {
                Some(name) => format!("{name}@{specifier}"),
                None => specifier.to_string(),
            });
        }
        let scopes = configuration.scopes.iter().map(|(scope, registry)| format!("{scope:?} {registry}"));
        let builds = request.allowed_builds.iter().map(|name| format!("allow-build {name}"));
        let registry = [configuration.registry.clone()].into_iter();
        let choices = choices(configuration, install_request);
        let sources: Vec<String> = registry.chain(scopes).chain(choices).chain(builds).collect();
        let key = Key::new("x", &normalized.join(" "), &sources.join("\n"));
        Ok(CacheSlot { dir: configuration.cache_dir.join("x").join(key.dir_name()), is_exact })
    }

    /// Reads the record, if it has not expired.
    fn find(&self, request: &InstallRequest, host: &HostEnvironment) -> Result<Option<Record>> {
        if request.reuse == Reuse::Nothing {
            return Ok(None);
        }
        let is_young =
            |record: &Record| record.made_s <= host.now_s && host.now_s - record.made_s < MAX_AGE_S;
        let is_enough = self.is_exact || request.network != Network::Online;
        Ok(Record::find(&self.dir)?.filter(|record| is_enough || is_young(record)))
    }

    fn cached_programs(&self, record: Record, summary: Option<Summary>) -> CachedPrograms {
        let bin_dir = self.dir.join(record.name).join("node_modules/.bin");
        CachedPrograms { bin_dir, programs: record.programs, summary }
    }
}
