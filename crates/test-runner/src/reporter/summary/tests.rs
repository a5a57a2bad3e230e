//! The list of slow files; specs hold the rest of the summary.

use std::time::Duration;

use super::push_slowest;
use crate::report::{FileReport, RunReport};
use crate::reporter::paint::Paint;

fn slowest(milliseconds: &[u64]) -> String {
    let files = milliseconds.iter().enumerate().map(|(index, &milliseconds)| FileReport {
        path: format!("{index}.test.js"),
        duration: Duration::from_millis(milliseconds),
        ..FileReport::default()
    });
    let report = RunReport { files: files.collect(), ..RunReport::default() };
    let mut text = String::new();
    push_slowest(&mut text, &report, Paint::default());
    text
}

#[test]
fn slow_files_are_listed_the_slowest_first() {
    assert_eq!(slowest(&[600, 20, 1500]), "\nslowest files:\n    1.50s 2.test.js\n 600.00ms 0.test.js\n");
}

#[test]
fn nothing_is_listed_without_slow_files_or_with_one_file() {
    assert_eq!(slowest(&[499, 20]), "");
    assert_eq!(slowest(&[600]), "");
}
