//! Where the time goes: spans of work on lanes, a lane for each thread and each connection. In:
//! what begins and ends. Out: values, by lane. Absent: I/O, drawing.
//!
//! A recorder belongs to the threads it is handed to: a thread that is started takes along what
//! [`current`] gives. As an argument it would stand in every signature between the command line and a
//! `write`; one for the whole process would mix the installs of a process that has several. Off,
//! which it nearly always is, a span costs a look at a variable of the thread; on, two readings of
//! the clock and a lock that nobody else holds. The phases of the whole process, for those who
//! watch it as a whole, are [`steps`].

pub mod process_phases;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Spans kept in all, some 150 bytes each: ten times what 1,700 packages from nothing leave.
pub const SPANS_MAX: usize = 200_000;

/// Bytes of a label or a note; a name and a version need fewer, and an address may have any number.
pub const TEXT_BYTES_MAX: usize = 240;

thread_local! {
    static LANE: RefCell<Lane> = const { RefCell::new(Lane(None)) };
}

/// What a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpanKind {
    /// A part of the job, as its own code has it.
    Phase,
    /// Nothing to do until another thread or the network has something.
    Wait,
    /// A name becomes addresses.
    Lookup,
    /// A TCP connection.
    Connect,
    /// The handshakes above it, a proxy's included.
    Handshake,
    Packument,
    Tarball,
    /// A commit is looked for in a repository, and fetched.
    Repository,
    /// A packument's text becomes what we keep of it.
    Decode,
    /// That is written to the cache.
    CacheWrite,
    /// Tarball against integrity.
    Verify,
    Inflate,
    /// Files read from the tar and written.
    Unpack,
    /// A package appears in the store.
    Publish,
    /// A package appears in node_modules.
    Link,
    Script,
}

impl SpanKind {
    pub const ALL: [SpanKind; 16] = [
        SpanKind::Phase,
        SpanKind::Wait,
        SpanKind::Lookup,
        SpanKind::Connect,
        SpanKind::Handshake,
        SpanKind::Packument,
        SpanKind::Tarball,
        SpanKind::Repository,
        SpanKind::Decode,
        SpanKind::CacheWrite,
        SpanKind::Verify,
        SpanKind::Inflate,
        SpanKind::Unpack,
        SpanKind::Publish,
        SpanKind::Link,
        SpanKind::Script,
    ];
}

/// One piece of work; times from the recorder's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub kind: SpanKind,
    /// What it was done to: a package, a host.
    pub label: String,
    /// How it ended, or what else there is to say.
    pub note: String,
    pub start: Duration,
    pub end: Duration,
    /// When it was asked for, where it had to wait its turn.
    pub queued_at: Option<Duration>,
    /// When the answer began.
    pub response_started: Option<Duration>,
    pub bytes: u64,
    pub files: u64,
}

/// The spans of one thread or connection, in the order in which they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub name: &'static str,
    /// Counted from 1 among those of one name. One that ended leaves its place to the next.
    pub number: usize,
    pub spans: Vec<Span>,
}

/// All that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// In the order in which they began.
    pub tracks: Vec<Track>,
    pub total: Duration,
    /// Spans beyond [`SPANS_MAX`].
    pub left_out: usize,
}

/// Takes down spans until [`Recorder::finish`].
#[derive(Clone, Debug)]
pub struct Recorder(Arc<Record>);

#[derive(Debug)]
struct Record {
    start: Instant,
    tracks: Mutex<Vec<Arc<Mutex<Track>>>>,
    noted: AtomicUsize,
}

impl Recorder {
    /// `start` is where times count from.
    pub fn new(start: Instant) -> Recorder {
        Recorder(Arc::new(Record { start, tracks: Mutex::default(), noted: AtomicUsize::new(0) }))
    }

    /// What this thread does from now on is taken down on a lane of this name.
    pub fn enter(&self, name: &'static str) -> LaneGuard {
        RecorderHandle(Some(self.clone())).enter(name)
    }

    /// Everything so far; what is noted later is lost.
    pub fn finish(&self) -> Timeline {
        let tracks = std::mem::take(&mut *locked(&self.0.tracks));
        Timeline {
            total: self.0.start.elapsed(),
            tracks: tracks.iter().map(|track| locked(track).clone()).collect(),
            left_out: self.0.noted.load(Ordering::Relaxed).saturating_sub(SPANS_MAX),
        }
    }

    /// From the recorder's start.
    fn time(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.0.start)
    }

    fn lane(&self, name: &'static str) -> Lane {
        let mut tracks = locked(&self.0.tracks);
        let same = tracks.iter().filter(|track| locked(track).name == name);
        let (free, count) = same.fold((None, 0), |(free, count), track| {
            // Held by the list alone: whoever had it has ended.
            let free = free.or_else(|| (Arc::strong_count(track) == 1).then_some(track));
            (free, count + 1)
        });
        let track = match free {
            Some(track) => Arc::clone(track),
            None => {
                let track = Track { name, number: count + 1, spans: Vec::new() };
                let track = Arc::new(Mutex::new(track));
                tracks.push(Arc::clone(&track));
                track
            }
        };
        Lane(Some((self.clone(), track)))
    }
}

/// The recorder of a thread, to be handed to those it starts; empty where nothing is recorded.
#[derive(Clone, Debug, Default)]
pub struct RecorderHandle(Option<Recorder>);

/// The recorder of this thread.
pub fn current() -> RecorderHandle {
    LANE.with_borrow(|lane| RecorderHandle(lane.0.as_ref().map(|(recorder, _)| recorder.clone())))
}

impl RecorderHandle {
    /// What this thread does from now on is taken down on a lane of this name.
    pub fn enter(&self, name: &'static str) -> LaneGuard {
        LaneGuard { before: LANE.replace(self.lane(name)) }
    }

    /// A lane for what is no thread.
    pub fn lane(&self, name: &'static str) -> Lane {
        self.0.as_ref().map_or(Lane(None), |recorder| recorder.lane(name))
    }
}

/// The time, for [`OpenSpan::queued_at`]; `None` where nothing is recorded.
pub fn now() -> Option<Instant> {
    LANE.with_borrow(|lane| lane.0.as_ref().map(|_| Instant::now()))
}

/// While it lives, its thread has a lane.
pub struct LaneGuard {
    before: Lane,
}

impl Drop for LaneGuard {
    fn drop(&mut self) {
        LANE.replace(std::mem::take(&mut self.before));
    }
}

/// Where spans are taken down; nowhere, when nothing is recorded. It is taken until its last clone
/// is dropped.
#[derive(Clone, Debug, Default)]
pub struct Lane(Option<(Recorder, Arc<Mutex<Track>>)>);

impl Lane {
    /// Begins a span; it ends when the answer is dropped.
    pub fn begin(&self, kind: SpanKind) -> OpenSpan {
        OpenSpan(self.0.clone().map(|(recorder, track)| Box::new(Begun::new(recorder, track, kind))))
    }
}

/// Begins a span on this thread's lane.
pub fn begin(kind: SpanKind) -> OpenSpan {
    LANE.with_borrow(|lane| lane.begin(kind))
}

/// Work as one span on this thread's lane.
pub fn span<T>(kind: SpanKind, label: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    let _open = begin(kind).label(label);
    work()
}

/// A part of the job as one span, and as a step.
pub fn phase<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _step = process_phases::begin(name);
    span(SpanKind::Phase, || name.to_owned(), work)
}

/// A span that has not ended. What is said of it is only worked out where it is recorded.
#[must_use]
#[derive(Debug)]
pub struct OpenSpan(Option<Box<Begun>>);

#[derive(Debug)]
struct Begun {
    recorder: Recorder,
    track: Arc<Mutex<Track>>,
    span: Span,
}

impl OpenSpan {
    pub fn label(mut self, text: impl FnOnce() -> String) -> OpenSpan {
        self.change(|begun| begun.span.label = cut(text()));
        self
    }

    /// It began earlier, at this time.
    pub fn since(mut self, start: Instant) -> OpenSpan {
        self.change(|begun| begun.span.start = begun.recorder.time(start));
        self
    }

    /// It was asked for at this time, and had to wait its turn.
    pub fn queued_at(mut self, at: Option<Instant>) -> OpenSpan {
        self.change(|begun| begun.span.queued_at = at.map(|at| begun.recorder.time(at)));
        self
    }

    /// The answer begins now.
    pub fn response_started(&mut self) {
        self.change(|begun| begun.span.response_started = Some(begun.recorder.time(Instant::now())));
    }

    pub fn bytes(&mut self, bytes: usize) {
        self.change(|begun| begun.span.bytes = bytes as u64);
    }

    pub fn files(&mut self, files: usize) {
        self.change(|begun| begun.span.files = files as u64);
    }

    pub fn note(&mut self, text: impl FnOnce() -> String) {
        self.change(|begun| begun.span.note = cut(text()));
    }

    /// Says no more than that it ends here.
    pub fn end(self) {}

    fn change(&mut self, change: impl FnOnce(&mut Begun)) {
        if let Some(begun) = &mut self.0 {
            change(begun);
        }
    }
}

impl Begun {
    fn new(recorder: Recorder, track: Arc<Mutex<Track>>, kind: SpanKind) -> Begun {
        let now = recorder.time(Instant::now());
        let (label, note) = (String::new(), String::new());
        let span = Span {
            kind,
            label,
            note,
            start: now,
            end: now,
            queued_at: None,
            response_started: None,
            bytes: 0,
            files: 0,
        };
        Begun { recorder, track, span }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.span.end = self.recorder.time(Instant::now());
        if self.recorder.0.noted.fetch_add(1, Ordering::Relaxed) < SPANS_MAX {
            let empty = Span { label: String::new(), note: String::new(), ..self.span };
            let span = std::mem::replace(&mut self.span, empty);
            locked(&self.track).spans.push(span);
        }
    }
}

fn cut(mut text: String) -> String {
    if text.len() > TEXT_BYTES_MAX {
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
        text.push('…');
    }
    text
}

/// A holder that panicked left whole spans behind.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
