//! The phases of a process that says which one it is in: `rusk_base::sys::phase_markers`. In: marks and
//! calls, thread by thread, in order of time. Out: for each phase how long it took, and the calls
//! that were made in it and in none within it. Of one process, the first that makes a mark. A call
//! of a thread that is in no phase of its own counts where the first thread is.

use std::collections::HashMap;

use rusk_base::sys::phase_markers::{INVALID_DIRECTORY_FD, PREFIX};

use crate::calls::{Aim, Call};
use crate::ledger::{Record, Stats};

/// Different phases; a program that makes more is none of ours.
const PHASES_MAX: usize = 200;
/// Phases within each other.
const DEPTH_MAX: usize = 20;

/// A mark, as a call says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark<'a> {
    Begin(&'a str),
    End,
}

/// One phase, all of its times together.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    pub name: String,
    /// The place in the list of the one around it.
    pub parent: Option<usize>,
    /// Of another thread than the first one.
    pub is_beside: bool,
    /// How often it was begun.
    pub times: u64,
    pub wall_ns: u64,
    /// Those of phases within it left out.
    pub calls: HashMap<(Call, bool), Stats>,
}

/// Adds up; empty until the first mark.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    /// The process, and the thread that made the first mark.
    marking: Option<(i32, i32)>,
    /// What each thread is in, and since when; innermost last.
    open: HashMap<i32, Vec<(usize, u64)>>,
    /// The first two are [`BEFORE`] and [`BETWEEN`].
    pub all: Vec<Phase>,
    /// Since when the first thread is in none.
    idle_since_ns: u64,
}

/// What was before the first mark, and what is in no phase.
pub const BEFORE: usize = 0;
pub const BETWEEN: usize = 1;

impl<'a> Mark<'a> {
    /// `None` for a call that is none.
    pub fn of(record: &Record<'a>) -> Option<Mark<'a>> {
        if record.arguments[0] as i32 != INVALID_DIRECTORY_FD
            || record.call.traits().path.is_none_or(|path| path.aim != Aim::Stat || path.index != 1)
        {
            return None;
        }
        match std::str::from_utf8(record.path).ok()?.strip_prefix(PREFIX)? {
            "" => Some(Mark::End),
            name => Some(Mark::Begin(name)),
        }
    }
}

impl Phases {
    /// `calls`: those of the process so far; `at_ns`: from the beginning of the whole.
    pub fn mark(
        &mut self,
        record: &Record<'_>,
        mark: Mark<'_>,
        calls: &HashMap<(Call, bool), Stats>,
        at_ns: u64,
    ) {
        let (process, first) = *self.marking.get_or_insert((record.process, record.thread));
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
        match mark {
            Mark::Begin(name) => self.begin(name, record.thread, first, at_ns),
            Mark::End => self.end(record.thread, first, at_ns),
        }
    }

    /// A call of any process.
    pub fn call(&mut self, record: &Record<'_>, waits: bool) {
        let Some((_, first)) = self.marking.filter(|(process, _)| *process == record.process) else { return };
        let innermost = |thread| self.open.get(&thread).and_then(|open: &Vec<(usize, u64)>| open.last());
        let place =
            innermost(record.thread).or_else(|| innermost(first)).map_or(BETWEEN, |(place, _)| *place);
        let stats = self.all[place].calls.entry((record.call, waits)).or_default();
        stats.add(record.duration_ns, record.result);
    }

    /// All phases at the end of the watch.
    pub fn finish(&self, at_ns: u64) -> Vec<Phase> {
        let mut done = self.clone();
        let Some((_, first)) = done.marking else { return Vec::new() };
        let threads: Vec<i32> = done.open.keys().copied().collect();
        for thread in threads {
            while done.open.get(&thread).is_some_and(|open| !open.is_empty()) {
                done.end(thread, first, at_ns);
            }
        }
        done.all[BETWEEN].wall_ns += at_ns.saturating_sub(done.idle_since_ns);
        done.all
    }

    /// The process that makes marks.
    pub fn process(&self) -> Option<i32> {
        self.marking.map(|(process, _)| process)
    }

    fn begin(&mut self, name: &str, thread: i32, first: i32, at_ns: u64) {
        let open = self.open.entry(thread).or_default();
        if open.len() >= DEPTH_MAX {
            return;
        }
        let (parent, is_beside) = (open.last().map(|(place, _)| *place), thread != first);
        if open.is_empty() && !is_beside {
            self.all[BETWEEN].wall_ns += at_ns.saturating_sub(self.idle_since_ns);
        }
        let same =
            |phase: &Phase| phase.name == name && phase.parent == parent && phase.is_beside == is_beside;
        let known = self.all.iter().skip(BETWEEN + 1).position(same).map(|place| place + BETWEEN + 1);
        let place = known.unwrap_or_else(|| {
            if self.all.len() >= PHASES_MAX {
                return BETWEEN;
            }
            self.all.push(Phase { name: name.to_owned(), parent, is_beside, ..Phase::default() });
            self.all.len() - 1
        });
        self.all[place].times += 1;
        open.push((place, at_ns));
    }

    fn end(&mut self, thread: i32, first: i32, at_ns: u64) {
        let open = self.open.entry(thread).or_default();
        let Some((place, since_ns)) = open.pop() else { return };
        if open.is_empty() && thread == first {
            self.idle_since_ns = at_ns;
        }
        if place != BETWEEN {
            self.all[place].wall_ns += at_ns.saturating_sub(since_ns);
        }
    }
}

#[cfg(test)]
mod tests;
