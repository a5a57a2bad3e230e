//! Mount points of remote file systems, which may change without our kernel noticing. In: a path,
//! or the contents of /proc/self/mountinfo, see proc_pid_mountinfo(5). Out: whether directories
//! below a mount point may be cached.
//!
//! The first directories are queried one by one, because most programs have no more, and the kernel
//! takes longer to format the table than for fifty such queries.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::sys::{self, metadata};

use super::read_file::{self, ReadFile, WithStat};

/// A larger table is ignored, and then nothing is local.
const BYTES_MAX: usize = 4 << 20;

/// File systems whose directories only change through this kernel, and whose names are compared
/// byte by byte.
const LOCAL: &[&str] = &[
    "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "tmpfs", "ramfs", "rootfs", "overlay",
    "squashfs", "erofs", "reiserfs", "jfs",
];

/// Magic numbers of the common ones, see statfs(2). The others are found in the table.
const LOCAL_NUMBERS: [i64; 6] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x794c_7630];

/// After so many queries the table is read.
const QUERIES_MAX: usize = 32;

/// Mount points.
#[derive(Default)]
pub(crate) struct Mounts {
    queries: AtomicUsize,
    table: OnceLock<Table>,
}

/// Mount points, and whether the file system is local. A later mount on the same mount point hides
/// the earlier one.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Table(HashMap<Vec<u8>, bool>);

impl Mounts {
    /// With a table that was read already.
    pub(crate) fn with_table(table: Table) -> Mounts {
        Mounts { queries: AtomicUsize::default(), table: OnceLock::from(table) }
    }

    pub(crate) fn table(&self) -> &Table {
        self.table.get_or_init(Table::read)
    }

    /// `None` if nothing is mounted there: then the parent directory decides.
    pub(crate) fn find_local(&self, path: &[u8]) -> Option<bool> {
        if self.table.get().is_none()
            && self.queries.fetch_add(1, Ordering::Relaxed) < QUERIES_MAX
            && let Some(is_local) = query(path)
        {
            return is_local;
        }
        self.table().find_local(path)
    }
}

/// Queries the directory itself; an outer `None` means that the result is unknown.
fn query(path: &[u8]) -> Option<Option<bool>> {
    if !metadata::is_mount(path).ok()?? {
        return Some(None);
    }
    let number = metadata::file_system(path).ok()?.f_type;
    LOCAL_NUMBERS.contains(&number).then_some(Some(true))
}

impl Table {
    /// Without /proc nothing is local: names are then looked up one by one.
    pub(crate) fn read() -> Table {
        match read_file::read(sys::CWD, b"/proc/self/mountinfo", BYTES_MAX, WithStat::No) {
            ReadFile::Read { bytes, .. } => Table::parse(&bytes),
            _ => Table::default(),
        }
    }

    pub(crate) fn parse(text: &[u8]) -> Table {
        Table(text.split(|&byte| byte == b'\n').filter_map(parse_line).collect())
    }

    fn find_local(&self, path: &[u8]) -> Option<bool> {
        self.0.get(path).copied()
    }
}

fn parse_line(line: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut fields = line.split(|&byte| byte == b' ');
    let point = fields.nth(4)?;
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    Some((unescape(point), LOCAL.iter().any(|local| local.as_bytes() == kind)))
}

/// Blanks and backslashes are escaped as `\` and three octal digits.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let code =
            after.get(..3).filter(|digits| byte == b'\\' && digits.iter().all(|d| (b'0'..=b'7').contains(d)));
        match code {
            Some(digits) => {
                out.push(
                    digits.iter().fold(0_u8, |code, digit| code.wrapping_mul(8).wrapping_add(digit - b'0')),
                );
                rest = &after[3..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    out
}
