//! The phases of this process, where somebody outside of the job asked for them: taken down until
//! the first program begins, told to whoever watches our system calls, or both. In: names. Out:
//! steps in the order in which they began. Off, which it nearly always is, a phase costs one load
//! more.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::sys;

/// More than a start has; a job that repeats a phase for each package must not fill the memory.
const STEPS_MAX: usize = 1000;

const TAKEN: u8 = 1;
const TOLD: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(0);
static STEPS: Mutex<Steps> = Mutex::new(Steps { start: None, all: Vec::new(), wall: None });

thread_local! {
    /// Steps that are open on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static IS_FIRST: Cell<bool> = const { Cell::new(false) };
}

/// One phase; times from the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessPhase {
    pub name: &'static str,
    /// Phases around it, on the same thread.
    pub depth: usize,
    /// Whether it was the work of another thread than the first.
    pub is_other_thread: bool,
    pub start: Duration,
    /// `None` for one that had not ended.
    pub end: Option<Duration>,
}

struct Steps {
    start: Option<Instant>,
    all: Vec<ProcessPhase>,
    wall: Option<Duration>,
}

/// Takes down the phases from now on; this thread is the first.
pub fn record() {
    locked().start = Some(Instant::now());
    IS_FIRST.set(true);
    MODE.fetch_or(TAKEN, Ordering::SeqCst);
}

/// Makes a system call at the beginning and at the end of each phase from now on, which does
/// nothing but say so.
pub fn emit_markers() {
    MODE.fetch_or(TOLD, Ordering::SeqCst);
}

/// Takes down nothing more.
pub fn freeze() {
    if MODE.fetch_and(!TAKEN, Ordering::SeqCst) & TAKEN != 0 {
        let mut steps = locked();
        steps.wall = steps.start.map(|start| start.elapsed());
    }
}

/// What was taken down, and how long that was; `None` where nothing was, or it is not frozen.
pub fn recorded() -> Option<(Vec<ProcessPhase>, Duration)> {
    let steps = locked();
    steps.wall.map(|wall| (steps.all.clone(), wall))
}

/// A phase begins; it ends when what comes back is dropped.
pub fn begin(name: &'static str) -> PhaseGuard {
    let mode = MODE.load(Ordering::Relaxed);
    let mut open = PhaseGuard { place: None, is_told: mode & TOLD != 0 };
    if open.is_told {
        sys::phase_markers::emit(name);
    }
    if mode & TAKEN != 0 {
        open.place = note(name);
    }
    open
}

#[must_use]
#[derive(Debug)]
pub struct PhaseGuard {
    place: Option<usize>,
    is_told: bool,
}

impl Drop for PhaseGuard {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            DEPTH.set(DEPTH.get() - 1);
            let mut steps = locked();
            // What ends later had not ended.
            if steps.wall.is_none() {
                steps.all[place].end = steps.start.map(|start| start.elapsed());
            }
        }
        if self.is_told {
            sys::phase_markers::emit("");
        }
    }
}

fn note(name: &'static str) -> Option<usize> {
    let mut steps = locked();
    let start = steps.start.filter(|_| steps.wall.is_none() && steps.all.len() < STEPS_MAX)?;
    let (depth, is_other_thread) = (DEPTH.get(), !IS_FIRST.get());
    DEPTH.set(depth + 1);
    steps.all.push(ProcessPhase { name, depth, is_other_thread, start: start.elapsed(), end: None });
    Some(steps.all.len() - 1)
}

/// Whoever panicked left whole steps behind.
fn locked() -> MutexGuard<'static, Steps> {
    STEPS.lock().unwrap_or_else(PoisonError::into_inner)
}
