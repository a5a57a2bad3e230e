//! Long source lines; specs hold the rest.

use super::*;

#[test]
fn a_long_line_is_cut_around_the_column() {
    assert_eq!(cut("short", 2), ("short".to_owned(), 2));
    assert_eq!(cut("short", 9), ("short".to_owned(), 5));
    let line: String = ('a'..='j').map(|letter| letter.to_string().repeat(50)).collect();
    for column in [0, 99, 100, 250, 330, 499] {
        let (shown, at) = cut(&line, column);
        assert!(shown.chars().count() <= LINE_CHARACTERS_MAX + 2, "{shown}");
        assert_eq!(shown.chars().nth(at), line.chars().nth(column), "{column}: {shown}");
    }
    assert_eq!(
        cut(&line, 0).0,
        format!("{}{}{}{}…", "a".repeat(50), "b".repeat(50), "c".repeat(50), "d".repeat(10))
    );
    let end = cut(&line, 499).0;
    assert!(end.starts_with('…') && end.ends_with('j'), "{end}");
}
