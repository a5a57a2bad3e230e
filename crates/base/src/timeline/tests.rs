//! Spans on lanes: threads, nesting, limits.

use std::thread;

use super::*;

fn labels(track: &Track) -> Vec<&str> {
    track.spans.iter().map(|span| span.label.as_str()).collect()
}

fn names(timeline: &Timeline) -> Vec<(&str, usize)> {
    timeline.tracks.iter().map(|track| (track.name, track.number)).collect()
}

fn recorder() -> Recorder {
    Recorder::new(Instant::now())
}

#[test]
fn without_a_recorder_labels_are_not_computed() {
    assert_eq!(span(SpanKind::Link, || panic!("a label without a reader"), || 7), 7);
    assert!(now().is_none());
    begin(SpanKind::Link).note(|| panic!("a note without a reader"));
}

#[test]
fn a_thread_records_while_it_has_a_lane() {
    let recorder = recorder();
    let entered = recorder.enter("main");
    phase("one", || ());
    drop(entered);
    phase("lost", || ());
    let timeline = recorder.finish();
    assert_eq!(names(&timeline), [("main", 1)]);
    assert_eq!(labels(&timeline.tracks[0]), ["one"]);
}

#[test]
fn the_outer_lane_returns_after_the_inner_one() {
    let (outer, inner) = (recorder(), recorder());
    let _outer = outer.enter("main");
    let entered = inner.enter("main");
    phase("inner", || ());
    drop(entered);
    phase("outer", || ());
    assert_eq!(labels(&inner.finish().tracks[0]), ["inner"]);
    assert_eq!(labels(&outer.finish().tracks[0]), ["outer"]);
}

#[test]
fn threads_have_own_lanes_that_later_threads_reuse() {
    let recorder = recorder();
    let _main = recorder.enter("main");
    let here = current();
    let work = |label: &'static str, barrier: &std::sync::Barrier| {
        let _lane = here.enter("link");
        barrier.wait();
        phase(label, || ());
    };
    let (two, one) = (std::sync::Barrier::new(2), std::sync::Barrier::new(1));
    thread::scope(|scope| {
        scope.spawn(|| work("a", &two));
        scope.spawn(|| work("b", &two));
    });
    thread::scope(|scope| scope.spawn(|| work("c", &one)).join().expect("it ends well"));
    let timeline = recorder.finish();
    assert_eq!(names(&timeline), [("main", 1), ("link", 1), ("link", 2)]);
    assert_eq!(timeline.tracks[1].spans.len() + timeline.tracks[2].spans.len(), 3);
}

#[test]
fn a_span_has_its_details() {
    let recorder = recorder();
    let lane = RecorderHandle(Some(recorder.clone())).lane("connection");
    let wanted = Instant::now();
    let mut open = lane.begin(SpanKind::Tarball).label(|| "left@1.0.0".to_owned()).queued_at(Some(wanted));
    open.response_started();
    open.bytes(812);
    open.files(3);
    open.note(|| "200".to_owned());
    open.end();
    let span = recorder.finish().tracks.remove(0).spans.remove(0);
    assert_eq!((span.kind, &*span.label, &*span.note), (SpanKind::Tarball, "left@1.0.0", "200"));
    assert_eq!((span.bytes, span.files), (812, 3));
    let (wanted, answered) =
        (span.queued_at.expect("it was set"), span.response_started.expect("it was set"));
    assert!(wanted <= span.start && span.start <= answered && answered <= span.end);
}

#[test]
fn a_span_within_another_lies_within_its_times() {
    let recorder = recorder();
    let _main = recorder.enter("main");
    phase("outer", || phase("inner", || ()));
    let spans = recorder.finish().tracks.remove(0).spans;
    let (inner, outer) = (&spans[0], &spans[1]);
    assert_eq!((&*inner.label, &*outer.label), ("inner", "outer"));
    assert!(outer.start <= inner.start && inner.end <= outer.end);
}

#[test]
fn spans_beyond_the_limit_are_counted() {
    let recorder = recorder();
    let _main = recorder.enter("main");
    (0..SPANS_MAX + 3).for_each(|_| begin(SpanKind::Link).end());
    let timeline = recorder.finish();
    assert_eq!((timeline.tracks[0].spans.len(), timeline.dropped), (SPANS_MAX, 3));
}

#[test]
fn long_labels_are_truncated_between_characters() {
    let recorder = recorder();
    let _main = recorder.enter("main");
    span(SpanKind::Phase, || "ü".repeat(LABEL_BYTES_MAX), || ());
    let label = recorder.finish().tracks[0].spans[0].label.clone();
    assert_eq!(label, format!("{}…", "ü".repeat(LABEL_BYTES_MAX / 2)));
}
