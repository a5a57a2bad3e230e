//! Single-file executables: a copy of this program with a program's files behind it. `write` makes
//! one. [`location`] says, without a system call, whether this program is one; then [`open`] maps
//! the files, and [`files`] finds them for all threads. Absent: bundling; running the program.

mod files;
mod payload;
mod problem;
mod write;

use std::hint::black_box;
use std::ops::Range;

pub use files::{EmbeddedFiles, files, open};
pub use payload::{EntryKind, Payload};
pub use write::write;

/// The directory that embedded files seem to be in. Bun's name, which bundles have in their text.
pub const ROOT: &str = "/$bunfs/root/";

/// What every embedded path begins with.
pub const PREFIX: &str = "/$bunfs/";

/// Bytes of the mark before the numbers.
const MARK_BYTES: usize = 16;

/// A mark, then where the payload begins, and its length: zero in the program as it is built. A
/// copy has its own numbers here, so a start needs no look at the program's file.
static SLOT: [u8; MARK_BYTES + 16] = *b"\x7frusk payload>\x02\x1d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// The mark, as the file has it once: no other copy of it is in the program.
fn mark() -> &'static [u8] {
    &black_box(&SLOT)[..MARK_BYTES]
}

/// Where the payload is in this program's file; `None`: it has none.
pub fn location() -> Option<Range<u64>> {
    let slot = black_box(&SLOT);
    let number = |at: usize| slot[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
    let (start, length) = (number(MARK_BYTES), number(MARK_BYTES + 8));
    (length > 0).then(|| start..start.saturating_add(length))
}
