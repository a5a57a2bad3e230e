//! Ledger of a trace: adds up system call records by process. In: events of processes in order of
//! time, from a collector. Out: processes with their counts. All sizes are bounded: of a program
//! that starts a million processes, most are counted as one.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

pub use rusk_base::sys::stopped_child::ExitStatus;

use crate::histogram::Histogram;
use crate::paths::{Outcome, Paths};
use crate::phases::{PhaseMarker, PhaseTracker};
use crate::syscalls::{FdEffect, PathOperation, Syscall, WaitRule};

/// Processes with counts of their own.
const PROCESSES_MAX: usize = 1000;
/// Distinct paths of all processes together: 50 MB of usual paths.
const PATHS_MAX: usize = 200_000;
/// Programs that one process executed; more come from loops.
const PROGRAMS_MAX: usize = 16;
/// Open files tracked for a process.
const OPEN_MAX: usize = 4096;
/// A faster read did not wait.
const READ_WAITS_NS: u64 = 20_000;
/// The current directory as a 32-bit descriptor.
const AT_FDCWD: u32 = -100_i32 as u32;
/// `F_DUPFD` and `F_DUPFD_CLOEXEC` of `fcntl(2)`.
const DUPLICATE_COMMANDS: [u64; 2] = [0, 1030];

/// A system call that has returned.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub process: i32,
    pub thread: i32,
    pub call: Syscall,
    pub duration_ns: u64,
    /// The return value; errors are negative.
    pub result: i64,
    pub arguments: [u64; 4],
    /// Without its NUL; empty if there is none.
    pub path: &'a [u8],
}

/// Statistics of a system call, of one process or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub total_ns: u64,
    pub times: Histogram,
    /// Counts by errno.
    pub errors: BTreeMap<u16, u64>,
}

/// One process, from its start to its end.
#[derive(Clone, Debug, Default)]
pub struct Process {
    pub id: i32,
    /// The index of its parent in the list.
    pub parent: Option<usize>,
    /// Relative to the start of the trace.
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub end: Option<ExitStatus>,
    /// All threads, including the first one.
    pub threads: u32,
    /// The programs it executed by `execve(2)`, with their times.
    pub programs: Vec<(u64, String)>,
    pub calls: HashMap<(Syscall, bool), Stats>,
    /// System calls that never returned: the one that ends the process, and those that other
    /// threads were in.
    pub unfinished: u64,
    pub paths: Paths,
    /// More than 1 for [`Ledger::others`].
    pub process_count: u64,
}

/// The sums of a trace.
pub struct Ledger {
    origin_ns: u64,
    pub processes: Vec<Process>,
    indices: HashMap<i32, usize>,
    contexts: HashMap<i32, ProcessContext>,
    paths_count: usize,
    pub phases: PhaseTracker,
    /// The process that counts for all beyond the limit.
    others: Option<usize>,
}

/// The current directory of a process, and its descriptors that were opened by path.
#[derive(Clone, Debug, Default)]
struct ProcessContext {
    current: Rc<str>,
    open: HashMap<u32, Rc<str>>,
}

impl Stats {
    pub fn count(&self) -> u64 {
        self.times.count()
    }

    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }

    pub fn add(&mut self, duration_ns: u64, result: i64) {
        self.total_ns += duration_ns;
        self.times.add(duration_ns);
        // The kernel's errors end at -4095; an address may be negative too.
        if (-4095..0).contains(&result) {
            *self.errors.entry(-result as u16).or_default() += 1;
        }
    }

    pub fn merge(&mut self, other: &Stats) {
        self.total_ns += other.total_ns;
        self.times.merge(&other.times);
        for (errno, count) in &other.errors {
            *self.errors.entry(*errno).or_default() += count;
        }
    }
}

impl Ledger {
    /// `root` is the first process, `current_dir` its current directory, and `origin_ns` the time
    /// that becomes 0.
    pub fn new(root: i32, current_dir: &str, origin_ns: u64) -> Ledger {
        let mut ledger = Ledger {
            origin_ns,
            processes: Vec::new(),
            indices: HashMap::new(),
            contexts: HashMap::new(),
            paths_count: 0,
            phases: PhaseTracker::default(),
            others: None,
        };
        ledger.processes.push(Process { id: root, threads: 1, process_count: 1, ..Process::default() });
        ledger.indices.insert(root, 0);
        ledger.contexts.insert(root, ProcessContext { current: current_dir.into(), open: HashMap::new() });
        ledger
    }

    /// A process has forked.
    pub fn on_fork(&mut self, process: i32, parent: i32, at_ns: u64) {
        let context = self.contexts.get(&parent).cloned().unwrap_or_default();
        self.contexts.insert(process, context);
        let parent = self.indices.get(&parent).copied();
        if let Some(others) = self.others {
            self.processes[others].process_count += 1;
            self.indices.insert(process, others);
            return;
        }
        let inherited = parent.and_then(|parent| self.processes[parent].programs.last());
        let start_ns = self.time(at_ns);
        let programs = inherited.map(|(_, program)| (start_ns, program.clone())).into_iter().collect();
        let index = self.processes.len();
        if index >= PROCESSES_MAX {
            self.others = Some(index);
        }
        self.processes.push(Process {
            id: process,
            parent,
            start_ns,
            threads: 1,
            programs,
            process_count: 1,
            ..Process::default()
        });
        self.indices.insert(process, index);
    }

    /// A process has created a thread.
    pub fn on_new_thread(&mut self, process: i32) {
        if let Some(process) = self.find(process) {
            process.threads += 1;
        }
    }

    /// A process or one of its threads has ended within a system call.
    pub fn unfinished(&mut self, process: i32) {
        if let Some(process) = self.find(process) {
            process.unfinished += 1;
        }
    }

    pub fn on_exit(&mut self, process: i32, at_ns: u64, end: ExitStatus) {
        let at_ns = self.time(at_ns);
        if let Some(process) = self.find(process) {
            process.end_ns = Some(at_ns);
            process.end = Some(end);
        }
        self.indices.remove(&process);
        self.contexts.remove(&process);
    }

    /// A system call has returned at this time.
    pub fn call(&mut self, record: &Record<'_>, at_ns: u64) {
        let Some(&index) = self.indices.get(&record.process) else { return };
        if let Some(marker) = PhaseMarker::of(record) {
            let at_ns = self.time(at_ns);
            return self.phases.on_marker(record, marker, &self.processes[index].calls, at_ns);
        }
        let traits = record.call.traits();
        let waits = match traits.wait {
            WaitRule::SlowRead => record.duration_ns >= READ_WAITS_NS && !self.reads_file(record),
            wait => wait.waits(record.arguments),
        };
        self.phases.call(record, waits);
        let key = (record.call, waits);
        self.processes[index].calls.entry(key).or_default().add(record.duration_ns, record.result);
        if traits.path.is_some() || traits.effect != FdEffect::None {
            self.apply_effect(record, index, at_ns);
        }
    }

    /// Applies a system call's effect on paths and descriptors, and counts its path.
    fn apply_effect(&mut self, record: &Record<'_>, index: usize, at_ns: u64) {
        let at_ns = self.time(at_ns);
        let traits = record.call.traits();
        let context = self.contexts.entry(record.process).or_default();
        let first = record.arguments[0] as u32;
        match traits.effect {
            FdEffect::Close => drop(context.open.remove(&first)),
            FdEffect::Fchdir if record.result == 0 => {
                context.current = context.open.get(&first).cloned().unwrap_or_default();
            }
            FdEffect::Duplicate => context.duplicate(first, record.result),
            FdEffect::Fcntl if DUPLICATE_COMMANDS.contains(&record.arguments[1]) => {
                context.duplicate(first, record.result)
            }
            _ => {}
        }
        let Some(argument) = traits.path.filter(|_| !record.path.is_empty()) else { return };
        let directory = if argument.index == 0 { AT_FDCWD } else { first };
        let path = context.resolve(directory, &String::from_utf8_lossy(record.path));
        match argument.operation {
            PathOperation::Chdir if record.result == 0 => context.current = path.as_str().into(),
            PathOperation::Exec if record.result == 0 => {
                // Open descriptors are usually close-on-exec.
                context.open.clear();
                let programs = &mut self.processes[index].programs;
                if programs.len() < PROGRAMS_MAX {
                    programs.push((at_ns, path));
                }
            }
            operation @ (PathOperation::Open | PathOperation::Stat | PathOperation::Readlink) => {
                if record.result >= 0 && traits.effect == FdEffect::Open {
                    context.remember(record.result as u32, path.as_str().into());
                }
                let paths = &mut self.processes[index].paths;
                let outcome = Outcome::of(operation, record.result);
                self.paths_count +=
                    usize::from(paths.add(&path, operation, outcome, self.paths_count < PATHS_MAX));
            }
            PathOperation::Chdir | PathOperation::Exec => {}
        }
    }

    /// Whether a descriptor was opened by path and is not a terminal.
    fn reads_file(&self, record: &Record<'_>) -> bool {
        let context = self.contexts.get(&record.process);
        let path = context.and_then(|context| context.open.get(&(record.arguments[0] as u32)));
        path.is_some_and(|path| !path.starts_with("/dev/tty") && !path.starts_with("/dev/pts/"))
    }

    fn find(&mut self, process: i32) -> Option<&mut Process> {
        let index = *self.indices.get(&process)?;
        Some(&mut self.processes[index])
    }

    fn time(&self, at_ns: u64) -> u64 {
        at_ns.saturating_sub(self.origin_ns)
    }
}

impl ProcessContext {
    /// The absolute path, if it is known.
    fn resolve(&self, directory: u32, path: &str) -> String {
        if path.starts_with('/') {
            return path.to_owned();
        }
        let path = path.strip_prefix("./").unwrap_or(path);
        match (directory, self.open.get(&directory)) {
            (AT_FDCWD, _) if self.current.is_empty() => path.to_owned(),
            (AT_FDCWD, _) => within(&self.current, path),
            (_, Some(open)) => within(open, path),
            (number, None) => format!("<fd {number}>/{path}"),
        }
    }

    fn remember(&mut self, number: u32, path: Rc<str>) {
        if self.open.len() < OPEN_MAX {
            self.open.insert(number, path);
        }
    }

    fn duplicate(&mut self, from: u32, to: i64) {
        if let (Some(path), Ok(to)) = (self.open.get(&from).cloned(), u32::try_from(to)) {
            self.remember(to, path);
        }
    }
}

fn within(directory: &str, path: &str) -> String {
    match path {
        "." | "" => directory.to_owned(),
        path => format!("{}/{path}", directory.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests;
