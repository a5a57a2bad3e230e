//! Samples to summaries, to JSON and back.

use super::*;
use crate::bench::spawn::targets;

const ROUNDS: [&str; 2] = [
    r#"{"call": [1000, 3000, 2000], "exec": [], "reaped": [9000, 9000, 9000], "wall": 30000, "parent_cpu": 6000}"#,
    r#"{"call": [5000, 5000, 5000], "reaped": [9000, 9000, 9000], "wall": 60000, "parent_cpu": 6000}"#,
];

fn row(scenario: &str, method: &str, exec: Exec) -> SpawnRow {
    let mut row = SpawnRow::new(scenario, method);
    for printed in ROUNDS {
        row.add(printed, exec).unwrap();
    }
    row
}

#[test]
fn samples_are_pooled_and_each_round_keeps_its_median() {
    let row = row("plain", "vfork", Exec::AtReturn);
    let call = row.find(Measure::Call).unwrap();
    assert_eq!((call.p50, call.p99, call.mean, call.samples), (5.0, 5.0, 3.5, 6.0));
    assert_eq!(call.rounds, [2.0, 5.0]);
    assert_eq!(row.find(Measure::Exec).unwrap().rounds, call.rounds);
    assert_eq!(row.find(Measure::ParentCpu).unwrap().rounds, [2.0, 2.0]);
    assert_eq!(row.find(Measure::PerSecond).unwrap().rounds, [100_000.0, 50_000.0]);
    assert!(row.find(Measure::ChildCpu).is_none() && row.find(Measure::TimerDelay).is_none());
}

#[test]
fn a_row_is_read_as_it_was_written() {
    let mut row = row("plain", "bun", Exec::Unknown);
    row.failure = Some("ended".to_owned());
    let text = row.json().render();
    let read = SpawnRow::read(&results_file::parse("test", &text).unwrap());
    assert_eq!(read.json().render(), text);
}

#[test]
fn a_missed_target_is_said() {
    let rows = [row("plain", "rusk", Exec::Watched), row("plain", "posix_spawn", Exec::AtReturn)];
    assert_eq!(targets::OF_LIBRARY[0].verdict(&rows), ("1.000".to_owned(), "FAIL"));
    assert_eq!(targets::OF_LIBRARY[1].verdict(&rows), ("–".to_owned(), "not measured"));
}
