//! The help fits the terminal. Its words are compared in tests/command_line.rs.

use super::*;
use crate::screen::width::columns;

#[test]
fn no_line_is_wider_than_80_columns() {
    let texts = COMMANDS.iter().map(|row| text(Some(row.command))).chain([text(None)]);
    for line in texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()) {
        assert!(columns(&line) <= COLUMNS, "{line}");
    }
}

#[test]
fn flags_stand_beside_their_texts() {
    for row in FLAGS {
        let left = columns(&row.spelled()) + "  -x, ".len();
        assert!(left < FLAG_COLUMN, "{} needs a column of {}", row.long, left + 1);
    }
}
