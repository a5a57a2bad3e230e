//! Sums of spans that nest and overlap.

use super::*;

fn span(kind: SpanKind, label: &str, from_ms: u64, to_ms: u64) -> Span {
    Span {
        kind,
        label: label.to_owned(),
        note: String::new(),
        start: Duration::from_millis(from_ms),
        end: Duration::from_millis(to_ms),
        queued_at: None,
        response_started: None,
        bytes: 10,
        files: 1,
    }
}

fn timeline() -> Timeline {
    let main = vec![
        span(SpanKind::Wait, "the network", 12, 90),
        span(SpanKind::Phase, "inner", 10, 20),
        span(SpanKind::Phase, "inner too", 30, 40),
        span(SpanKind::Phase, "resolve", 0, 50),
        span(SpanKind::Phase, "link", 50, 100),
    ];
    let one = vec![span(SpanKind::Inflate, "a", 0, 10), span(SpanKind::Inflate, "b", 20, 30)];
    let two = vec![span(SpanKind::Inflate, "within", 6, 8), span(SpanKind::Inflate, "c", 5, 25)];
    let tracks = [("main", 1, main), ("unpack", 1, one), ("unpack", 2, two)];
    Timeline {
        tracks: tracks.into_iter().map(|(name, number, spans)| Track { name, number, spans }).collect(),
        total: Duration::from_millis(100),
        dropped: 0,
    }
}

#[test]
fn times_that_overlap_pass_once() {
    let timeline = timeline();
    let sums = by_kind(&timeline);
    let kinds: Vec<SpanKind> = sums.iter().map(|sum| sum.kind).collect();
    assert_eq!(kinds, [SpanKind::Wait, SpanKind::Inflate]);
    let inflate = &sums[1];
    assert_eq!((inflate.count, inflate.bytes, inflate.files), (4, 40, 4));
    assert_eq!((inflate.added, inflate.passed), (Duration::from_millis(42), Duration::from_millis(30)));
    assert_eq!(inflate.longest.label, "c");
}

#[test]
fn phases_within_phases_are_not_counted_twice() {
    let timeline = timeline();
    let labels: Vec<&str> = phases(&timeline).iter().map(|span| span.label.as_str()).collect();
    assert_eq!(labels, ["resolve", "link"]);
}

#[test]
fn what_took_longest_is_work() {
    let timeline = timeline();
    let slowest: Vec<_> =
        slowest(&timeline, 2).iter().map(|(track, span)| (lane_name(track), span.label.as_str())).collect();
    assert_eq!(slowest, [("unpack 2".to_owned(), "c"), ("unpack 1".to_owned(), "a")]);
}
