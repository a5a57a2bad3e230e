//! Reading of files into the graph. In: jobs. Out: modules and their scripts, on all processors.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};

use oxc::allocator::Allocator;

use super::script::{self, ModuleScript};
use super::{DevGraph, GraphFile};
use crate::css;
use crate::diagnostic::Diagnostic;
use crate::loader::Loader;
use crate::module::{Module, ModuleIndex, ModuleKind, RecordKind};
use crate::problem;
use crate::resolve::{Resolution, ResolvedFile};
use crate::scan::{JobSource, ScanJob, Scanner};
use crate::worker::STACK_BYTES;

/// The name by which a page's project has the runtime of React Fast Refresh.
const REFRESH_RUNTIME: &str = "react-refresh/runtime";

struct ScannedFile {
    index: ModuleIndex,
    file: GraphFile,
    module: Module,
    script: Option<ModuleScript>,
    errors: Vec<Diagnostic>,
}

impl DevGraph {
    /// Reads a page, and all that it loads.
    pub(super) fn scan_page(&mut self, path: &Path) -> (ModuleIndex, Option<ModuleIndex>) {
        let options = Arc::new(self.options.clone());
        let scanner = match Scanner::new(options, None) {
            Ok(scanner) => scanner.with_registry(std::mem::take(&mut self.registry)),
            Err(errors) => {
                let index = self.add_failed(path, errors);
                return (index, None);
            }
        };
        let file = ResolvedFile::plain(path.to_owned());
        let (index, job) = scanner.register(file, Some(Loader::Html), false);
        let mut jobs: Vec<ScanJob> = job.into_iter().collect();
        let refresh = match scanner.resolve(path, REFRESH_RUNTIME, RecordKind::Require) {
            Ok(Resolution::File(file)) => {
                let (index, job) = scanner.register(file, None, false);
                jobs.extend(job);
                Some(index)
            }
            _ => None,
        };
        self.scan(&scanner, jobs, refresh.is_some());
        self.finish(scanner);
        (index, refresh)
    }

    fn add_failed(&mut self, path: &Path, errors: Vec<Diagnostic>) -> ModuleIndex {
        let index = self.modules.len();
        self.modules.push(Module { path: path.to_owned(), ..Module::default() });
        self.scripts.push(None);
        let file = ResolvedFile::plain(path.to_owned());
        self.files.push(GraphFile { file, loader: Loader::Html, is_disabled: false });
        self.errors.insert(index, errors);
        index
    }

    /// Reads modules again, and those that they import for the first time.
    pub(super) fn scan_again(&mut self, indices: &BTreeSet<ModuleIndex>) {
        let options = Arc::new(self.options.clone());
        let Ok(scanner) = Scanner::new(options, None) else { return };
        let scanner = scanner.with_registry(std::mem::take(&mut self.registry));
        let jobs = indices.iter().map(|&index| {
            let GraphFile { file, loader, is_disabled } = self.files[index].clone();
            ScanJob { index, file, loader, is_disabled, source: JobSource::default() }
        });
        let jobs = jobs.collect();
        let has_refresh = self.pages.iter().any(|page| page.refresh.is_some());
        self.scan(&scanner, jobs, has_refresh);
        self.finish(scanner);
    }

    fn scan(&mut self, scanner: &Scanner, jobs: Vec<ScanJob>, has_refresh: bool) {
        let threads = match jobs.len() {
            0 | 1 if !self.pages.is_empty() => 1,
            _ => self.options.threads.max(1),
        };
        for scanned in scan_all(scanner, jobs, threads, has_refresh) {
            let ScannedFile { index, file, module, script, errors } = scanned;
            if self.modules.len() <= index {
                self.modules.resize_with(index + 1, Module::default);
                self.scripts.resize_with(index + 1, || None);
                let nothing = ResolvedFile::plain(PathBuf::new());
                let nothing = GraphFile { file: nothing, loader: Loader::File, is_disabled: true };
                self.files.resize(index + 1, nothing);
            }
            self.files[index] = file;
            if errors.is_empty() {
                self.modules[index] = module;
                self.scripts[index] = script;
                self.errors.remove(&index);
            } else {
                // What it imported stays, so that the page still knows the module.
                if self.modules[index].path.as_os_str().is_empty() {
                    self.modules[index] = module;
                }
                self.errors.insert(index, errors);
            }
        }
    }

    fn finish(&mut self, scanner: Scanner) {
        self.externals = scanner.externals();
        let (registry, assets) = scanner.into_parts();
        self.registry = registry;
        for asset in assets {
            self.assets.insert(asset.path.to_string_lossy().into_owned(), asset.bytes);
        }
        // Names of CSS modules depend on other files.
        for index in 0..self.modules.len() {
            if self.modules[index].css.is_none() {
                continue;
            }
            match css::value(&self.modules, index) {
                Ok(data) => {
                    self.scripts[index] = Some(script::of_data(&data));
                    self.modules[index].data = Some(data);
                }
                Err(errors) => {
                    self.errors.insert(index, errors);
                }
            }
        }
    }
}

struct Queue {
    jobs: Vec<ScanJob>,
    pending: usize,
    scanned: Vec<ScannedFile>,
}

fn scan_all(scanner: &Scanner, jobs: Vec<ScanJob>, threads: usize, has_refresh: bool) -> Vec<ScannedFile> {
    let pending = jobs.len();
    let queue = Mutex::new(Queue { jobs, pending, scanned: Vec::new() });
    let changed = Condvar::new();
    if threads == 1 && jobs_are_stylesheets(&queue) {
        // They are rendered on this thread, too.
        work(scanner, &queue, &changed, has_refresh);
        return queue.into_inner().unwrap_or_else(PoisonError::into_inner).scanned;
    }
    let started = std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            // Threads of their own, because the parser needs a deep stack.
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let work = || work(scanner, &queue, &changed, has_refresh);
            started += usize::from(thread.spawn_scoped(scope, work).is_ok());
        }
        started
    });
    let mut queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    if started == 0 {
        let error = std::io::Error::last_os_error();
        for job in std::mem::take(&mut queue.jobs) {
            queue.scanned.push(ScannedFile {
                index: job.index,
                module: Module { path: job.file.path.clone(), ..Module::default() },
                file: GraphFile { file: job.file, loader: job.loader, is_disabled: job.is_disabled },
                script: None,
                errors: vec![problem::no_thread(&error)],
            });
        }
    }
    queue.scanned
}

fn jobs_are_stylesheets(queue: &Mutex<Queue>) -> bool {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.jobs.iter().all(|job| job.loader == Loader::Css)
}

fn work(scanner: &Scanner, queue: &Mutex<Queue>, changed: &Condvar, has_refresh: bool) {
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let mut buffer = Vec::new();
    let mut allocator = Allocator::default();
    loop {
        let mut state = lock();
        let job = loop {
            match state.jobs.pop() {
                Some(job) => break job,
                None if state.pending == 0 => return,
                None => state = changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(state);
        if let Some(plugins) = scanner.plugins() {
            plugins.add_busy(1);
        }
        let (scanned, jobs) = scan_one(scanner, &allocator, job, &mut buffer, has_refresh);
        allocator.reset();
        if let Some(plugins) = scanner.plugins() {
            plugins.remove_busy();
        }
        let mut state = lock();
        state.pending += jobs.len();
        state.pending -= 1;
        state.jobs.extend(jobs);
        state.scanned.push(scanned);
        changed.notify_all();
    }
}

/// The job with the content that a plugin has for it. The thread waits for the answer, which comes
/// from the program's loop.
fn load_by_plugin(scanner: &Scanner, job: ScanJob) -> ScanJob {
    let Some(plugins) = scanner.plugins().cloned() else { return job };
    let (sender, receiver) = mpsc::channel();
    let answered = Arc::clone(&plugins);
    let resume = move |job| {
        answered.add_busy(1);
        // The receiver waits for it.
        let _ = sender.send(job);
    };
    match scanner.load_by_plugin(job, resume) {
        Some(job) => job,
        None => {
            plugins.remove_busy();
            receiver.recv().expect("a reply that is dropped answers, too")
        }
    }
}

fn scan_one(
    scanner: &Scanner,
    allocator: &Allocator,
    job: ScanJob,
    buffer: &mut Vec<u8>,
    has_refresh: bool,
) -> (ScannedFile, Vec<ScanJob>) {
    let job = load_by_plugin(scanner, job);
    let (index, is_disabled) = (job.index, job.is_disabled);
    let current_dir = scanner.options().current_dir.as_path();
    let file = GraphFile { file: job.file.clone(), loader: job.loader, is_disabled };
    let scanned = scanner.scan(allocator, job, buffer);
    let (module, mut errors) = (scanned.module, scanned.errors);
    let is_own = !module.path.components().any(|part| part.as_os_str() == "node_modules");
    let script = match (scanned.tree, &module.data) {
        _ if !errors.is_empty() => None,
        (_, Some(data)) => Some(script::of_data(data)),
        (Some(tree), None)
            if is_disabled || module.kind == ModuleKind::CommonJs || !tree.source.is_empty() =>
        {
            match script::of_tree(allocator, tree, &module, current_dir, is_own && has_refresh) {
                Ok(script) => Some(script),
                Err(found) => {
                    errors.extend(found);
                    None
                }
            }
        }
        _ => Some(script::empty()),
    };
    (ScannedFile { index, file, module, script, errors }, scanned.jobs)
}
