//! Which folders are roots of file systems that others may change without our kernel's knowing. In: the text of
//! /proc/self/mountinfo, see proc_pid_mountinfo(5). Out: for a path that something is mounted on, whether folders there
//! may be remembered. Absent: asking each folder with `statfs`, which costs a call every time.

use std::collections::HashMap;

use rusk_base::sys;

use super::whole::{self, Whole, WithStat};

/// More mounts than fit here, and none is believed.
const BYTES_MAX: usize = 4 << 20;

/// File systems whose folders change through this kernel alone, and whose names are compared byte by byte.
const LOCAL: &[&str] = &[
    "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "tmpfs", "ramfs", "rootfs", "overlay",
    "squashfs", "erofs", "reiserfs", "jfs",
];

/// Mount points, and whether what is mounted there is local. A later mount on the same point hides the earlier.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Mounts(HashMap<Vec<u8>, bool>);

impl Mounts {
    /// Where there is no /proc, nothing is local: folders are then asked name by name.
    pub(crate) fn read() -> Mounts {
        match whole::read(sys::CURRENT, b"/proc/self/mountinfo", BYTES_MAX, WithStat::No) {
            Whole::Read { bytes, .. } => Mounts::parse(&bytes),
            _ => Mounts::default(),
        }
    }

    pub(crate) fn parse(text: &[u8]) -> Mounts {
        Mounts(text.split(|&byte| byte == b'\n').filter_map(parse_line).collect())
    }

    /// `None` where nothing is mounted: then the folder above says.
    pub(crate) fn find_local(&self, path: &[u8]) -> Option<bool> {
        self.0.get(path).copied()
    }
}

fn parse_line(line: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut words = line.split(|&byte| byte == b' ');
    let point = words.nth(4)?;
    let kind = words.skip_while(|word| *word != b"-").nth(1)?;
    Some((unescape(point), LOCAL.iter().any(|local| local.as_bytes() == kind)))
}

/// Blanks and backslashes stand as `\` and three octal digits.
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
