//! Whether a project stands as its last install left it, told by `stat` alone. In: a witness written by that install, how
//! it was asked, and how this one is. Out: nothing is left to do, or: look closer. A witness names every file that was
//! read and every folder that something may have been put into or taken out of, each with its mark. One that is
//! damaged, was asked for otherwise, or names anything that changed (or may have, within a tick of the clock) says nothing.
//! Absent: what lies inside packages; a warning that a closer look would repeat.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::{Result, files, sys};
use rusk_npm::bun_lock;
use rusk_npm::graph::{Graph, Source};

use crate::configuration::Configuration;
use crate::event::{Event, Events};
use crate::link::staging;
use crate::plan::{Origin, Plan};
use crate::project::MANIFEST_NAME;
use crate::request::{Edit, Engines, Goal, Request, Scripts, Trust};
use crate::scripts::{self, Stage};
use crate::site::Site;
use crate::summary::Summary;
use crate::{apply, state};

/// The first line; another one is another format.
const HEAD: &str = "rusk still 1";
const END: &str = "end";

/// A witness larger than this is not believed: a project of 100,000 packages has one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// Where the witness of a project lies, beside the record of what is installed.
pub fn path(record: &Path) -> PathBuf {
    record.with_extension("still")
}

/// What an idle install says, if the project is known to stand as it should.
pub fn find(
    folder: &Path,
    record: &Path,
    configuration: &Configuration,
    request: &Request,
) -> Option<Summary> {
    let witness = path(record);
    let text = may_be_skipped(request).then(|| files::find_string(&witness, BYTES_MAX).ok())??;
    let text = text.as_deref()?;
    let mut lines = text.strip_suffix(END)?.lines();
    let is_ours = lines.next() == Some(HEAD) && lines.next() == Some(&digest(configuration, request));
    let installed = lines.next().filter(|_| is_ours)?.parse().ok()?;
    let written_ns = state::nanoseconds(sys::lstatx(sys::CURRENT, &witness).ok()?.stx_mtime);
    let project = sys::open_folder(sys::CURRENT, folder).ok()?;
    let stands = |line: &str| {
        let (mark, path) = line.split_once('\t')?;
        let found = Mark::of(project.as_fd(), path);
        let is_old = found.is_none_or(|found| found.changed_ns() + state::CLOCK_STEP_NS < written_ns);
        (is_old && mark == text_of(found)).then_some(())
    };
    lines.all(|line| stands(line).is_some()).then(|| Summary { installed, ..Summary::default() })
}

/// Forgets how the project stood.
pub fn forget(record: &Path) -> Result<()> {
    files::remove_file(&path(record))
}

/// Notes how the project stands now, where a later install may rely on it.
pub fn note(site: &Site, request: &Request, graph: &Graph, plan: &Plan, warned: bool) -> Result<()> {
    if warned || !may_be_skipped(request) || runs_scripts(site, request) || !stays(graph, plan) {
        return forget(&site.record);
    }
    let project = apply::open(&site.project.folder)?;
    let links = plan.places.iter().filter(|place| matches!(place.origin, Origin::Link(_))).count();
    let installed = plan.places.len() - links;
    let mut text = format!("{HEAD}\n{}\n{installed}\n", digest(&site.configuration, request));
    for path in watched(site, plan) {
        let mark = Mark::of(project.as_fd(), &path);
        // What comes to be there changes the folder around it, which is watched.
        if mark.is_none() && path.ends_with("/.bin") {
            continue;
        }
        // A name with a line break in it cannot be written down.
        if path.contains('\n') {
            return forget(&site.record);
        }
        text.push_str(&format!("{}\t{path}\n", text_of(mark)));
    }
    text.push_str(END);
    files::write_atomically(&path(&site.record), text.as_bytes())
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
    request.scripts == Scripts::Run && (has_scripts() || site.project.folder.join(ADDON).exists())
}

/// Stands for an install script where there is none.
const ADDON: &str = "binding.gyp";

/// Whether all that is installed stays what it is while nothing that is watched changes: a folder or a tarball
/// that a dependency names may change by itself.
fn stays(graph: &Graph, plan: &Plan) -> bool {
    let stays = |source: &Source| !matches!(source, Source::Folder { .. } | Source::LocalTarball { .. });
    plan.places.iter().all(|place| stays(&graph.package(place.package).source))
}

/// From the project: what was read, what was looked for in vain, and folders by what lies in them.
fn watched(site: &Site, plan: &Plan) -> BTreeSet<String> {
    let members = &site.project.members;
    let mut paths: BTreeSet<String> =
        [MANIFEST_NAME, bun_lock::FILE_NAME, ADDON, staging::NAME].map(str::to_owned).into();
    paths.extend(members.workspaces.iter().map(|member| format!("{}/{MANIFEST_NAME}", member.path)));
    paths.extend(members.searched.iter().cloned());
    paths.extend(state::folders(plan));
    paths
}

/// How an install is asked: all that its outcome may depend on beside the project's own files.
fn digest(configuration: &Configuration, request: &Request) -> String {
    let mut hasher = DefaultHasher::new();
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}\n{request:?}\n{configuration:?}").hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// What tells a file or a folder from what was there before, under the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    inode: u64,
    bytes: u64,
    modified_ns: i128,
    /// When the inode itself changed, which no program sets at will.
    status_ns: i128,
}

impl Mark {
    fn of(project: BorrowedFd<'_>, path: &str) -> Option<Mark> {
        let found = sys::lstatx(project, path).ok()?;
        Some(Mark {
            inode: found.stx_ino,
            bytes: found.stx_size,
            modified_ns: state::nanoseconds(found.stx_mtime),
            status_ns: state::nanoseconds(found.stx_ctime),
        })
    }

    fn changed_ns(self) -> i128 {
        self.modified_ns.max(self.status_ns)
    }
}

/// Of a name that nothing has: `-`.
fn text_of(mark: Option<Mark>) -> String {
    match mark {
        None => "-".to_owned(),
        Some(mark) => format!("{} {} {} {}", mark.inode, mark.bytes, mark.modified_ns, mark.status_ns),
    }
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
