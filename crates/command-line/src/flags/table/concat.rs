//! Concatenates the groups of a table when rusk is compiled, so that a reader of the table sees one
//! list.

/// The rows of all groups.
pub const fn count<Row>(groups: &[&[Row]]) -> usize {
    let mut count = 0;
    let mut group = 0;
    while group < groups.len() {
        count += groups[group].len();
        group += 1;
    }
    count
}

/// All rows in order. `COUNT`: as [`count`] returns it. `filler`: any row.
pub const fn concat<Row: Copy, const COUNT: usize>(groups: &[&[Row]], filler: Row) -> [Row; COUNT] {
    let mut rows = [filler; COUNT];
    let (mut at, mut group) = (0, 0);
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            rows[at] = groups[group][row];
            at += 1;
            row += 1;
        }
        group += 1;
    }
    rows
}
