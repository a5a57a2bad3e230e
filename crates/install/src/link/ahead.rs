//! Packages linked before the plan is known, or while others still arrive: each into a folder of its own, from which it
//! is moved to its place. In: packages of the store, as they are chosen or fetched. Out: the staging folder, and which
//! of them stand in it. Only where node_modules is made as a whole: elsewhere most of them stand already. What goes
//! wrong here is passed over: the package is linked once more, and whoever does that says what is wrong.

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
use rusk_store::{Backend, Key, Linker, Package, Store};

use super::staging::{Staging, Workbench};
use crate::apply;
use crate::request::{Goal, Request};
use crate::site::Site;

/// Below the staging folder.
const FOLDER: &str = "ahead";

/// Links what it is offered, from the first offer on.
pub struct Ahead<'a> {
    site: &'a Site,
    request: &'a Request,
    project: BorrowedFd<'a>,
    state: RefCell<State<'a>>,
}

enum State<'a> {
    /// Nothing was offered yet.
    Waiting,
    Begun(Box<Begun<'a>>),
    /// Not here, or no longer.
    Off,
}

struct Begun<'a> {
    start: Start<'a>,
    packages: Sender<Package>,
    offered: HashSet<Key>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// What linking begins with.
pub struct Start<'a> {
    pub staging: Staging<'a>,
    pub backend: Backend,
    pub ready: Ready,
}

/// Packages that stand in the staging folder, each for the first place that asks.
#[derive(Default)]
pub struct Ready(Mutex<HashMap<Key, Staged>>);

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
        let is_wanted = matches!(request.goal, Goal::Install | Goal::Frozen | Goal::Clean)
            && request.linker != Some(Layout::Global);
        let state = if is_wanted { State::Waiting } else { State::Off };
        Ahead { site, request, project, state: RefCell::new(state) }
    }

    /// The project's folder.
    pub fn project(&self) -> BorrowedFd<'a> {
        self.project
    }

    /// Takes a package that will most likely have a place in node_modules.
    pub fn offer(&self, package: &Package) {
        let mut state = self.state.borrow_mut();
        if matches!(*state, State::Waiting) {
            *state = self.begin().ok().flatten().map_or(State::Off, |begun| State::Begun(Box::new(begun)));
        }
        if let State::Begun(begun) = &mut *state
            && begun.offered.insert(package.key.clone())
        {
            // Threads that are gone link nothing more; who comes later does.
            let _ = begun.packages.send(package.clone());
        }
    }

    /// The staging folder, with what was linked by now in it: nothing, when nothing was offered.
    pub fn finish(&self) -> Result<Start<'a>> {
        match self.state.replace(State::Off) {
            State::Begun(begun) => Ok(begun.stop()),
            State::Waiting | State::Off => Start::new(self.site, self.request, self.project),
        }
    }

    /// `None` where node_modules is not made as a whole.
    fn begin(&self) -> Result<Option<Begun<'a>>> {
        let is_there = sys::lstatat(self.project, "node_modules").is_ok();
        if is_there && self.request.goal != Goal::Clean {
            return Ok(None);
        }
        let start = Start::new(self.site, self.request, self.project)?;
        // What has bytes of its own waits for the plan: not all that is chosen has a place in the end.
        if !matches!(start.backend, Backend::Hardlink | Backend::Clone) {
            return start.clear();
        }
        let Ok(workbench) = self.workbench(&start.staging) else { return start.clear() };
        let (store, backend) = (Arc::clone(&self.site.store), start.backend);
        let (ready, is_over) = (Ready::default(), AtomicBool::new(false));
        let shared = Arc::new(Shared { store, backend, workbench, ready, is_over });
        let (packages, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        // This thread decides or receives meanwhile.
        let count = (self.site.threads - 1).max(1);
        let threads = (0..count).map(|number| {
            let (shared, waiting, here) = (Arc::clone(&shared), Arc::clone(&waiting), timeline::here());
            std::thread::Builder::new().spawn(move || {
                let _lane = here.enter("link ahead");
                shared.link_all(number, &waiting);
            })
        });
        let threads: Vec<_> = threads.map_while(std::io::Result::ok).collect();
        match threads.is_empty() {
            true => start.clear(),
            false => Ok(Some(Begun { start, packages, offered: HashSet::new(), shared, threads })),
        }
    }

    /// The staging folder, with one for what is linked ahead.
    fn workbench(&self, staging: &Staging<'_>) -> Result<Workbench> {
        staging.make_folder(FOLDER, &self.site.configuration.cache_dir)?;
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
    /// Ends the threads, wherever each is.
    fn stop(self) -> Start<'a> {
        self.shared.is_over.store(true, Ordering::Relaxed);
        drop(self.packages);
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
    fn link_all(&self, thread: usize, waiting: &Mutex<Receiver<Package>>) {
        let linker = Linker::new(&self.store, self.backend);
        for number in 0.. {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(package) = next else { return };
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let path = format!("{FOLDER}/{thread}-{number}");
            let mut open = timeline::begin(Kind::Link).label(|| package.key.label().to_owned());
            open.note(|| "ahead".to_owned());
            open.files(package.index.file_count());
            let is_over = || self.is_over.load(Ordering::Relaxed);
            let folder = self.workbench.folder();
            match linker.link_some(&package, folder, &path, &is_over) {
                Ok(Some(files)) => drop(self.ready.lock().insert(package.key, Staged { path, files })),
                // What stays goes with the staging folder.
                Ok(None) | Err(_) => drop(files::remove_tree_at(folder, Path::new(&path))),
            }
        }
    }
}

impl Ready {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Staged>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Moves a package to its place, which may be an empty folder. Answers with how many of its files are there; `None`
    /// when it is still to be linked.
    pub fn put(&self, package: &Package, workbench: &Workbench, place: &str) -> Option<usize> {
        let staged = self.lock().remove(&package.key)?;
        let folder = workbench.folder();
        sys::renameat(folder, &staged.path, folder, place).ok().map(|()| staged.files)
    }
}
