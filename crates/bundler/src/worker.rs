//! Worker threads: each parses modules into its own arena, keeps their syntax trees, and prints
//! them once they are linked, for each bundle that contains them. In: a shared queue. Out: modules,
//! then their code. A tree never leaves its thread.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use oxc::allocator::{Allocator, CloneIn};

use crate::diagnostic::Diagnostic;
use crate::link::Linked;
use crate::memory;
use crate::module::{Module, ModuleIndex, TreeId};
use crate::plugins::Plugins;
use crate::print::{self, PrintedModule, Tree};
use crate::problem;
use crate::scan::{ScanJob, Scanner};

/// Reserved only: untouched pages take no memory.
pub(crate) const STACK_BYTES: usize = 1 << 30;

/// What threads share.
pub(crate) struct Crew {
    state: Mutex<CrewState>,
    /// There is work for the workers.
    work: Condvar,
    /// The caller's thread need not wait any more.
    finished: Condvar,
    pub(crate) threads: usize,
    plugins: Option<Arc<Plugins>>,
    /// The process ends after the build: giving back memory would only take time.
    keeps_memory: bool,
}

struct CrewState {
    scanner: Option<Arc<Scanner>>,
    jobs: VecDeque<ScanJob>,
    /// Jobs that are queued or worked on.
    pending: usize,
    modules: Vec<Option<Module>>,
    errors: Vec<Diagnostic>,
    /// What is printed now, and the number of bundles that were printed or are.
    print: Option<PrintJob>,
    bundles: usize,
    printed: Vec<PrintedModule>,
    printing: usize,
    /// Changes when all trees are given up.
    arenas: usize,
    is_ended: bool,
    has_panicked: bool,
    /// Workers that wait.
    idle: usize,
}

/// A bundle to print.
#[derive(Clone)]
pub(crate) struct PrintJob {
    pub(crate) linked: Arc<Linked>,
    /// Modules that no later bundle contains: their trees may be changed.
    pub(crate) is_last: Arc<Vec<bool>>,
}

enum Task {
    Scan(Arc<Scanner>, ScanJob),
    Print(Arc<Scanner>, PrintJob),
    /// Begin with a new arena.
    Forget,
    End,
}

/// What a worker has seen.
#[derive(Default)]
struct Progress {
    bundles: usize,
    arenas: usize,
}

impl Crew {
    pub(crate) fn new(threads: usize, plugins: Option<Arc<Plugins>>, keeps_memory: bool) -> Crew {
        let state = CrewState {
            scanner: None,
            jobs: VecDeque::new(),
            pending: 0,
            modules: Vec::new(),
            errors: Vec::new(),
            print: None,
            bundles: 0,
            printed: Vec::new(),
            printing: 0,
            arenas: 0,
            is_ended: false,
            has_panicked: false,
            idle: 0,
        };
        let (work, finished) = (Condvar::new(), Condvar::new());
        Crew { state: Mutex::new(state), work, finished, threads, plugins, keeps_memory }
    }

    fn lock(&self) -> MutexGuard<'_, CrewState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the workers. One that panicked would be waited for without end.
    fn wait<'g>(&self, guard: MutexGuard<'g, CrewState>) -> MutexGuard<'g, CrewState> {
        let guard = self.finished.wait(guard).unwrap_or_else(PoisonError::into_inner);
        assert!(!guard.has_panicked, "no worker panics");
        guard
    }

    /// The body of worker thread number `worker`.
    pub(crate) fn work(self: &Arc<Crew>, worker: usize) {
        let alarm = Alarm(self);
        let mut progress = Progress::default();
        while self.work_in_arena(worker, &mut progress) {}
        drop(alarm);
    }

    /// Works until the trees are given up; `false`: there are no more tasks.
    fn work_in_arena(self: &Arc<Crew>, worker: usize, progress: &mut Progress) -> bool {
        if self.keeps_memory {
            let allocator: &'static Allocator = Box::leak(Box::default());
            let mut trees = Vec::new();
            let goes_on = self.work_with(allocator, &mut trees, worker, progress);
            std::mem::forget(trees);
            return goes_on;
        }
        let allocator = Allocator::default();
        self.work_with(&allocator, &mut Vec::new(), worker, progress)
    }

    fn work_with<'a>(
        self: &Arc<Crew>,
        mut allocator: &'a Allocator,
        trees: &mut Vec<Option<Tree<'a>>>,
        worker: usize,
        progress: &mut Progress,
    ) -> bool {
        let mut buffer = Vec::new();
        loop {
            match self.next(progress) {
                Task::Scan(scanner, job) => {
                    if self.keeps_memory {
                        allocator = arena_for(allocator, trees.len());
                    }
                    let Some(job) = self.load_by_plugin(&scanner, job) else { continue };
                    let (index, path) = (job.index, job.file.path.clone());
                    let scan = AssertUnwindSafe(|| scanner.scan(allocator, job, &mut buffer));
                    let mut scanned = match catch_unwind(scan) {
                        Ok(scanned) => scanned,
                        Err(panic) => {
                            let error = problem::panicked(&path.to_string_lossy(), message_of(&*panic));
                            self.done(index, Module::default(), vec![error], Vec::new());
                            continue;
                        }
                    };
                    if let Some(mut tree) = scanned.tree {
                        // That of the old one, most of which is unused, is for the next module.
                        tree.scoping = tree.scoping.clone_in_with_semantic_ids_with_another_arena();
                        scanned.module.tree = Some(TreeId { worker, slot: trees.len() });
                        trees.push(Some(tree));
                    }
                    self.done(index, scanned.module, scanned.errors, scanned.jobs);
                }
                Task::Print(scanner, job) => {
                    let printer = Printer { worker, keeps_memory: self.keeps_memory, scanner: &scanner };
                    let (printed, errors) = printer.print_all(allocator, trees, &job);
                    drop(scanner);
                    drop(job);
                    let mut state = self.lock();
                    state.printed.extend(printed);
                    state.errors.extend(errors);
                    state.printing -= 1;
                    if state.printing == 0 {
                        self.finished.notify_all();
                    }
                }
                Task::Forget => return true,
                Task::End => return false,
            }
        }
    }

    /// A job that waits for a plugin is pending, and queued again with the answer: no thread waits.
    fn load_by_plugin(self: &Arc<Crew>, scanner: &Scanner, job: ScanJob) -> Option<ScanJob> {
        let crew = Arc::clone(self);
        let job = scanner.load_by_plugin(job, move |job| {
            if let Some(plugins) = &crew.plugins {
                plugins.add_busy(1);
            }
            crew.lock().jobs.push_back(job);
            crew.work.notify_one();
        });
        if let (None, Some(plugins)) = (&job, &self.plugins) {
            plugins.remove_busy();
        }
        job
    }

    fn next(&self, progress: &mut Progress) -> Task {
        let mut state = self.lock();
        loop {
            if progress.arenas < state.arenas {
                progress.arenas = state.arenas;
                return Task::Forget;
            }
            if let Some(scanner) = state.scanner.clone() {
                if let Some(job) = state.jobs.pop_front() {
                    return Task::Scan(scanner, job);
                }
                if let Some(job) = state.print.as_ref().filter(|_| progress.bundles < state.bundles) {
                    progress.bundles = state.bundles;
                    return Task::Print(scanner, job.clone());
                }
            }
            if state.is_ended || state.has_panicked {
                return Task::End;
            }
            state.idle += 1;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    fn done(&self, index: ModuleIndex, module: Module, errors: Vec<Diagnostic>, jobs: Vec<ScanJob>) {
        if let Some(plugins) = &self.plugins {
            plugins.add_busy(jobs.len());
            plugins.remove_busy();
        }
        let mut state = self.lock();
        if state.modules.len() <= index {
            state.modules.resize_with(index + 1, || None);
        }
        state.modules[index] = Some(module);
        state.errors.extend(errors);
        state.pending += jobs.len();
        state.jobs.extend(jobs);
        state.pending -= 1;
        // This worker takes one of the jobs itself.
        let wanted = state.jobs.len().saturating_sub(1).min(state.idle);
        (0..wanted).for_each(|_| self.work.notify_one());
        if state.pending == 0 {
            self.finished.notify_all();
        }
    }

    /// Reads the modules of the jobs, and all that they import. The caller's thread does not work
    /// meanwhile.
    pub(crate) fn scan(&self, scanner: Arc<Scanner>, jobs: Vec<ScanJob>) -> (Vec<Module>, Vec<Diagnostic>) {
        if let Some(plugins) = &self.plugins {
            plugins.add_busy(jobs.len());
            plugins.remove_busy();
        }
        let mut state = self.lock();
        state.scanner = Some(scanner);
        state.pending = jobs.len();
        state.jobs.extend(jobs);
        self.work.notify_all();
        while state.pending > 0 {
            state = self.wait(state);
        }
        if let Some(plugins) = &self.plugins {
            plugins.add_busy(1);
        }
        let modules = std::mem::take(&mut state.modules).into_iter().map(Option::unwrap_or_default).collect();
        (modules, std::mem::take(&mut state.errors))
    }

    /// Prints all modules of a bundle.
    pub(crate) fn print(&self, job: PrintJob) -> Result<Vec<PrintedModule>, Vec<Diagnostic>> {
        let mut state = self.lock();
        state.print = Some(job);
        state.bundles += 1;
        state.printing = self.threads;
        self.work.notify_all();
        while state.printing > 0 {
            state = self.wait(state);
        }
        state.print = None;
        let printed = std::mem::take(&mut state.printed);
        let errors = std::mem::take(&mut state.errors);
        if errors.is_empty() { Ok(printed) } else { Err(errors) }
    }

    /// Gives up all trees: their arenas have become much larger than what is used.
    pub(crate) fn forget(&self) {
        self.lock().arenas += 1;
        self.work.notify_all();
    }

    /// Lets the workers end.
    pub(crate) fn end(&self) {
        self.lock().is_ended = true;
        self.work.notify_all();
    }
}

/// Tells the others if its thread panics.
struct Alarm<'c>(&'c Crew);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().has_panicked = true;
            self.0.finished.notify_all();
            self.0.work.notify_all();
        }
    }
}

/// Prints the modules whose trees a worker has.
struct Printer<'p> {
    worker: usize,
    keeps_memory: bool,
    scanner: &'p Scanner,
}

impl Printer<'_> {
    fn print_all<'a>(
        &self,
        mut allocator: &'a Allocator,
        trees: &mut [Option<Tree<'a>>],
        job: &PrintJob,
    ) -> (Vec<PrintedModule>, Vec<Diagnostic>) {
        let (linked, options) = (&*job.linked, self.scanner.options());
        let (mut printed, mut errors) = (Vec::new(), Vec::new());
        let mut add = |index: usize, print: &mut dyn FnMut() -> Option<PrintedModule>| match catch_unwind(
            AssertUnwindSafe(print),
        ) {
            Ok(code) => printed.extend(code),
            Err(panic) => {
                errors.push(problem::panicked(&linked.modules[index].name, message_of(&*panic)));
            }
        };
        let mut copies = Allocator::default();
        for (index, module) in linked.modules.iter().enumerate() {
            let Some(id) = module.tree.filter(|id| id.worker == self.worker) else { continue };
            if !linked.reached[index] {
                continue;
            }
            let is_printed = linked.is_printed(index);
            match job.is_last[index] {
                true => {
                    let mut tree = trees[id.slot].take().filter(|_| is_printed);
                    if self.keeps_memory {
                        allocator = arena_for(allocator, id.slot + 1);
                    }
                    add(index, &mut || Some(print::print(allocator, index, tree.take()?, linked, options)));
                }
                false if is_printed => {
                    let Some(tree) = &trees[id.slot] else { continue };
                    add(index, &mut || {
                        let copy = Tree {
                            program: tree.program.clone_in_with_semantic_ids(&copies),
                            scoping: tree.scoping.clone_in_with_semantic_ids_with_another_arena(),
                            source: tree.source,
                        };
                        Some(print::print(&copies, index, copy, linked, options))
                    });
                    copies.reset();
                }
                false => {}
            }
        }
        (printed, errors)
    }
}

/// Modules for which memory is reserved at a time. A build with more is large.
const RESERVED_MODULES: usize = 32;

/// Bytes of trees in one arena, where arenas are not given back: chunks of a larger one would be no
/// blocks of the heap.
const ARENA_BYTES_MAX: usize = 12 << 20;

/// The arena for one more module of a process that ends after the build.
fn arena_for(arena: &Allocator, modules: usize) -> &Allocator {
    if modules.is_multiple_of(RESERVED_MODULES) {
        if modules == 0 { memory::reserve() } else { memory::reserve_large() }
    }
    if arena.used_bytes() > ARENA_BYTES_MAX { Box::leak(Box::default()) } else { arena }
}

/// What a panic says.
fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked")
}
