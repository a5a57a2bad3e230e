//! Ratios, targets, and JSON of rows.

use super::*;
use rusk_npm::json::{self, Dialect};

fn rows(times: [(Tracer, [f64; 3]); 4]) -> Vec<TraceRow> {
    times.map(|(tracer, wall_ms)| TraceRow { tracer, wall_ms: wall_ms.into(), inside_ms: Vec::new() }).into()
}

fn measured() -> Vec<TraceRow> {
    rows([
        (Tracer::Alone, [50.0, 40.0, 60.0]),
        (Tracer::Strace, [90.0, 80.0, 100.0]),
        (Tracer::Ptrace, [70.0, 59.0, 81.0]),
        (Tracer::Bpf, [55.0, 44.0, 66.0]),
    ])
}

#[test]
fn what_is_added_is_taken_round_by_round() {
    assert_eq!(added_ms(&measured(), Tracer::Strace), Some(40.0));
    assert_eq!(added_ms(&measured(), Tracer::Ptrace), Some(20.0));
    assert_eq!(ratio(&measured(), Tracer::Bpf), Some(1.1));
}

#[test]
fn targets_are_met_or_missed() {
    let found = targets(&measured()).map(|target| (target.found, target.verdict()));
    assert_eq!(found, [(Some(0.5), "pass"), (Some(1.1), "FAIL")]);
    let found = targets(&[]).map(|target| (target.found, target.verdict()));
    assert_eq!(found, [(None, "not measured"); 2]);
}

#[test]
fn a_row_is_read_as_it_was_written() {
    let mut row = TraceRow::new(Tracer::Bpf);
    row.add(TraceSample { wall_ms: 12.345_678, inside_ms: Some(10.0) });
    let text = row.json().render();
    let read = TraceRow::read(&json::parse(&text, Dialect::Strict).unwrap()).unwrap();
    assert_eq!((read.tracer, read.wall_ms, read.inside_ms), (Tracer::Bpf, vec![12.346], vec![10.0]));
}
