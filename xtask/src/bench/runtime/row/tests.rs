//! Ratios, and their targets.

use super::*;

fn row(tool: &str, samples: &[f64]) -> RuntimeRow {
    let [case, what, tool] = ["empty.js", WALL, tool].map(str::to_owned);
    RuntimeRow { case, what, tool, samples: samples.to_vec(), failure: None, is_at_least: false }
}

#[test]
fn a_ratio_is_the_median_of_rounds() {
    let target = &TARGETS[0];
    let rows = [row("rusk", &[1.0, 2.0, 9.0]), row("node", &[10.0, 10.0, 10.0])];
    assert_eq!(target.verdict(&rows), ("0.20".to_owned(), "pass"));
    let rows = [row("rusk", &[3.0, 3.0, 1.0]), row("node", &[10.0, 10.0, 10.0])];
    assert_eq!(target.verdict(&rows), ("0.30".to_owned(), "FAIL"));
    assert_eq!(target.verdict(&rows[..1]).1, "not measured");
}

#[test]
fn what_is_left_at_least_is_a_ratio_to_the_same() {
    let target = &TARGETS[0];
    let rows = [row("rusk", &[3.0]), row("node", &[10.0; 3]), row(LEAST, &[1.0, 2.0, 9.0])];
    assert_eq!(target.lower_bound(&rows).as_deref(), Some("0.20"));
    assert_eq!(target.lower_bound(&rows[..2]), None);
}

#[test]
fn a_tool_that_was_ended_bounds_the_ratio() {
    let target = &TARGETS[0];
    let node = RuntimeRow { is_at_least: true, ..row("node", &[100.0]) };
    let text = node.json().render();
    assert!(text.contains("at_least"), "{text}");
    let rows = [row("rusk", &[1.0, 2.0, 9.0]), node];
    assert_eq!(target.verdict(&rows), ("< 0.02".to_owned(), "pass"));
}

#[test]
fn every_target_is_about_a_case() {
    let cases = super::super::case::CASES;
    for target in TARGETS {
        assert!(cases.iter().any(|case| case.name == target.case), "{}", target.description);
    }
}

#[test]
fn a_row_is_the_same_after_reading() {
    let text = row("rusk", &[1.5, 2.0]).json().render();
    let node = rusk_npm::json::parse(&text, rusk_npm::json::Dialect::Strict).unwrap();
    assert_eq!(RuntimeRow::read(&node).json().render(), text);
}
