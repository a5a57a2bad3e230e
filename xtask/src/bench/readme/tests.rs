//! README.md says what was measured.

use super::*;

#[test]
fn the_readme_shows_the_stored_results() {
    let readme = place::find(&place::root().join("README.md")).unwrap();
    let drawn = with_tables(&readme, &tables().unwrap()).unwrap();
    assert!(drawn == readme, "run `cargo xtask bench readme`");
}

#[test]
fn thousands_are_grouped() {
    for (digits, expected) in [("1", "1"), ("123", "123"), ("1234", "1,234"), ("1234567.25", "1,234,567.25")]
    {
        assert_eq!(grouped(digits), expected);
    }
}
