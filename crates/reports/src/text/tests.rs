//! The lines about packages that a dry run would move.

use super::*;

#[test]
fn locations_are_named_up_to_a_limit() {
    let change = |path: String, after: Option<&str>| LocationChange { path, after: after.map(str::to_owned) };
    let mut locations = vec![
        change("node_modules/left".to_owned(), Some("1.3.0")),
        change("node_modules/bad\x1b[2J".to_owned(), None),
    ];
    let lines = |locations: &[LocationChange]| {
        location_lines(&Summary { locations: locations.to_vec(), ..Summary::default() })
    };
    assert_eq!(lines(&locations), ["~ node_modules/left 1.3.0", "- node_modules/bad\\u{1b}[2J"]);
    locations.extend((0..30).map(|number| change(format!("node_modules/{number}"), None)));
    assert_eq!(lines(&locations).len(), 21);
    assert_eq!(lines(&locations)[20], "and 12 more");
}
