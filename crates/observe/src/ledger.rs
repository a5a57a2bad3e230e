//! Where records are added up. In: what processes did, as a collector saw it, in order of time.
//! Out: processes with their counts. Everything is bounded: a program that starts a million
//! processes has most of them counted as one.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

pub use rusk_base::sys::stopped_child::ExitStatus;

use crate::calls::{Aim, Call, Effect, Wait};
use crate::histogram::Histogram;
use crate::paths::{Outcome, Paths};
use crate::phases::{Mark, Phases};

/// Processes with counts of their own.
const PROCESSES_MAX: usize = 1000;
/// Different paths, of all processes together: 50 MB of them, if they are as long as paths are.
const PATHS_MAX: usize = 200_000;
/// Programs that one process became; more are made by loops.
const PROGRAMS_MAX: usize = 16;
/// Open files remembered for a process.
const OPEN_MAX: usize = 4096;
/// A read that took no longer found something there.
const READ_WAITS_NS: u64 = 20_000;
/// The folder that stands for the current one, as a 32-bit number.
const AT_FDCWD: u32 = -100_i32 as u32;
/// `F_DUPFD` and `F_DUPFD_CLOEXEC` of `fcntl(2)`.
const COPYING: [u64; 2] = [0, 1030];

/// A call that has returned.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub process: i32,
    pub thread: i32,
    pub call: Call,
    pub duration_ns: u64,
    /// What it returned; an error is negative.
    pub result: i64,
    pub arguments: [u64; 4],
    /// Without its NUL; empty where there is none.
    pub path: &'a [u8],
}

/// A call of one process, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub total_ns: u64,
    pub times: Histogram,
    /// How often, by `errno`.
    pub errors: BTreeMap<u16, u64>,
}

/// One process, from its beginning to its end.
#[derive(Clone, Debug, Default)]
pub struct Process {
    pub number: i32,
    /// The place of its parent in the list.
    pub parent: Option<usize>,
    /// From the beginning of the whole.
    pub begun_ns: u64,
    pub ended_ns: Option<u64>,
    pub end: Option<ExitStatus>,
    /// Those it had, the first included.
    pub threads: u32,
    /// What it became by `execve(2)`, and when.
    pub programs: Vec<(u64, String)>,
    pub calls: HashMap<(Call, bool), Stats>,
    /// Calls that never returned: the one that ends the process, and those that other threads were
    /// in.
    pub unfinished: u64,
    pub paths: Paths,
    /// As [`Ledger::others`].
    pub stands_for: u64,
}

/// Adds up.
pub struct Ledger {
    origin_ns: u64,
    pub processes: Vec<Process>,
    places: HashMap<i32, usize>,
    standings: HashMap<i32, Standing>,
    paths_kept: usize,
    pub phases: Phases,
    /// The process that stands for all that are too many.
    others: Option<usize>,
}

/// Where a process's relative paths start from, and what it opened by a path.
#[derive(Clone, Debug, Default)]
struct Standing {
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
        // The kernel's errors end at -4095; an address may look negative too.
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
    /// `root` is the first process, `current_dir` where it starts, `origin_ns` the time that is 0
    /// from now on.
    pub fn new(root: i32, current_dir: &str, origin_ns: u64) -> Ledger {
        let mut ledger = Ledger {
            origin_ns,
            processes: Vec::new(),
            places: HashMap::new(),
            standings: HashMap::new(),
            paths_kept: 0,
            phases: Phases::default(),
            others: None,
        };
        ledger.processes.push(Process { number: root, threads: 1, stands_for: 1, ..Process::default() });
        ledger.places.insert(root, 0);
        ledger.standings.insert(root, Standing { current: current_dir.into(), open: HashMap::new() });
        ledger
    }

    /// A process has made another.
    pub fn begin(&mut self, process: i32, parent: i32, at_ns: u64) {
        let standing = self.standings.get(&parent).cloned().unwrap_or_default();
        self.standings.insert(process, standing);
        let parent = self.places.get(&parent).copied();
        if let Some(others) = self.others {
            self.processes[others].stands_for += 1;
            self.places.insert(process, others);
            return;
        }
        let inherited = parent.and_then(|parent| self.processes[parent].programs.last());
        let begun_ns = self.time(at_ns);
        let programs = inherited.map(|(_, program)| (begun_ns, program.clone())).into_iter().collect();
        let place = self.processes.len();
        if place >= PROCESSES_MAX {
            self.others = Some(place);
        }
        self.processes.push(Process {
            number: process,
            parent,
            begun_ns,
            threads: 1,
            programs,
            stands_for: 1,
            ..Process::default()
        });
        self.places.insert(process, place);
    }

    /// A process has one thread more.
    pub fn thread(&mut self, process: i32) {
        if let Some(process) = self.find(process) {
            process.threads += 1;
        }
    }

    /// A process or one of its threads has ended in the middle of a call.
    pub fn unfinished(&mut self, process: i32) {
        if let Some(process) = self.find(process) {
            process.unfinished += 1;
        }
    }

    pub fn end(&mut self, process: i32, at_ns: u64, end: ExitStatus) {
        let at_ns = self.time(at_ns);
        if let Some(process) = self.find(process) {
            process.ended_ns = Some(at_ns);
            process.end = Some(end);
        }
        self.places.remove(&process);
        self.standings.remove(&process);
    }

    /// A call has returned at this time.
    pub fn call(&mut self, record: &Record<'_>, at_ns: u64) {
        let Some(&place) = self.places.get(&record.process) else { return };
        if let Some(mark) = Mark::of(record) {
            let at_ns = self.time(at_ns);
            return self.phases.mark(record, mark, &self.processes[place].calls, at_ns);
        }
        let traits = record.call.traits();
        let waits = match traits.wait {
            Wait::Reads => record.duration_ns >= READ_WAITS_NS && !self.reads_file(record),
            wait => wait.holds(record.arguments),
        };
        self.phases.call(record, waits);
        let key = (record.call, waits);
        self.processes[place].calls.entry(key).or_default().add(record.duration_ns, record.result);
        if traits.path.is_some() || traits.effect != Effect::None {
            self.follow(record, place, at_ns);
        }
    }

    /// What a call says of paths.
    fn follow(&mut self, record: &Record<'_>, place: usize, at_ns: u64) {
        let at_ns = self.time(at_ns);
        let traits = record.call.traits();
        let standing = self.standings.entry(record.process).or_default();
        let first = record.arguments[0] as u32;
        match traits.effect {
            Effect::Closes => drop(standing.open.remove(&first)),
            Effect::EntersOpen if record.result == 0 => {
                standing.current = standing.open.get(&first).cloned().unwrap_or_default();
            }
            Effect::Copies => standing.copy(first, record.result),
            Effect::Controls if COPYING.contains(&record.arguments[1]) => standing.copy(first, record.result),
            _ => {}
        }
        let Some(argument) = traits.path.filter(|_| !record.path.is_empty()) else { return };
        let folder = if argument.index == 0 { AT_FDCWD } else { first };
        let path = standing.resolve(folder, &String::from_utf8_lossy(record.path));
        match argument.aim {
            Aim::Enter if record.result == 0 => standing.current = path.as_str().into(),
            Aim::Exec if record.result == 0 => {
                // What is open is close-on-exec, mostly.
                standing.open.clear();
                let programs = &mut self.processes[place].programs;
                if programs.len() < PROGRAMS_MAX {
                    programs.push((at_ns, path));
                }
            }
            aim @ (Aim::Open | Aim::Stat | Aim::Readlink) => {
                if record.result >= 0 && traits.effect == Effect::Opens {
                    standing.remember(record.result as u32, path.as_str().into());
                }
                let paths = &mut self.processes[place].paths;
                let outcome = Outcome::of(aim, record.result);
                self.paths_kept += usize::from(paths.note(&path, aim, outcome, self.paths_kept < PATHS_MAX));
            }
            Aim::Enter | Aim::Exec => {}
        }
    }

    /// Whether a descriptor was opened by a path, and is no terminal.
    fn reads_file(&self, record: &Record<'_>) -> bool {
        let standing = self.standings.get(&record.process);
        let path = standing.and_then(|standing| standing.open.get(&(record.arguments[0] as u32)));
        path.is_some_and(|path| !path.starts_with("/dev/tty") && !path.starts_with("/dev/pts/"))
    }

    fn find(&mut self, process: i32) -> Option<&mut Process> {
        let place = *self.places.get(&process)?;
        Some(&mut self.processes[place])
    }

    fn time(&self, at_ns: u64) -> u64 {
        at_ns.saturating_sub(self.origin_ns)
    }
}

impl Standing {
    /// A path as seen from the root, where that is known.
    fn resolve(&self, folder: u32, path: &str) -> String {
        if path.starts_with('/') {
            return path.to_owned();
        }
        let path = path.strip_prefix("./").unwrap_or(path);
        match (folder, self.open.get(&folder)) {
            (AT_FDCWD, _) if self.current.is_empty() => path.to_owned(),
            (AT_FDCWD, _) => within(&self.current, path),
            (_, Some(open)) => within(open, path),
            (number, None) => format!("<folder {number}>/{path}"),
        }
    }

    fn remember(&mut self, number: u32, path: Rc<str>) {
        if self.open.len() < OPEN_MAX {
            self.open.insert(number, path);
        }
    }

    fn copy(&mut self, from: u32, to: i64) {
        if let (Some(path), Ok(to)) = (self.open.get(&from).cloned(), u32::try_from(to)) {
            self.remember(to, path);
        }
    }
}

fn within(folder: &str, path: &str) -> String {
    match path {
        "." | "" => folder.to_owned(),
        path => format!("{}/{path}", folder.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests;
