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

use rusk_base::timeline::{self, Kind};
use rusk_base::{Result, files, sys};
use rusk_npm::bunfig::Linker as Layout;
use rusk_npm::name::PackageName;
use rusk_store::{Backend, Key, Linker, Package, Store};

use super::WHOLE;
use super::staging::{Staging, Workbench};
use crate::apply;
use crate::request::{Goal, Request};
use crate::site::Site;

/// Below the staging folder, for packages whose place is not known.
const FOLDER: &str = "ahead";
/// Where node_modules is made as a whole, nothing is in its place.
const NODE_MODULES: &str = "node_modules";
/// Files offered before a thread is worth its start.
const FILES_MIN: usize = 128;

/// Links what it is offered, from the first offer on.
pub struct Ahead<'a> {
    site: &'a Site,
    request: &'a Request,
    layout: Layout,
    project: BorrowedFd<'a>,
    /// What stood in the project when the install began; nobody else installs meanwhile.
    pub modules: Modules,
    state: RefCell<State<'a>>,
}

/// What stands where node_modules belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    Old,
    None,
}

enum State<'a> {
    /// Too little was offered yet.
    Waiting(Vec<Package>),
    Begun(Box<Begun<'a>>),
    /// Not here, or no longer.
    Off,
}

struct Begun<'a> {
    start: Start<'a>,
    jobs: Sender<Job>,
    offered: HashSet<Key>,
    /// Places in the new node_modules that were given to packages.
    given: HashSet<String>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A package, and where in the staging folder it is linked.
struct Job {
    package: Package,
    path: String,
}

/// What linking begins with.
pub struct Start<'a> {
    pub staging: Staging<'a>,
    pub backend: Backend,
    pub ready: Ready,
}

/// Packages that stand in the staging folder, each for the place where it stands or else for the
/// first that asks.
#[derive(Default)]
pub struct Ready(Mutex<Stand>);

#[derive(Default)]
struct Stand {
    staged: HashMap<Key, Staged>,
    /// Where linking went wrong in the new node_modules.
    spoiled: Vec<String>,
}

struct Staged {
    path: String,
    /// The first so many are linked.
    files: usize,
}

/// What the threads hold.
struct Shared {
    store: Arc<Store>,
    backend: Backend,
    workbench: Workbench,
    ready: Ready,
    is_over: AtomicBool,
}

impl<'a> Ahead<'a> {
    pub fn new(site: &'a Site, request: &'a Request, project: BorrowedFd<'a>) -> Ahead<'a> {
        let layout = apply::linker(site, request);
        let modules = match sys::lstatat(project, NODE_MODULES) {
            Ok(_) => Modules::Old,
            Err(_) => Modules::None,
        };
        let is_made_whole = request.goal == Goal::Clean
            || modules == Modules::None && matches!(request.goal, Goal::Install | Goal::Frozen);
        let state = match is_made_whole && layout != Layout::Global {
            true => State::Waiting(Vec::new()),
            false => State::Off,
        };
        Ahead { site, request, layout, project, modules, state: RefCell::new(state) }
    }

    /// The project's folder.
    pub fn project(&self) -> BorrowedFd<'a> {
        self.project
    }

    /// Whether packages are taken, and most of them right where they will lie: then it pays to look
    /// for them early.
    pub fn knows_places(&self) -> bool {
        self.layout == Layout::Hoisted && !matches!(*self.state.borrow(), State::Off)
    }

    /// Takes a package that will most likely have a place in node_modules.
    pub fn offer(&self, package: &Package) {
        let mut state = self.state.borrow_mut();
        match &mut *state {
            State::Waiting(packages) => {
                packages.push(package.clone());
                let files: usize = packages.iter().map(|package| package.index.file_count()).sum();
                if files >= FILES_MIN {
                    let packages = std::mem::take(packages);
                    *state = self.begin(packages).ok().flatten().map_or(State::Off, State::Begun);
                }
            }
            State::Begun(begun) => begun.take(package.clone(), self),
            State::Off => {}
        }
    }

    /// The staging folder, with what was linked by now in it: nothing, when little was offered.
    pub fn finish(&self) -> Result<Start<'a>> {
        match self.state.replace(State::Off) {
            State::Begun(begun) => Ok(begun.stop()),
            State::Waiting(_) | State::Off => Start::new(self.site, self.request, self.project),
        }
    }

    fn begin(&self, packages: Vec<Package>) -> Result<Option<Box<Begun<'a>>>> {
        let start = Start::new(self.site, self.request, self.project)?;
        // What has bytes of its own waits for the plan: not all that is chosen has a place in the
        // end.
        if !matches!(start.backend, Backend::Hardlink | Backend::Clone) {
            return start.clear();
        }
        let Ok(workbench) = self.workbench(&start.staging) else { return start.clear() };
        let (store, backend) = (Arc::clone(&self.site.store), start.backend);
        let (ready, is_over) = (Ready::default(), AtomicBool::new(false));
        let shared = Arc::new(Shared { store, backend, workbench, ready, is_over });
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        // This thread decides or receives meanwhile.
        let count = (self.site.threads - 1).max(1);
        let threads = (0..count).map(|_| {
            let (shared, waiting, here) = (Arc::clone(&shared), Arc::clone(&waiting), timeline::here());
            std::thread::Builder::new().spawn(move || {
                let _lane = here.enter("link ahead");
                shared.link_all(&waiting);
            })
        });
        let threads: Vec<_> = threads.map_while(std::io::Result::ok).collect();
        if threads.is_empty() {
            return start.clear();
        }
        let (offered, given) = Default::default();
        let mut begun = Box::new(Begun { start, jobs, offered, given, shared, threads });
        packages.into_iter().for_each(|package| begun.take(package, self));
        Ok(Some(begun))
    }

    /// The staging folder, with the one that most packages will lie in.
    fn workbench(&self, staging: &Staging<'_>) -> Result<Workbench> {
        let folder = if self.layout == Layout::Hoisted { WHOLE } else { FOLDER };
        staging.make_folder(folder, &self.site.configuration.cache_dir)?;
        staging.workbench().again()
    }
}

impl<'a> Start<'a> {
    fn new(site: &'a Site, request: &Request, project: BorrowedFd<'a>) -> Result<Start<'a>> {
        let folder = &site.project.folder;
        Ok(Start {
            staging: Staging::make(project, folder)?,
            backend: Backend::probe(&site.store, folder, apply::backend(request.backend))?,
            ready: Ready::default(),
        })
    }
}

impl Start<'_> {
    /// Begins nothing, and leaves nothing behind.
    fn clear<T>(self) -> Result<Option<T>> {
        self.staging.clear_beside(|| Ok(None))
    }
}

impl<'a> Begun<'a> {
    fn take(&mut self, package: Package, ahead: &Ahead<'_>) {
        if self.offered.insert(package.key.clone()) {
            let path = self.path(&package, ahead);
            // Threads that are gone link nothing more; who comes later does.
            let _ = self.jobs.send(Job { package, path });
        }
    }

    /// The first of a name lies on top, where packages are hoisted.
    fn path(&mut self, package: &Package, ahead: &Ahead<'_>) -> String {
        if ahead.layout == Layout::Hoisted
            && let Ok(name) = PackageName::parse(&package.index.manifest.name)
        {
            let place = format!("{WHOLE}/{name}");
            if self.given.insert(place.clone()) {
                return place;
            }
            // Without it, the package is passed over.
            let _ = self.start.staging.make_folder(FOLDER, &ahead.site.configuration.cache_dir);
        }
        format!("{FOLDER}/{}", self.offered.len())
    }

    /// Ends the threads, wherever each is.
    fn stop(self) -> Start<'a> {
        self.shared.is_over.store(true, Ordering::Relaxed);
        drop(self.jobs);
        for thread in self.threads {
            // One that panicked has told so; what it was at is not ready.
            let _ = thread.join();
        }
        let ready = std::mem::take(&mut *self.shared.ready.lock());
        Start { ready: Ready(Mutex::new(ready)), ..self.start }
    }
}

/// An install that went wrong leaves nothing behind.
impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        if let State::Begun(begun) = self.state.replace(State::Off) {
            // What stays, the next install clears away.
            let _ = begun.stop().staging.clear_beside(|| Ok(()));
        }
    }
}

impl Shared {
    fn link_all(&self, waiting: &Mutex<Receiver<Job>>) {
        let linker = Linker::new(&self.store, self.backend);
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { package, path }) = next else { return };
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let mut open = timeline::begin(Kind::Link).label(|| package.key.label().to_owned());
            open.note(|| "ahead".to_owned());
            open.files(package.index.file_count());
            let is_over = || self.is_over.load(Ordering::Relaxed);
            let linked = linker.link_some(&package, self.workbench.folder(), &path, &is_over);
            let mut stand = self.ready.lock();
            match linked {
                Ok(Some(files)) => drop(stand.staged.insert(package.key, Staged { path, files })),
                Ok(None) | Err(_) => stand.spoiled.push(path),
            }
        }
    }
}

impl Ready {
    fn lock(&self) -> MutexGuard<'_, Stand> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_empty(&self) -> bool {
        let stand = self.lock();
        stand.staged.is_empty() && stand.spoiled.is_empty()
    }

    /// Clears the new node_modules of what does not belong where it stands, by what is wanted in
    /// each place.
    pub fn settle(&self, wanted: &HashMap<&str, &Package>, workbench: &Workbench) -> Result<()> {
        let mut stand = self.lock();
        for path in std::mem::take(&mut stand.spoiled) {
            files::remove_tree_at(workbench.folder(), Path::new(&path))?;
            remove_scope(&path, workbench);
        }
        let is_astray = |(key, staged): &(&Key, &mut Staged)| {
            is_in_whole(&staged.path) && wanted.get(&*staged.path).is_none_or(|wanted| wanted.key != **key)
        };
        for (number, (_, staged)) in stand.staged.iter_mut().filter(is_astray).enumerate() {
            let aside = format!("{FOLDER}-{number}");
            sys::renameat(workbench.folder(), &staged.path, workbench.folder(), &aside)
                .map_err(|errno| files::problem::rename(&workbench.path(&staged.path), errno))?;
            remove_scope(&staged.path, workbench);
            staged.path = aside;
        }
        Ok(())
    }

    /// Moves a package to its place, which may be an empty folder, unless it stands there. Answers
    /// with how many of its files are there; `None` when it is still to be linked.
    pub fn put(&self, package: &Package, workbench: &Workbench, place: &str) -> Option<usize> {
        let mut stand = self.lock();
        let is_there = stand.staged.get(&package.key)?.path == place;
        // What stands in its place is for that place alone.
        let is_free = |staged: &&Staged| is_there || !is_in_whole(&staged.path);
        stand.staged.get(&package.key).filter(is_free)?;
        let staged = stand.staged.remove(&package.key)?;
        drop(stand);
        let folder = workbench.folder();
        let moved = is_there || sys::renameat(folder, &staged.path, folder, place).is_ok();
        moved.then_some(staged.files)
    }
}

/// Whether a path in the staging folder is one in the new node_modules.
fn is_in_whole(path: &str) -> bool {
    path.strip_prefix(WHOLE).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder of a scope, where that has nothing left in it.
fn remove_scope(path: &str, workbench: &Workbench) {
    if let Some((scope, _)) = path.rsplit_once('/').filter(|(scope, _)| is_in_whole(scope)) {
        let _ = sys::rmdirat(workbench.folder(), scope);
    }
}

#[cfg(test)]
mod tests;
