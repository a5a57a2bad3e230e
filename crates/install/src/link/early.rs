//! Early linker: links packages before the plan is known, or while others arrive. A package is
//! linked where it will most likely be in the new node_modules, else into a directory of its own,
//! from which it is moved later.
//!
//! In: packages of the store, as they are chosen or fetched. Out: the staging directory, and which
//! packages are in it. Used only where node_modules is made as a whole: elsewhere most packages
//! exist already. A failure here is ignored: the package is linked again, and that reports the
//! error.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Result, files, sys};
use rusk_configuration::request::{Goal, InstallRequest};
use rusk_npm::bunfig::Linker as Layout;
use rusk_npm::name::PackageName;
use rusk_store::{Backend, Key, Linker, Package, Store};

use super::NEW_TREE;
use super::staging::{StagingArea, StagingDir};
use crate::apply;
use crate::context::InstallContext;
use crate::event::NullReporter;

/// In the staging directory, for packages whose location is not known.
const DIRECTORY: &str = "ahead";
/// Where node_modules is made as a whole, nothing is in its place.
const NODE_MODULES: &str = "node_modules";
/// Files offered before starting a thread pays off.
const FILES_MIN: usize = 128;

/// Links the packages that it is offered, from the first offer on.
pub struct EarlyLinker<'a> {
    context: &'a InstallContext,
    request: &'a InstallRequest,
    layout: Layout,
    project: BorrowedFd<'a>,
    /// State of node_modules when the install began; the lock excludes other installs.
    pub node_modules: NodeModules,
    state: RefCell<EarlyState<'a>>,
}

/// Whether node_modules exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeModules {
    Present,
    Absent,
}

enum EarlyState<'a> {
    /// Too few files were offered so far.
    Waiting(Vec<Package>),
    Running(Box<RunningLinker<'a>>),
    /// Not used in this install, or finished.
    Off,
}

struct RunningLinker<'a> {
    start: LinkStart<'a>,
    jobs: Sender<LinkJob>,
    offered: HashSet<Key>,
    /// Locations in the new node_modules that are assigned to packages.
    reserved: HashSet<String>,
    shared: Arc<WorkerState>,
    threads: Vec<JoinHandle<()>>,
}

/// A package, and where in the staging directory it is linked.
struct LinkJob {
    package: Package,
    path: String,
}

/// What linking starts with.
pub struct LinkStart<'a> {
    pub staging: StagingArea<'a>,
    pub backend: Backend,
    pub early: EarlyPackages,
}

/// Packages in the staging directory, each for its location or else for the first location that
/// needs it.
#[derive(Default)]
pub struct EarlyPackages(Mutex<EarlyTable>);

#[derive(Default)]
struct EarlyTable {
    staged: HashMap<Key, EarlyPackage>,
    /// Where linking failed in the new node_modules.
    failed: Vec<String>,
}

struct EarlyPackage {
    path: String,
    /// Number of files linked so far, from the first.
    files: usize,
}

/// State that the threads share.
struct WorkerState {
    store: Arc<Store>,
    backend: Backend,
    staging_dir: StagingDir,
    early: EarlyPackages,
    stop_requested: AtomicBool,
}

impl<'a> EarlyLinker<'a> {
    pub fn new(
        context: &'a InstallContext,
        request: &'a InstallRequest,
        project: BorrowedFd<'a>,
    ) -> EarlyLinker<'a> {
        let layout = apply::linker(context, request);
        let node_modules = match sys::lstatat(project, NODE_MODULES) {
            Ok(_) => NodeModules::Present,
            Err(_) => NodeModules::Absent,
        };
        let builds_new_tree = request.goal == Goal::Clean
            || node_modules == NodeModules::Absent && matches!(request.goal, Goal::Install | Goal::Frozen);
        let state = match builds_new_tree && layout != Layout::Global {
            true => EarlyState::Waiting(Vec::new()),
            false => EarlyState::Off,
        };
        EarlyLinker { context, request, layout, project, node_modules, state: RefCell::new(state) }
    }

    /// The project's directory.
    pub fn project(&self) -> BorrowedFd<'a> {
        self.project
    }

    /// Whether packages are linked early, and most of them at their final location: then it pays to
    /// look them up early.
    pub fn predicts_locations(&self) -> bool {
        self.layout == Layout::Hoisted && !matches!(*self.state.borrow(), EarlyState::Off)
    }

    /// Offers a package that will most likely be installed.
    pub fn offer(&self, package: &Package) {
        let mut state = self.state.borrow_mut();
        match &mut *state {
            EarlyState::Waiting(packages) => {
                packages.push(package.clone());
                let files: usize = packages.iter().map(|package| package.index.file_count()).sum();
                if files >= FILES_MIN {
                    let packages = std::mem::take(packages);
                    *state = self.begin(packages).ok().flatten().map_or(EarlyState::Off, EarlyState::Running);
                }
            }
            EarlyState::Running(running) => running.add(package.clone(), self),
            EarlyState::Off => {}
        }
    }

    /// The staging directory, with what is linked in it by now: nothing, when few files were
    /// offered.
    pub fn finish(&self) -> Result<LinkStart<'a>> {
        match self.state.replace(EarlyState::Off) {
            EarlyState::Running(running) => Ok(running.stop()),
            EarlyState::Waiting(_) | EarlyState::Off => {
                LinkStart::new(self.context, self.request, self.project)
            }
        }
    }

    fn begin(&self, packages: Vec<Package>) -> Result<Option<Box<RunningLinker<'a>>>> {
        let start = LinkStart::new(self.context, self.request, self.project)?;
        // Copies wait for the plan: not every chosen package is installed in the end.
        if !matches!(start.backend, Backend::Hardlink | Backend::Clone) {
            return start.clear();
        }
        let Ok(staging_dir) = self.staging_dir(&start.staging) else { return start.clear() };
        let (store, backend) = (Arc::clone(&self.context.store), start.backend);
        let (early, stop_requested) = (EarlyPackages::default(), AtomicBool::new(false));
        let shared = Arc::new(WorkerState { store, backend, staging_dir, early, stop_requested });
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        // This thread resolves or receives meanwhile.
        let count = (self.context.threads - 1).max(1);
        let threads = (0..count).map(|_| {
            let (shared, queue, here) = (Arc::clone(&shared), Arc::clone(&queue), timeline::current());
            std::thread::Builder::new().spawn(move || {
                let _lane = here.enter("link early");
                shared.link_all(&queue);
            })
        });
        let threads: Vec<_> = threads.map_while(std::io::Result::ok).collect();
        if threads.is_empty() {
            return start.clear();
        }
        let (offered, reserved) = Default::default();
        let mut running = Box::new(RunningLinker { start, jobs, offered, reserved, shared, threads });
        packages.into_iter().for_each(|package| running.add(package, self));
        Ok(Some(running))
    }

    /// The staging directory, with the directory in it that most packages are linked in.
    fn staging_dir(&self, staging: &StagingArea<'_>) -> Result<StagingDir> {
        let dir = if self.layout == Layout::Hoisted { NEW_TREE } else { DIRECTORY };
        staging.make_dir(dir, &self.context.configuration.cache_dir)?;
        staging.staging_dir().reopen()
    }
}

impl<'a> LinkStart<'a> {
    fn new(
        context: &'a InstallContext,
        request: &InstallRequest,
        project: BorrowedFd<'a>,
    ) -> Result<LinkStart<'a>> {
        let dir = &context.project.dir;
        let member_dirs = context.project.members.workspaces.iter().map(|member| &*member.path);
        Ok(LinkStart {
            staging: StagingArea::make(project, dir, member_dirs)?,
            backend: Backend::probe(&context.store, dir, apply::backend(request.backend))?,
            early: EarlyPackages::default(),
        })
    }
}

impl LinkStart<'_> {
    /// Starts nothing, and leaves nothing.
    fn clear<T>(self) -> Result<Option<T>> {
        self.staging.clear_during(&mut NullReporter, || Ok(None))
    }
}

impl<'a> RunningLinker<'a> {
    fn add(&mut self, package: Package, early_linker: &EarlyLinker<'_>) {
        if self.offered.insert(package.key.clone()) {
            let path = self.path(&package, early_linker);
            // If the threads have ended, the package is linked later.
            let _ = self.jobs.send(LinkJob { package, path });
        }
    }

    /// In the hoisted layout, the first package of a name is at the top.
    fn path(&mut self, package: &Package, early_linker: &EarlyLinker<'_>) -> String {
        if early_linker.layout == Layout::Hoisted
            && let Ok(name) = PackageName::parse(&package.index.manifest.name)
        {
            let location = format!("{NEW_TREE}/{name}");
            if self.reserved.insert(location.clone()) {
                return location;
            }
            // Without it, the package is skipped.
            let _ = self.start.staging.make_dir(DIRECTORY, &early_linker.context.configuration.cache_dir);
        }
        format!("{DIRECTORY}/{}", self.offered.len())
    }

    /// Stops the threads, even within a package.
    fn stop(self) -> LinkStart<'a> {
        self.shared.stop_requested.store(true, Ordering::Relaxed);
        drop(self.jobs);
        for thread in self.threads {
            // A thread that panicked has reported it; its package is not listed.
            let _ = thread.join();
        }
        let early = std::mem::take(&mut *self.shared.early.lock());
        LinkStart { early: EarlyPackages(Mutex::new(early)), ..self.start }
    }
}

/// A failed install leaves nothing behind.
impl Drop for EarlyLinker<'_> {
    fn drop(&mut self) {
        if let EarlyState::Running(running) = self.state.replace(EarlyState::Off) {
            // The next install removes what is left.
            let _ = running.stop().staging.clear_during(&mut NullReporter, || Ok(()));
        }
    }
}

impl WorkerState {
    fn link_all(&self, queue: &Mutex<Receiver<LinkJob>>) {
        let linker = Linker::new(&self.store, self.backend);
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(LinkJob { package, path }) = next else { return };
            if self.stop_requested.load(Ordering::Relaxed) {
                return;
            }
            let mut open = timeline::begin(SpanKind::Link).label(|| package.key.label().to_owned());
            open.note(|| "early".to_owned());
            open.files(package.index.file_count());
            let stop_requested = || self.stop_requested.load(Ordering::Relaxed);
            let linked = linker.link_some(&package, self.staging_dir.fd(), &path, &stop_requested);
            let mut table = self.early.lock();
            match linked {
                Ok(Some(files)) => drop(table.staged.insert(package.key, EarlyPackage { path, files })),
                Ok(None) | Err(_) => table.failed.push(path),
            }
        }
    }
}

impl EarlyPackages {
    fn lock(&self) -> MutexGuard<'_, EarlyTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_empty(&self) -> bool {
        let table = self.lock();
        table.staged.is_empty() && table.failed.is_empty()
    }

    /// Moves packages out of the new node_modules that do not belong at their location, according
    /// to the package required at each.
    pub fn remove_misplaced(&self, wanted: &HashMap<&str, &Package>, staging_dir: &StagingDir) -> Result<()> {
        let mut table = self.lock();
        for path in std::mem::take(&mut table.failed) {
            files::remove_tree_at(staging_dir.fd(), Path::new(&path))?;
            remove_empty_scope(&path, staging_dir);
        }
        let is_misplaced = |(key, staged): &(&Key, &mut EarlyPackage)| {
            is_in_new_tree(&staged.path) && wanted.get(&*staged.path).is_none_or(|wanted| wanted.key != **key)
        };
        for (number, (_, staged)) in table.staged.iter_mut().filter(is_misplaced).enumerate() {
            let spare = format!("{DIRECTORY}-{number}");
            sys::renameat(staging_dir.fd(), &staged.path, staging_dir.fd(), &spare)
                .map_err(|errno| files::problem::rename(&staging_dir.path(&staged.path), errno))?;
            remove_empty_scope(&staged.path, staging_dir);
            staged.path = spare;
        }
        Ok(())
    }

    /// Moves a package to its location, which may be an empty directory, unless it is there.
    /// Returns how many of its files are linked; `None` when it is still to be linked.
    pub fn move_to(&self, package: &Package, staging_dir: &StagingDir, location: &str) -> Option<usize> {
        let mut table = self.lock();
        let is_there = table.staged.get(&package.key)?.path == location;
        // A package at a location of the new tree is for that location only.
        let is_free = |staged: &&EarlyPackage| is_there || !is_in_new_tree(&staged.path);
        table.staged.get(&package.key).filter(is_free)?;
        let staged = table.staged.remove(&package.key)?;
        drop(table);
        let dir = staging_dir.fd();
        let moved = is_there || sys::renameat(dir, &staged.path, dir, location).is_ok();
        moved.then_some(staged.files)
    }
}

/// Whether a path in the staging directory is in the new node_modules.
fn is_in_new_tree(path: &str) -> bool {
    path.strip_prefix(NEW_TREE).is_some_and(|rest| rest.starts_with('/'))
}

/// Removes the directory of a scope, if it is empty.
fn remove_empty_scope(path: &str, staging_dir: &StagingDir) {
    if let Some((scope, _)) = path.rsplit_once('/').filter(|(scope, _)| is_in_new_tree(scope)) {
        let _ = sys::rmdirat(staging_dir.fd(), scope);
    }
}

#[cfg(test)]
mod tests;
