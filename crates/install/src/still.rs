//! Whether a project stands as its last install left it, told by `stat` alone. In: a witness written by that install, how
//! it was asked, and how this one is. Out: nothing is left to do, or: look closer. A witness names every file that was
//! read, those of the configuration among them, and every folder that something may have been put into or taken out of,
//! each with its mark. One that is damaged, was asked for otherwise, or names anything that changed (or may have, within a
//! tick of the clock) says nothing. It is looked at twice: before the configuration is read, for an install that is asked
//! the very same way, and after it, for one that comes from elsewhere but is to do the same.
//! Absent: what lies inside packages; a warning that a closer look would repeat.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rusk_base::sys::many::Paths;
use rusk_base::{Result, files, sys};
use rusk_npm::bun_lock;
use rusk_npm::graph::{Graph, Source};

use crate::apply;
use crate::configuration::noted::PASSING;
use crate::configuration::{self, Configuration, Flags};
use crate::decide::{Decided, LockfileChange};
use crate::event::{Event, Events};
use crate::link::staging;
use crate::plan::Plan;
use crate::project::MANIFEST_NAME;
use crate::request::{Edit, Engines, Goal, Host, Request, Scripts, Trust};
use crate::scripts::{self, Stage};
use crate::site::Site;
use crate::state::{self, FileClock};
use crate::summary::Summary;
use witness::{Asked, Draft, Mark, UNASKED};

mod witness;

/// Links one after the other, as many as the kernel follows.
const LINKS_MAX: usize = 40;

/// Where the witness of a project lies, beside the record of what is installed.
pub fn path(record: &Path) -> PathBuf {
    record.with_extension("still")
}

/// What an idle install says, told before anything but its witness is read.
pub fn find_unread(folder: &Path, request: &Request, host: &Host) -> Option<Summary> {
    let cache_dir =
        configuration::usual_cache_dir(host, &Flags::of(request)).filter(|_| may_be_skipped(request))?;
    let witness = path(&state::path(&cache_dir, folder));
    summary(witness::find(&witness, Asked::Unread(&unread(request, host)), folder))
}

/// What an idle install says, if the project is known to stand as it should.
pub fn find(
    folder: &Path,
    record: &Path,
    configuration: &Configuration,
    request: &Request,
) -> Option<Summary> {
    let asked = may_be_skipped(request).then(|| configured(configuration, request))?;
    summary(witness::find(&path(record), Asked::Configured(&asked), folder))
}

fn summary(installed: Option<usize>) -> Option<Summary> {
    installed.map(|installed| Summary { installed, ..Summary::default() })
}

/// Forgets how the project stood.
pub fn forget(record: &Path) -> Result<()> {
    files::remove_file(&path(record))
}

/// An install that has come to its end.
pub struct Outcome<'a> {
    pub site: &'a Site,
    /// As it was given, and as it counts.
    pub given: &'a Request,
    pub request: &'a Request,
    pub decided: &'a Decided,
    pub plan: &'a Plan,
    /// Whether a closer look would say something that this one said.
    pub warns_again: bool,
}

/// Notes how the project stands now, where a later install may rely on it.
pub fn note(outcome: &Outcome<'_>, host: &Host) -> Result<()> {
    let Outcome { site, request, plan, .. } = outcome;
    let is_unsure =
        outcome.warns_again || runs_scripts(site, request) || !stays(&outcome.decided.graph, plan);
    match may_be_skipped(request) && !is_unsure {
        true => match describe(outcome, host)? {
            Some(text) => files::write_atomically(&path(&site.record), text.as_bytes()),
            None => forget(&site.record),
        },
        false => forget(&site.record),
    }
}

/// The witness's text; `None` where a name cannot be written down.
fn describe(outcome: &Outcome<'_>, host: &Host) -> Result<Option<String>> {
    let Outcome { site, given, request, plan, .. } = outcome;
    let project = apply::open(&site.project.folder)?;
    let shared = plan.shared.as_ref().map_or(0, |shared| shared.packages);
    let installed = plan.places.iter().filter(|place| !place.is_link()).count() + shared;
    let approach = approach(site);
    let unread = if approach.is_some() { unread(given, host) } else { UNASKED.to_owned() };
    let clock = *site.file_clock.get_or_init(|| state::clock_of(project.as_fd()));
    let mut draft = Draft::new(&unread, &configured(&site.configuration, request), installed);
    let mut paths: BTreeSet<String> = state::folders(plan);
    paths.extend(read(site).into_iter().flat_map(|file| with_links(&site.project.folder, file)));
    let approach = approach.unwrap_or_default().into_iter();
    // What these say is not compared below: they count once they are old.
    let unsure: BTreeSet<String> = approach.flat_map(|file| with_links(&site.project.folder, file)).collect();
    paths.extend(unsure.iter().cloned());
    let mut looked_at = Paths::default();
    paths.iter().for_each(|path| looked_at.add(path));
    let marks = looked_at.lstatx_all(project.as_fd(), state::means(plan), |stat| stat.ok().map(Mark::of));
    // What comes to be there changes the folder around it, which is watched.
    let is_watched = |(path, mark): &(&String, Option<Mark>)| mark.is_some() || !path.ends_with("/.bin");
    let watched = paths.iter().zip(marks).filter(is_watched);
    let clock_of = |path: &String| if unsure.contains(path) { FileClock::Coarse } else { clock };
    let mut added = watched.map(|(path, mark)| draft.add(mark, clock_of(path), path));
    let can_be_written = added.all(|added| added.is_some());
    // After the marks: what is read now is as old as they are, or they will not fit.
    Ok((can_be_written && is_as_it_was_read(outcome)?).then(|| draft.finish()))
}

/// Whether nobody wrote to the project's files while this install was under way.
fn is_as_it_was_read(outcome: &Outcome<'_>) -> Result<bool> {
    let Outcome { site, decided, .. } = outcome;
    if !site.project.members.are_those_of(&site.project.folder) {
        return Ok(false);
    }
    let found = files::find_string(&site.project.lockfile_path(), bun_lock::BYTES_MAX)?;
    let old = site.project.lockfile.as_ref().map(|locked| &locked.text);
    let new = match &decided.lockfile {
        None => old,
        Some(LockfileChange::Write(text)) => Some(text),
        Some(LockfileChange::Remove) => None,
    };
    Ok([old, new].contains(&found.as_ref()))
}

/// All that is read before it is known how a project is to be installed; `None` where these files do not tell it all.
fn approach(site: &Site) -> Option<Vec<String>> {
    let noted = site.noted.as_ref().filter(|noted| site.member.is_empty() && !noted.names_passing)?;
    let above = site.project.folder.ancestors().skip(1).map(|folder| folder.join(MANIFEST_NAME));
    above.chain(noted.files.iter().cloned()).map(|path| path.into_os_string().into_string().ok()).collect()
}

/// Whether a request only asks for what a lockfile and a manifest say, and believes what is there.
fn may_be_skipped(request: &Request) -> bool {
    request.edit == Edit::None
        && matches!(request.goal, Goal::Install | Goal::Frozen)
        && request.trust == Trust::InstalledFiles
        && request.engines != Engines::Refuse
}

/// The project's own scripts run at each install.
fn runs_scripts(site: &Site, request: &Request) -> bool {
    let manifest = &site.project.members.project.manifest;
    let has_scripts = || [Stage::Before, Stage::After].iter().any(|stage| scripts::needs(*stage, manifest));
    request.scripts == Scripts::Run && (has_scripts() || files::exists(&site.project.folder.join(ADDON)))
}

/// Stands for an install script where there is none.
const ADDON: &str = "binding.gyp";

/// Whether all that is installed stays what it is while nothing that is watched changes: a folder or a tarball
/// that a dependency names may change by itself.
fn stays(graph: &Graph, plan: &Plan) -> bool {
    let stays = |source: &Source| !matches!(source, Source::Folder { .. } | Source::LocalTarball { .. });
    plan.places.iter().all(|place| stays(&graph.package(place.package).source))
}

/// From the project: what was read, and what was looked for in vain.
fn read(site: &Site) -> Vec<String> {
    let members = &site.project.members;
    let mut paths = [MANIFEST_NAME, bun_lock::FILE_NAME, ADDON, staging::NAME].map(str::to_owned).to_vec();
    paths.extend(members.workspaces.iter().map(|member| format!("{}/{MANIFEST_NAME}", member.path)));
    paths.extend(members.searched.iter().cloned());
    paths
}

/// A file that is a link is read where the link leads.
fn with_links(folder: &Path, file: String) -> Vec<String> {
    let mut paths = vec![file];
    while let Some(next) = link_of(folder, &paths[paths.len() - 1]).filter(|_| paths.len() <= LINKS_MAX) {
        paths.push(next);
    }
    paths
}

/// Where a link leads; `None` for anything else.
fn link_of(folder: &Path, path: &str) -> Option<String> {
    let target = sys::readlinkat(sys::CURRENT, folder.join(path)).ok()?;
    let around = Path::new(path).parent()?;
    Some(around.join(target.to_str().ok()?).to_str()?.to_owned())
}

/// How an install is asked, by what it is given.
fn unread(request: &Request, host: &Host) -> String {
    let Host { current_dir, home_dir, environment, .. } = host;
    let lasting = environment.iter().filter(|(name, _)| !PASSING.contains(&name.as_str()));
    let lasting: Vec<_> = lasting.collect();
    digest(&format!("{request:?}\n{current_dir:?}\n{home_dir:?}\n{lasting:?}"))
}

/// How an install is asked: all that its outcome may depend on beside the project's own files.
fn configured(configuration: &Configuration, request: &Request) -> String {
    digest(&format!("{request:?}\n{configuration:?}"))
}

fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), text).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Passes events on, and knows whether the user was warned.
pub struct Heard<'a> {
    pub events: &'a mut dyn Events,
    pub warned: bool,
}

impl Events for Heard<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.warned |= matches!(event, Event::Warning(_));
        self.events.event(event);
    }
}
