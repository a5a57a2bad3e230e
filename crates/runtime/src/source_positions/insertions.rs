//! Text that was added to a file before it was transpiled: counters of coverage. In: where, within
//! lines. Out: positions in the file as it is on disk. Absent: added lines; there are none.

use std::cell::RefCell;
use std::collections::HashMap;

use rusk_transpile::SourcePosition;

use super::stack_trace_name;

/// Column in the file, in UTF-16 code units, and code units that were added there.
type Insertion = (u32, u32);

thread_local! {
    /// By file, then by line from 0; in the order of the columns.
    static INSERTIONS: RefCell<HashMap<String, HashMap<u32, Vec<Insertion>>>> = RefCell::default();
}

/// Notes what was added to a file: byte offset in its text, and bytes of ASCII.
pub fn add_insertions(path: &str, source: &str, insertions: &[(u32, u32)]) {
    let mut lines: HashMap<u32, Vec<Insertion>> = HashMap::new();
    let (mut line, mut line_start) = (0, 0);
    let mut newlines = memchr::memchr_iter(b'\n', source.as_bytes()).peekable();
    for (offset, length) in insertions {
        while let Some(newline) = newlines.next_if(|newline| (*newline as u32) < *offset) {
            (line, line_start) = (line + 1, newline + 1);
        }
        let column = source[line_start..*offset as usize].encode_utf16().count() as u32;
        lines.entry(line).or_default().push((column, *length));
    }
    let name = if path.starts_with('/') {
        [path.to_owned(), format!("file://{path}")]
    } else {
        [path.to_owned(), path.to_owned()]
    };
    INSERTIONS.with_borrow_mut(|files| {
        for name in name {
            files.insert(stack_trace_name(&name).to_owned(), lines.clone());
        }
    });
}

/// The position in the file; of added text, where it was added.
pub(super) fn original(file: &str, position: SourcePosition) -> SourcePosition {
    find(file, position).unwrap_or(position)
}

/// The same; `None`: nothing was added to the file.
pub(super) fn find(file: &str, position: SourcePosition) -> Option<SourcePosition> {
    INSERTIONS.with_borrow(|files| {
        let lines = files.get(file)?;
        Some(lines.get(&position.line).map_or(position, |insertions| without(insertions, position)))
    })
}

fn without(insertions: &[Insertion], position: SourcePosition) -> SourcePosition {
    let mut added = 0;
    for (column, length) in insertions {
        let start = column + added;
        if position.column < start {
            break;
        }
        if position.column < start + length {
            return SourcePosition { column: *column, ..position };
        }
        added += length;
    }
    SourcePosition { column: position.column - added, ..position }
}
