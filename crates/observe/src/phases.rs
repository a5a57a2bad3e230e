//! Phases of the traced process, by its phase markers (`rusk_base::sys::phase_markers`). In:
//! markers and system calls of each thread, in order of time. Out: for each phase its duration and
//! the system calls in it, without those in inner phases.
//!
//! Only the first process that emits a marker counts. A system call of a thread without a phase of
//! its own counts in the phase of the first thread.

use std::collections::HashMap;

use rusk_base::sys::phase_markers::{INVALID_DIRECTORY_FD, PREFIX};

use crate::ledger::{Record, Stats};
use crate::syscalls::{PathOperation, Syscall};

/// Distinct phases; a program with more does not use our markers.
const PHASES_MAX: usize = 200;
/// Nesting depth of phases.
const DEPTH_MAX: usize = 20;

/// A phase marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseMarker<'a> {
    Begin(&'a str),
    End,
}

/// One phase; all its runs together.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    pub name: String,
    /// The index of the enclosing phase.
    pub parent: Option<usize>,
    /// Whether it ran on another thread than the first.
    pub is_other_thread: bool,
    /// How often it began.
    pub times: u64,
    pub wall_ns: u64,
    /// Without those of inner phases.
    pub calls: HashMap<(Syscall, bool), Stats>,
}

/// Adds up phases; empty until the first marker.
#[derive(Clone, Debug, Default)]
pub struct PhaseTracker {
    /// The process and the thread that emitted the first marker.
    source: Option<(i32, i32)>,
    /// Open phases of each thread with their start times; innermost last.
    open: HashMap<i32, Vec<(usize, u64)>>,
    /// The first two are [`BEFORE`] and [`BETWEEN`].
    pub all: Vec<Phase>,
    /// Since when the first thread has been outside of all phases.
    idle_since_ns: u64,
}

/// The time before the first marker, and the time outside of all phases.
pub const BEFORE: usize = 0;
pub const BETWEEN: usize = 1;

impl<'a> PhaseMarker<'a> {
    /// `None` if the system call is no marker.
    pub fn of(record: &Record<'a>) -> Option<PhaseMarker<'a>> {
        if record.arguments[0] as i32 != INVALID_DIRECTORY_FD
            || record
                .call
                .traits()
                .path
                .is_none_or(|path| path.operation != PathOperation::Stat || path.index != 1)
        {
            return None;
        }
        match std::str::from_utf8(record.path).ok()?.strip_prefix(PREFIX)? {
            "" => Some(PhaseMarker::End),
            name => Some(PhaseMarker::Begin(name)),
        }
    }
}

impl PhaseTracker {
    /// `calls`: those of the process so far; `at_ns`: relative to the start of the trace.
    pub fn on_marker(
        &mut self,
        record: &Record<'_>,
        marker: PhaseMarker<'_>,
        calls: &HashMap<(Syscall, bool), Stats>,
        at_ns: u64,
    ) {
        let (process, first) = *self.source.get_or_insert((record.process, record.thread));
        if process != record.process {
            return;
        }
        if self.all.is_empty() {
            let before = Phase {
                name: "before".to_owned(),
                times: 1,
                wall_ns: at_ns,
                calls: calls.clone(),
                ..Phase::default()
            };
            self.all = vec![before, Phase { name: "between".to_owned(), ..Phase::default() }];
            self.idle_since_ns = at_ns;
        }
        match marker {
            PhaseMarker::Begin(name) => self.begin(name, record.thread, first, at_ns),
            PhaseMarker::End => self.end(record.thread, first, at_ns),
        }
    }

    /// A system call of any process.
    pub fn call(&mut self, record: &Record<'_>, waits: bool) {
        let Some((_, first)) = self.source.filter(|(process, _)| *process == record.process) else { return };
        let innermost = |thread| self.open.get(&thread).and_then(|open: &Vec<(usize, u64)>| open.last());
        let index =
            innermost(record.thread).or_else(|| innermost(first)).map_or(BETWEEN, |(index, _)| *index);
        let stats = self.all[index].calls.entry((record.call, waits)).or_default();
        stats.add(record.duration_ns, record.result);
    }

    /// All phases at the end of the trace.
    pub fn finish(&self, at_ns: u64) -> Vec<Phase> {
        let mut done = self.clone();
        let Some((_, first)) = done.source else { return Vec::new() };
        let threads: Vec<i32> = done.open.keys().copied().collect();
        for thread in threads {
            while done.open.get(&thread).is_some_and(|open| !open.is_empty()) {
                done.end(thread, first, at_ns);
            }
        }
        done.all[BETWEEN].wall_ns += at_ns.saturating_sub(done.idle_since_ns);
        done.all
    }

    /// The process that emits markers.
    pub fn process(&self) -> Option<i32> {
        self.source.map(|(process, _)| process)
    }

    fn begin(&mut self, name: &str, thread: i32, first: i32, at_ns: u64) {
        let open = self.open.entry(thread).or_default();
        if open.len() >= DEPTH_MAX {
            return;
        }
        let (parent, is_other_thread) = (open.last().map(|(index, _)| *index), thread != first);
        if open.is_empty() && !is_other_thread {
            self.all[BETWEEN].wall_ns += at_ns.saturating_sub(self.idle_since_ns);
        }
        let same = |phase: &Phase| {
            phase.name == name && phase.parent == parent && phase.is_other_thread == is_other_thread
        };
        let known = self.all.iter().skip(BETWEEN + 1).position(same).map(|index| index + BETWEEN + 1);
        let index = known.unwrap_or_else(|| {
            if self.all.len() >= PHASES_MAX {
                return BETWEEN;
            }
            self.all.push(Phase { name: name.to_owned(), parent, is_other_thread, ..Phase::default() });
            self.all.len() - 1
        });
        self.all[index].times += 1;
        open.push((index, at_ns));
    }

    fn end(&mut self, thread: i32, first: i32, at_ns: u64) {
        let open = self.open.entry(thread).or_default();
        let Some((index, since_ns)) = open.pop() else { return };
        if open.is_empty() && thread == first {
            self.idle_since_ns = at_ns;
        }
        if index != BETWEEN {
            self.all[index].wall_ns += at_ns.saturating_sub(since_ns);
        }
    }
}

#[cfg(test)]
mod tests;
