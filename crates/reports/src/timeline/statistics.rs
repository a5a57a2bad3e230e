//! Statistics of a timeline: its phases, totals for each kind of work, the longest spans.

use std::time::Duration;

use rusk_base::timeline::{Span, SpanKind, Timeline, Track};

use super::kinds;

/// Totals of all spans of one kind.
#[derive(Debug, PartialEq, Eq)]
pub struct KindStatistics<'a> {
    pub kind: SpanKind,
    pub count: usize,
    /// Sum of all durations; with several threads it exceeds the time that passed.
    pub added: Duration,
    /// Time during which at least one was in progress.
    pub passed: Duration,
    pub bytes: u64,
    pub files: u64,
    pub longest: &'a Span,
}

/// Totals of each kind that occurs, in the order of [`SpanKind::ALL`].
pub fn by_kind(timeline: &Timeline) -> Vec<KindStatistics<'_>> {
    SpanKind::ALL
        .into_iter()
        .filter(|kind| *kind != SpanKind::Phase)
        .filter_map(|kind| sum(timeline, kind))
        .collect()
}

fn sum(timeline: &Timeline, kind: SpanKind) -> Option<KindStatistics<'_>> {
    let mut spans: Vec<&Span> =
        timeline.tracks.iter().flat_map(|track| &track.spans).filter(|span| span.kind == kind).collect();
    spans.sort_by_key(|span| span.start);
    let mut passed = Duration::ZERO;
    let mut until = Duration::ZERO;
    for span in &spans {
        passed += span.end.saturating_sub(span.start.max(until));
        until = until.max(span.end);
    }
    Some(KindStatistics {
        kind,
        count: spans.len(),
        added: spans.iter().map(|span| length(span)).sum(),
        passed,
        bytes: spans.iter().map(|span| span.bytes).sum(),
        files: spans.iter().map(|span| span.files).sum(),
        longest: spans.iter().max_by_key(|span| length(span))?,
    })
}

/// The outermost phases of the main thread, in order.
pub fn phases(timeline: &Timeline) -> Vec<&Span> {
    let spans = timeline.tracks.iter().filter(|track| track.name == "main").flat_map(|track| &track.spans);
    let mut phases: Vec<&Span> = spans.filter(|span| span.kind == SpanKind::Phase).collect();
    phases.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut until = Duration::ZERO;
    phases.retain(|span| {
        let is_outer = span.start >= until;
        until = until.max(span.end);
        is_outer
    });
    phases
}

/// The longest spans of work, longest first.
pub fn slowest(timeline: &Timeline, count: usize) -> Vec<(&Track, &Span)> {
    let spans = timeline.tracks.iter().flat_map(|track| track.spans.iter().map(move |span| (track, span)));
    let mut slowest: Vec<_> = spans.filter(|(_, span)| kinds::is_work(span.kind)).collect();
    slowest.sort_by_key(|(_, span)| std::cmp::Reverse(length(span)));
    slowest.truncate(count);
    slowest
}

pub fn length(span: &Span) -> Duration {
    span.end.saturating_sub(span.start)
}

/// `connection 2`; the main thread has no number.
pub fn lane_name(track: &Track) -> String {
    if track.name == "main" { track.name.to_owned() } else { format!("{} {}", track.name, track.number) }
}

#[cfg(test)]
mod tests;
