//! What a timeline comes to: its phases, a sum for each kind of work, what took longest.

use std::time::Duration;

use rusk_base::timeline::{Span, SpanKind, Timeline, Track};

use super::kinds;

/// A kind of work, all its spans together.
#[derive(Debug, PartialEq, Eq)]
pub struct Sum<'a> {
    pub kind: SpanKind,
    pub count: usize,
    /// All times added up; several threads make it more than has passed.
    pub added: Duration,
    /// How long at least one was under way.
    pub passed: Duration,
    pub bytes: u64,
    pub files: u64,
    pub longest: &'a Span,
}

/// A sum for each kind that was seen, in the order of [`SpanKind::ALL`].
pub fn by_kind(timeline: &Timeline) -> Vec<Sum<'_>> {
    SpanKind::ALL
        .into_iter()
        .filter(|kind| *kind != SpanKind::Phase)
        .filter_map(|kind| sum(timeline, kind))
        .collect()
}

fn sum(timeline: &Timeline, kind: SpanKind) -> Option<Sum<'_>> {
    let mut spans: Vec<&Span> =
        timeline.tracks.iter().flat_map(|track| &track.spans).filter(|span| span.kind == kind).collect();
    spans.sort_by_key(|span| span.start);
    let mut passed = Duration::ZERO;
    let mut until = Duration::ZERO;
    for span in &spans {
        passed += span.end.saturating_sub(span.start.max(until));
        until = until.max(span.end);
    }
    Some(Sum {
        kind,
        count: spans.len(),
        added: spans.iter().map(|span| length(span)).sum(),
        passed,
        bytes: spans.iter().map(|span| span.bytes).sum(),
        files: spans.iter().map(|span| span.files).sum(),
        longest: spans.iter().max_by_key(|span| length(span))?,
    })
}

/// The phases of the main thread that lie in no other, in their order.
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

/// The longest pieces of work, the longest first.
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

/// `connection 2`; the main thread is alone.
pub fn lane_name(track: &Track) -> String {
    if track.name == "main" { track.name.to_owned() } else { format!("{} {}", track.name, track.number) }
}

#[cfg(test)]
mod tests;
