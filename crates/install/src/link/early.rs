//! Packages linked before the plan is known, or while others still arrive: each where it will most
//! likely lie in the new node_modules, else into a folder of its own, from which it is moved to its
//! place. In: packages of the store, as they are chosen or fetched. Out: the staging folder, and
//! which of them stand in it. Only where node_modules is made as a whole: elsewhere most of them
//! stand already. What goes wrong here is passed over: the package is linked once more, and whoever
//! does that says what is wrong.

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
use rusk_npm::bunfig::Linker as Layout;
use rusk_npm::name::PackageName;
use rusk_store::{Backend, Key, Linker, Package, Store};

use super::NEW_TREE;
use super::staging::{StagingArea, StagingDir};
use crate::apply;
use crate::context::InstallContext;
use crate::request::{Goal, Request};

/// Below the staging folder, for packages whose place is not known.
const DIRECTORY: &str = "ahead";
/// Where node_modules is made as a whole, nothing is in its place.
const NODE_MODULES: &str = "node_modules";
/// Files offered before a thread is worth its start.
const FILES_MIN: usize = 128;

/// Links what it is offered, from the first offer on.
pub struct EarlyLinker<'a> {
    context: &'a InstallContext,
    request: &'a Request,
    layout: Layout,
    project: BorrowedFd<'a>,
    /// What stood in the project when the install began; nobody else installs meanwhile.
    pub node_modules: NodeModules,
    state: RefCell<EarlyState<'a>>,
}

/// What stands where node_modules belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeModules {
    Present,
    Absent,
}

enum EarlyState<'a> {
    /// Too little was offered yet.
    Waiting(Vec<Package>),
    Running(Box<RunningLinker<'a>>),
    /// Not here, or no longer.
    Off,
}

struct RunningLinker<'a> {
    start: LinkStart<'a>,
    jobs: Sender<LinkJob>,
    offered: HashSet<Key>,
    /// Places in the new node_modules that were given to packages.
    reserved: HashSet<String>,
    shared: Arc<Workers>,
    threads: Vec<JoinHandle<()>>,
}

/// A package, and where in the staging folder it is linked.
struct LinkJob {
    package: Package,
    path: String,
}

/// What linking begins with.
pub struct LinkStart<'a> {
    pub staging: StagingArea<'a>,
    pub backend: Backend,
    pub early: EarlyPackages,
}

/// Packages that stand in the staging folder, each for the place where it stands or else for the
/// first that asks.
#[derive(Default)]
pub struct EarlyPackages(Mutex<EarlyTable>);

#[derive(Default)]
struct EarlyTable {
    staged: HashMap<Key, EarlyPackage>,
    /// Where linking went wrong in the new node_modules.
    failed: Vec<String>,
}

struct EarlyPackage {
    path: String,
    /// The first so many are linked.
    files: usize,
}

/// What the threads hold.
struct Workers {
    store: Arc<Store>,
    backend: Backend,
    staging_dir: StagingDir,
    early: EarlyPackages,
    stop_requested: AtomicBool,
}

impl<'a> EarlyLinker<'a> {
    pub fn new(
        context: &'a InstallContext,
        request: &'a Request,
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

    /// The project's folder.
    pub fn project(&self) -> BorrowedFd<'a> {
        self.project
    }

    /// Whether packages are taken, and most of them right where they will lie: then it pays to look
    /// for them early.
    pub fn predicts_locations(&self) -> bool {
        self.layout == Layout::Hoisted && !matches!(*self.state.borrow(), EarlyState::Off)
    }

    /// Takes a package that will most likely have a place in node_modules.
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

    /// The staging folder, with what was linked by now in it: nothing, when little was offered.
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
        // What has bytes of its own waits for the plan: not all that is chosen has a place in the
        // end.
        if !matches!(start.backend, Backend::Hardlink | Backend::Clone) {
            return start.clear();
        }
        let Ok(staging_dir) = self.staging_dir(&start.staging) else { return start.clear() };
        let (store, backend) = (Arc::clone(&self.context.store), start.backend);
        let (early, stop_requested) = (EarlyPackages::default(), AtomicBool::new(false));
        let shared = Arc::new(Workers { store, backend, staging_dir, early, stop_requested });
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        // This thread decides or receives meanwhile.
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

    /// The staging folder, with the one that most packages will lie in.
    fn staging_dir(&self, staging: &StagingArea<'_>) -> Result<StagingDir> {
        let dir = if self.layout == Layout::Hoisted { NEW_TREE } else { DIRECTORY };
        staging.make_dir(dir, &self.context.configuration.cache_dir)?;
        staging.staging_dir().reopen()
    }
}

impl<'a> LinkStart<'a> {
    fn new(context: &'a InstallContext, request: &Request, project: BorrowedFd<'a>) -> Result<LinkStart<'a>> {
        let dir = &context.project.dir;
        Ok(LinkStart {
            staging: StagingArea::make(project, dir)?,
            backend: Backend::probe(&context.store, dir, apply::backend(request.backend))?,
            early: EarlyPackages::default(),
        })
    }
}

impl LinkStart<'_> {
    /// Begins nothing, and leaves nothing behind.
    fn clear<T>(self) -> Result<Option<T>> {
        self.staging.clear_during(|| Ok(None))
    }
}

impl<'a> RunningLinker<'a> {
    fn add(&mut self, package: Package, linker_: &EarlyLinker<'_>) {
        if self.offered.insert(package.key.clone()) {
            let path = self.path(&package, linker_);
            // Threads that are gone link nothing more; who comes later does.
            let _ = self.jobs.send(LinkJob { package, path });
        }
    }

    /// The first of a name lies on top, where packages are hoisted.
    fn path(&mut self, package: &Package, linker_: &EarlyLinker<'_>) -> String {
        if linker_.layout == Layout::Hoisted
            && let Ok(name) = PackageName::parse(&package.index.manifest.name)
        {
            let location = format!("{NEW_TREE}/{name}");
            if self.reserved.insert(location.clone()) {
                return location;
            }
            // Without it, the package is passed over.
            let _ = self.start.staging.make_dir(DIRECTORY, &linker_.context.configuration.cache_dir);
        }
        format!("{DIRECTORY}/{}", self.offered.len())
    }

    /// Ends the threads, wherever each is.
    fn stop(self) -> LinkStart<'a> {
        self.shared.stop_requested.store(true, Ordering::Relaxed);
        drop(self.jobs);
        for thread in self.threads {
            // One that panicked has told so; what it was at is not ready.
            let _ = thread.join();
        }
        let early = std::mem::take(&mut *self.shared.early.lock());
        LinkStart { early: EarlyPackages(Mutex::new(early)), ..self.start }
    }
}

/// An install that went wrong leaves nothing behind.
impl Drop for EarlyLinker<'_> {
    fn drop(&mut self) {
        if let EarlyState::Running(running) = self.state.replace(EarlyState::Off) {
            // What stays, the next install clears away.
            let _ = running.stop().staging.clear_during(|| Ok(()));
        }
    }
}

impl Workers {
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

    /// Clears the new node_modules of what does not belong where it stands, by what is wanted in
    /// each place.
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

    /// Moves a package to its place, which may be an empty folder, unless it stands there. Answers
    /// with how many of its files are there; `None` when it is still to be linked.
    pub fn put(&self, package: &Package, staging_dir: &StagingDir, location: &str) -> Option<usize> {
        let mut table = self.lock();
        let is_there = table.staged.get(&package.key)?.path == location;
        // What stands in its place is for that place alone.
        let is_free = |staged: &&EarlyPackage| is_there || !is_in_new_tree(&staged.path);
        table.staged.get(&package.key).filter(is_free)?;
        let staged = table.staged.remove(&package.key)?;
        drop(table);
        let dir = staging_dir.fd();
        let moved = is_there || sys::renameat(dir, &staged.path, dir, location).is_ok();
        moved.then_some(staged.files)
    }
}

/// Whether a path in the staging folder is one in the new node_modules.
fn is_in_new_tree(path: &str) -> bool {
    path.strip_prefix(NEW_TREE).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder of a scope, where that has nothing left in it.
fn remove_empty_scope(path: &str, staging_dir: &StagingDir) {
    if let Some((scope, _)) = path.rsplit_once('/').filter(|(scope, _)| is_in_new_tree(scope)) {
        let _ = sys::rmdirat(staging_dir.fd(), scope);
    }
}

#[cfg(test)]
mod tests;
