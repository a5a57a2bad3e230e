//! Overhead of a tool, the ratio of two tools, JSON of rows.

use super::*;
use crate::bench::results_file;

fn row(tool: &str, began_ms: &[u64]) -> RunRow {
    let sample = |&ms: &u64| RunSample { began: Duration::from_millis(ms), ..RunSample::default() };
    RunRow { samples: began_ms.iter().map(sample).collect(), ..RunRow::new(ScriptCase::Words, tool) }
}

#[test]
fn the_direct_start_is_taken_off_round_by_round() {
    let rows = [row(DIRECT, &[1, 2, 1]), row("rusk", &[2, 4, 2]), row("bun", &[11, 6, 3])];
    assert_eq!(rows[1].added_ms(&rows), Some(vec![1.0, 2.0, 1.0]));
    assert_eq!(ratio(&rows, ScriptCase::Words, "bun"), Some(0.5));
    assert_eq!(verdict(&rows, ScriptCase::Words, ("bun", 0.5)), ("0.500".to_owned(), "pass"));
    assert_eq!(verdict(&rows, ScriptCase::Words, ("bun", 0.4)).1, "FAIL");
    assert_eq!(verdict(&rows, ScriptCase::Shell, ("bun", 0.5)).1, "not measured");
}

#[test]
fn a_tool_that_missed_rounds_has_no_number() {
    let rows = [row(DIRECT, &[1, 2]), row("rusk", &[2])];
    assert_eq!(rows[1].added_ms(&rows), None);
}

#[test]
fn a_row_is_read_as_it_was_written() {
    let rows = [row(DIRECT, &[1, 2]), row("rusk", &[2, 4])];
    let text = rows[1].json(&rows).render();
    let read = RunRow::read(&results_file::parse("test", &text).unwrap()).unwrap();
    assert_eq!(read.json(&rows).render(), text);
}
