//! Packages for one command. Each request has a shelf in the cache: a record, and beside it folders
//! that are each a whole project. In: specifiers, and the folder whose settings count. Out: the
//! programs of what was asked for. A project on a shelf is never changed: a newer one is made
//! beside it, and seen by one rename of the record, so that nothing half-made is run and nothing is
//! taken from under a program. Absent: choosing and starting one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files};
use rusk_npm::bun_lock;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::specifier::{self, Specifier};
use rusk_store::Key;

use crate::configuration::{Configuration, Flags, LockfileRule, Writes};
use crate::event::{Event, Reporter};
use crate::install::install_configured;
use crate::project::MANIFEST_NAME;
use crate::request::{
    Edit, Goal, Group, HostEnvironment, Linker, Network, Omit, Request, Save, SavedRange, Scripts, Trust,
};
use crate::summary::Summary;
use crate::{effective, problem, state};
pub use programs::{Program, default_of, programs_of};
use record::Record;

mod programs;
mod record;

/// What a dist-tag, a range or a branch led to is believed this long; bunx has the same day for
/// `latest`.
const MAX_AGE_S: u64 = 24 * 60 * 60;

/// Another run that installs the same is waited for this long: longer than most installs take.
const LOCK_LIMIT: Duration = Duration::from_secs(600);

/// What is to be there.
pub struct ExecRequest<'a> {
    /// As for `rusk add`.
    pub specifiers: &'a [String],
    /// Whose `.npmrc` and bunfig.toml count.
    pub settings_dir: &'a Path,
}

/// What is there.
#[derive(Debug)]
pub struct CachedPrograms {
    /// The folder of the programs, absolute.
    pub bin_dir: PathBuf,
    /// Those of the packages that were asked for, not of their dependencies.
    pub programs: Vec<Program>,
    /// What was done for it; `None` when it was there.
    pub summary: Option<Summary>,
}

/// Where one request lies.
struct CacheSlot {
    dir: PathBuf,
    /// A request for nothing but exact versions is answered for good.
    is_exact: bool,
}

/// What is wanted, if it is there and may still be believed. `request`: the flags; its edit does
/// not count.
pub fn find(
    exec_request: &ExecRequest<'_>,
    request: &Request,
    host: &HostEnvironment,
) -> Result<Option<CachedPrograms>> {
    let configuration = Configuration::load(exec_request.settings_dir, host, &Flags::of(request))?;
    let request = effective::request(request, &configuration.defaults);
    let slot = CacheSlot::of(exec_request.specifiers, &configuration)?;
    Ok(slot.find(&request, host)?.map(|record| slot.cached_programs(record, None)))
}

/// Installs what is wanted, unless it is there.
pub fn find_or_install(
    exec_request: &ExecRequest<'_>,
    request: &Request,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<CachedPrograms> {
    let mut configuration = Configuration::load(exec_request.settings_dir, host, &Flags::of(request))?;
    let request = effective::request(request, &configuration.defaults);
    let slot = CacheSlot::of(exec_request.specifiers, &configuration)?;
    files::create_directories(&slot.dir)?;
    let _lock = lock(&slot, reporter)?;
    // Who held the lock may have made just this.
    if let Some(record) = slot.find(&request, host)? {
        return Ok(slot.cached_programs(record, None));
    }
    // The settings of a project say how that project is installed, not this.
    configuration.defaults.omit = Omit::default();
    configuration.defaults.lockfile = LockfileRule::Updated;
    configuration.defaults.writes = Writes::Allowed;
    let request = Request {
        edit: Edit::Add {
            specifiers: exec_request.specifiers.to_vec(),
            group: Group::Production,
            range: SavedRange::Caret,
        },
        goal: Goal::Install,
        omit: Omit::default(),
        scripts: Scripts::Ignore,
        save: Save::Yes,
        // Its programs are looked for where this layout has them.
        linker: Some(Linker::Hoisted),
        ..request
    };
    let (record, summary) = make(&slot, configuration, &request, host, reporter)?;
    Ok(slot.cached_programs(record, Some(summary)))
}

/// A new project on the shelf, and the record that shows it.
fn make(
    slot: &CacheSlot,
    configuration: Configuration,
    request: &Request,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<(Record, Summary)> {
    let cache_dir = configuration.cache_dir.clone();
    let before = Record::find(&slot.dir)?;
    let mut name = files::unpredictable_name();
    let dir = slot.dir.join(&name);
    files::create_directories(&dir)?;
    files::write_atomically(&dir.join(MANIFEST_NAME), b"{}\n")?;
    let installed = install_configured(&dir, configuration, request, host, reporter);
    let installed = installed.inspect_err(|_| {
        // The next run tidies what this one could not.
        let _ = discard(&dir, &cache_dir);
    });
    let summary = installed?;
    let mut previous = None;
    if let Some(before) = before {
        match is_same(&dir, &slot.dir.join(&before.name)) {
            // What runs from it goes on, and the disk holds it once.
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

/// The packages that a project asks for.
fn direct(dir: &Path) -> Result<Vec<String>> {
    let text = files::read_to_string(&dir.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    let manifest = Manifest::parse(&text)?;
    Ok(manifest.dependencies.into_iter().map(|(name, _)| name).collect())
}

/// Whether two projects hold the same packages.
fn is_same(one: &Path, other: &Path) -> bool {
    let lockfile = |dir: &Path| files::find_bytes(&dir.join(bun_lock::FILE_NAME), bun_lock::BYTES_MAX);
    match (lockfile(one), lockfile(other)) {
        (Ok(Some(one)), Ok(Some(other))) => one == other,
        _ => false,
    }
}

/// Takes away what the record does not name: projects that were replaced twice, and what a killed
/// run left.
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

fn lock(slot: &CacheSlot, reporter: &mut dyn Reporter) -> Result<FileLock> {
    let subject = "another run that installs the same packages";
    let wait = LockWait { subject, limit: LOCK_LIMIT };
    FileLock::acquire(&slot.dir.join("lock"), wait, &mut |waited| {
        reporter.on_event(Event::Waiting { subject, waited });
    })
}

impl CacheSlot {
    /// Packages of the same name from different registries are different packages, and so may their
    /// dependencies be.
    fn of(specifiers: &[String], configuration: &Configuration) -> Result<CacheSlot> {
        let mut normalized = Vec::new();
        let mut is_exact = true;
        for text in specifiers {
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
        let scopes = configuration.scopes.iter().map(|(scope, registry)| format!("{scope} {registry}"));
        let sources: Vec<String> = [configuration.registry.clone()].into_iter().chain(scopes).collect();
        let key = Key::new("x", &normalized.join(" "), &sources.join("\n"));
        Ok(CacheSlot { dir: configuration.cache_dir.join("x").join(key.folder()), is_exact })
    }

    /// What lies here, if it may still be believed.
    fn find(&self, request: &Request, host: &HostEnvironment) -> Result<Option<Record>> {
        if request.trust == Trust::Nothing {
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
