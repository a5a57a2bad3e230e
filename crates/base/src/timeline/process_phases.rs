//! Process phases, for observers outside of a job: recorded until the first program starts, emitted
//! as phase markers for system call tracers, or both. In: names. Out: phases in the order in which
//! they began. While off, which is the normal case, a phase costs one more load.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::sys;

/// More than a startup has. The bound is for jobs that repeat a phase for each package.
const PHASES_MAX: usize = 1000;

const RECORD: u8 = 1;
const EMIT: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(0);
static PHASES: Mutex<RecordedPhases> =
    Mutex::new(RecordedPhases { start: None, all: Vec::new(), wall: None });

thread_local! {
    /// Open phases of this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static IS_FIRST: Cell<bool> = const { Cell::new(false) };
}

/// One phase; times are relative to the start of recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessPhase {
    pub name: &'static str,
    /// Number of enclosing phases on the same thread.
    pub depth: usize,
    /// Whether it ran on another thread than the first.
    pub is_other_thread: bool,
    pub start: Duration,
    /// `None` if it had not ended.
    pub end: Option<Duration>,
}

struct RecordedPhases {
    start: Option<Instant>,
    all: Vec<ProcessPhase>,
    wall: Option<Duration>,
}

/// Records phases from now on; this thread is the first one.
pub fn record() {
    locked().start = Some(Instant::now());
    IS_FIRST.set(true);
    MODE.fetch_or(RECORD, Ordering::SeqCst);
}

/// Emits phase markers from now on: a system call without effect at the beginning and end of each
/// phase.
pub fn emit_markers() {
    MODE.fetch_or(EMIT, Ordering::SeqCst);
}

/// Stops recording.
pub fn freeze() {
    if MODE.fetch_and(!RECORD, Ordering::SeqCst) & RECORD != 0 {
        let mut phases = locked();
        phases.wall = phases.start.map(|start| start.elapsed());
    }
}

/// The recorded phases and the total time; `None` if nothing was recorded or it is not frozen yet.
pub fn recorded() -> Option<(Vec<ProcessPhase>, Duration)> {
    let phases = locked();
    phases.wall.map(|wall| (phases.all.clone(), wall))
}

/// Begins a phase, which ends when the result is dropped.
pub fn begin(name: &'static str) -> PhaseGuard {
    let mode = MODE.load(Ordering::Relaxed);
    let mut open = PhaseGuard { index: None, is_emitted: mode & EMIT != 0 };
    if open.is_emitted {
        sys::phase_markers::emit(name);
    }
    if mode & RECORD != 0 {
        open.index = start(name);
    }
    open
}

#[must_use]
#[derive(Debug)]
pub struct PhaseGuard {
    index: Option<usize>,
    is_emitted: bool,
}

impl Drop for PhaseGuard {
    fn drop(&mut self) {
        if let Some(index) = self.index {
            DEPTH.set(DEPTH.get() - 1);
            let mut phases = locked();
            // A phase that is open after recording has stopped has no end.
            if phases.wall.is_none() {
                phases.all[index].end = phases.start.map(|start| start.elapsed());
            }
        }
        if self.is_emitted {
            sys::phase_markers::emit("");
        }
    }
}

fn start(name: &'static str) -> Option<usize> {
    let mut phases = locked();
    let start = phases.start.filter(|_| phases.wall.is_none() && phases.all.len() < PHASES_MAX)?;
    let (depth, is_other_thread) = (DEPTH.get(), !IS_FIRST.get());
    DEPTH.set(depth + 1);
    phases.all.push(ProcessPhase { name, depth, is_other_thread, start: start.elapsed(), end: None });
    Some(phases.all.len() - 1)
}

/// A thread that panicked left complete phases.
fn locked() -> MutexGuard<'static, RecordedPhases> {
    PHASES.lock().unwrap_or_else(PoisonError::into_inner)
}
