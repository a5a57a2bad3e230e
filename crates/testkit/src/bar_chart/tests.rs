//! Bars: their lengths and labels.

use super::*;

fn bar(label: &str, ms: Option<f64>) -> Bar {
    Bar { label: label.to_owned(), ms, absent: "failed", is_own: label == "rusk" }
}

/// The widths of all bars, in order.
fn widths(bars: Vec<Bar>) -> Vec<f64> {
    let svg = draw("a title", &[Panel { title: "a & b".to_owned(), bars }], Theme::Light);
    let rects = svg.lines().filter(|line| line.starts_with("<rect"));
    let width = |line: &str| line.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
    rects.filter_map(width).collect()
}

#[test]
fn lengths_are_to_scale() {
    let found = widths(vec![bar("rusk", Some(100.0)), bar("bun", Some(200.0))]);
    assert!(found.len() == 2 && (found[1] / found[0] - 2.0).abs() < 0.01, "{found:?}");
}

#[test]
fn a_bar_that_is_too_long_is_cut_and_has_a_gap() {
    let found = widths(vec![bar("rusk", Some(1.0)), bar("bun", Some(5.0)), bar("npm", Some(5000.0))]);
    let [rusk, bun, npm, end] = found[..] else { panic!("{found:?}") };
    assert!(npm + end < bun && npm > rusk, "{found:?}");
}

#[test]
fn what_failed_has_no_bar() {
    assert_eq!(widths(vec![bar("rusk", Some(1.0)), bar("npm", None)]).len(), 1);
    assert_eq!(widths(vec![bar("npm", None)]).len(), 0);
}

#[test]
fn both_themes_are_drawn_and_text_is_escaped() {
    let draw = |theme| draw("a < b", &[Panel { title: "a & b".to_owned(), bars: Vec::new() }], theme);
    let (light, dark) = (draw(Theme::Light), draw(Theme::Dark));
    assert!(light.contains("a &lt; b") && light.contains(">a &amp; b<"), "{light}");
    assert_ne!(light, dark);
}

#[test]
fn durations_have_three_digits_at_most() {
    for (ms, expected) in [
        (0.000_004, "4 ns"),
        (0.0015, "1.5 µs"),
        (0.084, "84 µs"),
        (1.84, "1.8 ms"),
        (9.96, "10 ms"),
        (87.4, "87 ms"),
        (999.6, "1.00 s"),
        (1234.0, "1.23 s"),
        (12_345.0, "12.3 s"),
    ] {
        assert_eq!(duration(ms), expected);
    }
}
