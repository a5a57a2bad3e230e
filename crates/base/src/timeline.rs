//! Span recording for the install timeline: spans of work on lanes, one lane for each thread and
//! each connection. In: begin and end of spans. Out: values by lane. Absent: I/O, rendering.
//!
//! A recorder is passed from thread to thread: a new thread takes what [`current`] returns. As an
//! argument it would be in every signature between the command line and a `write`; a global one
//! would mix the installs of a process that runs several.
//!
//! While off, which is the normal case, a span costs a read of a thread-local variable; while on,
//! two reads of the clock and an uncontended lock. The phases of the whole process are in
//! [`process_phases`].

pub mod process_phases;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Spans recorded in total, about 150 bytes each: ten times what an install of 1,700 packages
/// without cache has.
pub const SPANS_MAX: usize = 200_000;

/// Longest label or note. A name with a version needs less; a URL may have any length.
pub const LABEL_BYTES_MAX: usize = 240;

thread_local! {
    static LANE: RefCell<Lane> = const { RefCell::new(Lane(None)) };
}

/// The kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpanKind {
    /// A phase of the job.
    Phase,
    /// Waiting for another thread or the network.
    Wait,
    /// DNS lookup.
    Lookup,
    /// TCP connect.
    Connect,
    /// TLS handshake, and a proxy's CONNECT.
    Handshake,
    Packument,
    Tarball,
    /// Fetching a commit of a git repository.
    Repository,
    /// Parsing a packument.
    Decode,
    /// Writing a packument to the cache.
    CacheWrite,
    /// Checking a tarball's integrity.
    Verify,
    Inflate,
    /// Reading files from a tar archive and writing them.
    Unpack,
    /// Moving a package into the store.
    Publish,
    /// Linking a package into node_modules.
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

/// One piece of work; times are relative to the recorder's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub kind: SpanKind,
    /// What the work was done on: a package, a host.
    pub label: String,
    /// The outcome, or other details.
    pub note: String,
    pub start: Duration,
    pub end: Duration,
    /// When the request was queued, if it had to wait.
    pub queued_at: Option<Duration>,
    /// When the response began.
    pub response_started: Option<Duration>,
    pub bytes: u64,
    pub files: u64,
}

/// The spans of one thread or connection, in the order in which they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub name: &'static str,
    /// Counted from 1 among lanes of one name. A new thread reuses the lane of one that has ended.
    pub number: usize,
    pub spans: Vec<Span>,
}

/// All recorded spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// In the order in which they were created.
    pub tracks: Vec<Track>,
    pub total: Duration,
    /// Spans beyond [`SPANS_MAX`], which were dropped.
    pub dropped: usize,
}

/// Records spans until [`Recorder::finish`].
#[derive(Clone, Debug)]
pub struct Recorder(Arc<Recording>);

#[derive(Debug)]
struct Recording {
    start: Instant,
    tracks: Mutex<Vec<Arc<Mutex<Track>>>>,
    count: AtomicUsize,
}

impl Recorder {
    /// Times are relative to `start`.
    pub fn new(start: Instant) -> Recorder {
        Recorder(Arc::new(Recording { start, tracks: Mutex::default(), count: AtomicUsize::new(0) }))
    }

    /// From now on, spans of this thread are recorded on a lane of this name.
    pub fn enter(&self, name: &'static str) -> LaneGuard {
        RecorderHandle(Some(self.clone())).enter(name)
    }

    /// Everything recorded so far; later spans are lost.
    pub fn finish(&self) -> Timeline {
        let tracks = std::mem::take(&mut *locked(&self.0.tracks));
        Timeline {
            total: self.0.start.elapsed(),
            tracks: tracks.iter().map(|track| locked(track).clone()).collect(),
            dropped: self.0.count.load(Ordering::Relaxed).saturating_sub(SPANS_MAX),
        }
    }

    /// Relative to the recorder's start.
    fn time(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.0.start)
    }

    fn lane(&self, name: &'static str) -> Lane {
        let mut tracks = locked(&self.0.tracks);
        let same = tracks.iter().filter(|track| locked(track).name == name);
        let (free, count) = same.fold((None, 0), |(free, count), track| {
            // Only the list refers to it, so its thread or connection has ended.
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

/// The recorder of a thread, to be passed to threads it starts; empty if nothing is recorded.
#[derive(Clone, Debug, Default)]
pub struct RecorderHandle(Option<Recorder>);

/// The recorder of this thread.
pub fn current() -> RecorderHandle {
    LANE.with_borrow(|lane| RecorderHandle(lane.0.as_ref().map(|(recorder, _)| recorder.clone())))
}

impl RecorderHandle {
    /// From now on, spans of this thread are recorded on a lane of this name.
    pub fn enter(&self, name: &'static str) -> LaneGuard {
        LaneGuard { before: LANE.replace(self.lane(name)) }
    }

    /// A lane for a connection.
    pub fn lane(&self, name: &'static str) -> Lane {
        self.0.as_ref().map_or(Lane(None), |recorder| recorder.lane(name))
    }
}

/// The current time, for [`OpenSpan::queued_at`]; `None` if nothing is recorded.
pub fn now() -> Option<Instant> {
    LANE.with_borrow(|lane| lane.0.as_ref().map(|_| Instant::now()))
}

/// While it lives, its thread records on a lane.
pub struct LaneGuard {
    before: Lane,
}

impl Drop for LaneGuard {
    fn drop(&mut self) {
        LANE.replace(std::mem::take(&mut self.before));
    }
}

/// Where spans are recorded; empty if nothing is recorded. It is reused after its last clone is
/// dropped.
#[derive(Clone, Debug, Default)]
pub struct Lane(Option<(Recorder, Arc<Mutex<Track>>)>);

impl Lane {
    /// Begins a span, which ends when the result is dropped.
    pub fn begin(&self, kind: SpanKind) -> OpenSpan {
        OpenSpan(self.0.clone().map(|(recorder, track)| Box::new(SpanData::new(recorder, track, kind))))
    }
}

/// Begins a span on this thread's lane.
pub fn begin(kind: SpanKind) -> OpenSpan {
    LANE.with_borrow(|lane| lane.begin(kind))
}

/// Runs `work` as a span on this thread's lane.
pub fn span<T>(kind: SpanKind, label: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    let _open = begin(kind).label(label);
    work()
}

/// Runs `work` as a phase of the job, which is a span and a process phase.
pub fn phase<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _phase = process_phases::begin(name);
    span(SpanKind::Phase, || name.to_owned(), work)
}

/// A span that has not ended. Labels and notes are only computed if it is recorded.
#[must_use]
#[derive(Debug)]
pub struct OpenSpan(Option<Box<SpanData>>);

#[derive(Debug)]
struct SpanData {
    recorder: Recorder,
    track: Arc<Mutex<Track>>,
    span: Span,
}

impl OpenSpan {
    pub fn label(mut self, text: impl FnOnce() -> String) -> OpenSpan {
        self.change(|data| data.span.label = truncate(text()));
        self
    }

    /// Sets an earlier start.
    pub fn since(mut self, start: Instant) -> OpenSpan {
        self.change(|data| data.span.start = data.recorder.time(start));
        self
    }

    /// Sets when the request was queued.
    pub fn queued_at(mut self, at: Option<Instant>) -> OpenSpan {
        self.change(|data| data.span.queued_at = at.map(|at| data.recorder.time(at)));
        self
    }

    /// The response begins now.
    pub fn response_started(&mut self) {
        self.change(|data| data.span.response_started = Some(data.recorder.time(Instant::now())));
    }

    pub fn bytes(&mut self, bytes: usize) {
        self.change(|data| data.span.bytes = bytes as u64);
    }

    pub fn files(&mut self, files: usize) {
        self.change(|data| data.span.files = files as u64);
    }

    pub fn note(&mut self, text: impl FnOnce() -> String) {
        self.change(|data| data.span.note = truncate(text()));
    }

    /// Ends the span.
    pub fn end(self) {}

    fn change(&mut self, change: impl FnOnce(&mut SpanData)) {
        if let Some(data) = &mut self.0 {
            change(data);
        }
    }
}

impl SpanData {
    fn new(recorder: Recorder, track: Arc<Mutex<Track>>, kind: SpanKind) -> SpanData {
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
        SpanData { recorder, track, span }
    }
}

impl Drop for SpanData {
    fn drop(&mut self) {
        self.span.end = self.recorder.time(Instant::now());
        if self.recorder.0.count.fetch_add(1, Ordering::Relaxed) < SPANS_MAX {
            let empty = Span { label: String::new(), note: String::new(), ..self.span };
            let span = std::mem::replace(&mut self.span, empty);
            locked(&self.track).spans.push(span);
        }
    }
}

fn truncate(mut text: String) -> String {
    if text.len() > LABEL_BYTES_MAX {
        text.truncate(text.floor_char_boundary(LABEL_BYTES_MAX));
        text.push('…');
    }
    text
}

/// A thread that panicked left complete spans.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
