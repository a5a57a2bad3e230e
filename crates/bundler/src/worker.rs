//! Worker threads: each parses modules into its own arena, keeps their syntax trees, and prints
//! them once they are linked. In: the shared queue. Out: modules, then their code. A tree never
//! leaves its thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use oxc::allocator::Allocator;

use crate::diagnostic::Diagnostic;
use crate::link::Linked;
use crate::module::{Module, ModuleIndex};
use crate::print::{self, PrintedModule, Tree};
use crate::scan::{ScanJob, Scanner};

/// Reserved only: untouched pages take no memory.
pub(crate) const STACK_BYTES: usize = 1 << 30;

/// What threads share.
pub(crate) struct Crew {
    state: Mutex<CrewState>,
    changed: Condvar,
}

struct CrewState {
    jobs: VecDeque<ScanJob>,
    /// Jobs that are queued or worked on.
    pending: usize,
    modules: Vec<Option<Module>>,
    errors: Vec<Diagnostic>,
    /// Set when the modules are linked; `Err`: nothing is printed.
    linked: Option<Result<std::sync::Arc<Linked>, ()>>,
    printed: Vec<PrintedModule>,
    printing: usize,
}

impl Crew {
    pub(crate) fn new(jobs: Vec<ScanJob>, threads: usize) -> Crew {
        let pending = jobs.len();
        let state = CrewState {
            jobs: jobs.into(),
            pending,
            modules: Vec::new(),
            errors: Vec::new(),
            linked: None,
            printed: Vec::new(),
            printing: threads,
        };
        Crew { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, CrewState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, CrewState>) -> MutexGuard<'g, CrewState> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// The body of a worker thread.
    pub(crate) fn work(&self, scanner: &Scanner<'_>) {
        let allocator = Allocator::default();
        let mut trees: Vec<(ModuleIndex, Tree<'_>)> = Vec::new();
        let mut buffer = Vec::new();
        while let Some(job) = self.next() {
            let index = job.index;
            let scanned = scanner.scan(&allocator, job, &mut buffer);
            if let Some(tree) = scanned.tree {
                trees.push((index, tree));
            }
            self.done(index, scanned.module, scanned.errors, scanned.jobs);
        }
        let Some(linked) = self.linked() else { return };
        let printed: Vec<PrintedModule> = trees
            .into_iter()
            .filter(|(index, _)| linked.is_printed(*index))
            .map(|(index, tree)| print::print(&allocator, index, tree, &linked, scanner.options()))
            .collect();
        let mut state = self.lock();
        state.printed.extend(printed);
        state.printing -= 1;
        self.changed.notify_all();
    }

    fn next(&self) -> Option<ScanJob> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.pending == 0 {
                return None;
            }
            state = self.wait(state);
        }
    }

    fn done(&self, index: ModuleIndex, module: Module, errors: Vec<Diagnostic>, jobs: Vec<ScanJob>) {
        let mut state = self.lock();
        if state.modules.len() <= index {
            state.modules.resize_with(index + 1, || None);
        }
        state.modules[index] = Some(module);
        state.errors.extend(errors);
        state.pending += jobs.len();
        state.jobs.extend(jobs);
        state.pending -= 1;
        self.changed.notify_all();
    }

    /// Waits until all modules are read.
    pub(crate) fn scanned(&self) -> (Vec<Module>, Vec<Diagnostic>) {
        let mut state = self.lock();
        while state.pending > 0 {
            state = self.wait(state);
        }
        let modules = std::mem::take(&mut state.modules).into_iter().map(Option::unwrap_or_default).collect();
        (modules, std::mem::take(&mut state.errors))
    }

    /// Lets the workers print, or end.
    pub(crate) fn set_linked(&self, linked: Result<std::sync::Arc<Linked>, ()>) {
        self.lock().linked = Some(linked);
        self.changed.notify_all();
    }

    fn linked(&self) -> Option<std::sync::Arc<Linked>> {
        let mut state = self.lock();
        loop {
            match &state.linked {
                Some(linked) => return linked.clone().ok(),
                None => state = self.wait(state),
            }
        }
    }

    /// Waits until all modules are printed.
    pub(crate) fn printed(&self) -> Vec<PrintedModule> {
        let mut state = self.lock();
        while state.printing > 0 {
            state = self.wait(state);
        }
        std::mem::take(&mut state.printed)
    }
}
