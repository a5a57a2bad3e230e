//! Whether a project stands as its last install left it, told by `stat` alone. In: a witness
//! written by that install, how it was asked, and how this one is. Out: nothing is left to do, or:
//! look closer. A witness names every file that was read, those of the configuration among them,
//! and every folder that something may have been put into or taken out of, each with its mark. One
//! that is damaged, was asked for otherwise, or names anything that changed (or may have, within a
//! tick of the clock) says nothing. It is asked twice: before the configuration is read, for an
//! install that is asked the very same way, and after it, for one that comes from elsewhere but is
//! to do the same; files that configure may be others then. Absent: what lies inside packages; a
//! warning that a closer look would repeat; a project without a node_modules to keep it in.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::many::Paths;
use rusk_base::{Result, files, sys};
use rusk_npm::bun_lock;
use rusk_npm::graph::{Graph, Source};

use crate::apply;
use crate::configuration::Configuration;
use crate::configuration::noted::PASSING;
use crate::decide::{Decided, LockfileChange};
use crate::event::{Event, Events};
use crate::link::staging;
use crate::plan::Plan;
use crate::project::MANIFEST_NAME;
use crate::request::{Edit, Engines, Goal, Host, Request, Scripts, Trust};
use crate::scripts::{self, Stage};
use crate::site::Site;
use crate::state::{self, Found, Watched};
use crate::summary::Summary;
use witness::{Asked, Draft, Mark, Part, UNASKED};

pub use witness::Witness;

mod witness;

/// Links one after the other, as many as the kernel follows.
const LINKS_MAX: usize = 40;

/// What can be asked of the project in a folder.
pub fn find_witness(folder: &Path, request: &Request) -> Option<Witness> {
    may_be_skipped(request).then(|| Witness::find(folder)).flatten()
}

/// What an idle install says, told before anything but its witness is read.
pub fn ask_unread(witness: Option<&Witness>, request: &Request, host: &Host) -> Option<Summary> {
    witness?.installed(Asked::Unread(&unread(request, host))).map(summary)
}

/// What an idle install says, if the project in a folder is known to stand as it should.
pub fn ask(
    witness: Option<&Witness>,
    folder: &Path,
    configuration: &Configuration,
    request: &Request,
) -> Option<Summary> {
    let witness = witness.filter(|_| may_be_skipped(request))?;
    witness.installed(Asked::Configured(&configured(folder, configuration, request))).map(summary)
}

fn summary(installed: usize) -> Summary {
    Summary { installed, ..Summary::default() }
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
    let project = apply::open(&site.project.folder)?;
    let is_sure = may_be_skipped(request) && !is_unsure;
    let draft = if is_sure { describe(outcome, host, project.as_fd())? } else { None };
    match draft {
        Some(draft) => draft.write(project.as_fd()),
        None => witness::remove(project.as_fd()),
    }
    Ok(())
}

/// The witness; `None` where a name cannot be written down, or somebody wrote meanwhile.
fn describe(outcome: &Outcome<'_>, host: &Host, project: BorrowedFd<'_>) -> Result<Option<Draft>> {
    let Outcome { site, given, request, plan, .. } = outcome;
    let shared = plan.shared.as_ref().map_or(0, |shared| shared.packages);
    let installed = plan.places.iter().filter(|place| !place.is_link()).count() + shared;
    let approach = approach(site);
    let unread = if approach.is_some() { unread(given, host) } else { UNASKED.to_owned() };
    let clock = *site.file_clock.get_or_init(|| state::clock_of(project));
    let configured = configured(&site.project.folder, &site.configuration, request);
    let mut draft = Draft::new(&unread, &configured, installed);
    let files = files_read(site, approach.unwrap_or_default());
    let mut parts: BTreeMap<&str, (Part, Option<Found>)> =
        files.iter().map(|(path, part)| (path.as_str(), (*part, None))).collect();
    // A folder that was looked at when nothing was begun tells by that whatever was done there
    // since.
    let seen = |folder: &Watched| folder.seen.filter(|found| clock.is_fine_on(found.device));
    let folders = state::watched(plan).iter();
    parts.extend(folders.map(|folder| (folder.path.as_str(), (Part::Project, seen(folder)))));
    let mut looked_at = Paths::default();
    let unseen = parts.iter().filter(|(_, (_, seen))| seen.is_none());
    unseen.for_each(|(path, _)| looked_at.add(path));
    let marks = looked_at.lstatx_all(project, state::means(plan), |stat| stat.ok().map(Mark::of));
    let mut marks = marks.into_iter();
    let mut added = parts.iter().map(|(path, (part, seen))| {
        let mark = match seen {
            Some(found) => Some(Mark::seen(found)),
            None => marks.next().flatten(),
        };
        // What comes to be there changes the folder around it, which is watched.
        let is_watched = mark.is_some() || !path.ends_with("/.bin");
        if is_watched { draft.add(mark, clock, *part, path) } else { Some(()) }
    });
    let can_be_written = added.all(|added| added.is_some());
    // After the marks: what is read now is as old as they are, or they will not fit.
    Ok((can_be_written && is_as_it_was_read(outcome)?).then_some(draft))
}

/// All that was read, or looked for in vain, and what it is to the project.
fn files_read(site: &Site, approach: Vec<String>) -> BTreeMap<String, Part> {
    let folder = &site.project.folder;
    let with_part = |part: Part| move |path: String| (path, part);
    let approach = approach.into_iter().flat_map(|file| with_links(folder, file));
    let mut files: BTreeMap<String, Part> = approach.map(with_part(Part::Configuration)).collect();
    let read = read(site).into_iter().flat_map(|file| with_links(folder, file));
    files.extend(read.chain(["node_modules".to_owned()]).map(with_part(Part::Project)));
    files
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

/// All that is read before it is known how a project is to be installed; `None` where these files
/// do not tell it all.
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

/// Whether all that is installed stays what it is while nothing that is watched changes: a folder
/// or a tarball that a dependency names may change by itself.
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

/// How an install is asked: all that its outcome may depend on beside the project's own files. With
/// the folder, because one that was moved is noted in the cache anew.
fn configured(folder: &Path, configuration: &Configuration, request: &Request) -> String {
    digest(&format!("{folder:?}\n{request:?}\n{configuration:?}"))
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
