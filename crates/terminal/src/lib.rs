//! Text for terminals: colors and character sets, widths, tables, trees, selection lists. In:
//! values, the environment, the keys pressed. Out: strings. Absent: I/O, and any state of the
//! terminal.

pub mod picker;
pub mod style;
pub mod table;
pub mod tree;
pub mod width;

/// Columns of pages and tables, whatever the terminal has: they can be compared and pasted.
pub const COLUMNS: usize = 80;
