//! The text of a witness. In: how an install was asked, and each path with its mark. Out: a text, and back; whether all of
//! it still holds. Absent: which paths matter.
//!
//! The lines: the format; how it was asked before anything was read; how it was asked by what its configuration says; packages
//! installed; a line of mark and path each, parted by a tab; the end.

use std::ffi::CStr;
use std::os::fd::AsFd;
use std::path::Path;

use rusk_base::files;
use rusk_base::sys::many::Means;
use rusk_base::sys::{self, many};

use crate::state::{self, Device, FileClock};

/// The first line; another one is another format.
const HEAD: &str = "rusk still 4";
const END: &str = "end";
/// Before a mark that tells every change after it; others do so only if they were some time old when they were noted.
const SURE: char = '!';

/// A witness larger than this is not believed: a project of 100,000 packages has one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// What an update changes, or who removes what is installed.
const FIRST: [&CStr; 2] = [c"node_modules", c"package.json"];

/// A way to ask that no install asks in.
pub const UNASKED: &str = "-";

/// Which of the two ways of asking has to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// Before anything was read.
    Unread(&'a str),
    /// By flags, environment and configuration as they count.
    Configured(&'a str),
}

/// Writes a witness down.
pub struct Draft {
    text: String,
}

impl Draft {
    pub fn new(unread: &str, configured: &str, installed: usize) -> Draft {
        Draft { text: format!("{HEAD}\n{unread}\n{configured}\n{installed}\n") }
    }

    /// A mark as it was seen by such a clock. `None` for a name that cannot be written down.
    pub fn add(&mut self, mark: Option<Mark>, clock: FileClock, path: &str) -> Option<()> {
        if path.contains(['\n', '\0']) {
            return None;
        }
        self.text.extend(mark.filter(|mark| clock.is_fine_on(mark.device)).map(|_| SURE));
        write_mark(&mut self.text, mark);
        self.text.push('\t');
        self.text.push_str(path);
        self.text.push('\n');
        Some(())
    }

    pub fn finish(self) -> String {
        self.text + END
    }
}

/// The packages that are installed, when a witness was asked in this way and nothing that it names has changed. Its
/// paths are relative to `folder`, which is opened only once the rest is in order.
pub fn find(path: &Path, asked: Asked<'_>, folder: &Path) -> Option<usize> {
    let mut bytes = files::find_bytes(path, BYTES_MAX).ok()??;
    // With its end the kernel reads a path right where it stands.
    bytes.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
    let text = str::from_utf8(&bytes).ok()?.strip_suffix(END)?;
    let mut lines = text.split_inclusive('\0');
    let mut head = || lines.next()?.strip_suffix('\0');
    let (format, unread, configured) = (head()?, head()?, head()?);
    let installed = head()?.parse().ok()?;
    let is_same = match asked {
        Asked::Unread(text) => unread == text,
        Asked::Configured(text) => configured == text,
    };
    if format != HEAD || !is_same {
        return None;
    }
    let own = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
    let (mut marks, mut paths) = (Vec::new(), vec![own.as_c_str()]);
    for line in lines {
        let (mark, path) = line.split_once('\t')?;
        marks.push(mark);
        paths.push(CStr::from_bytes_with_nul(path.as_bytes()).ok()?);
    }
    let project = sys::open_folder(sys::CURRENT, folder).ok()?;
    // Mostly it is one of these that is gone or another one, where anything is; then the rest need not be looked at.
    let is_same = |(path, mark): (&&CStr, &&str)| {
        !FIRST.contains(path)
            || Mark::is_text(sys::lstatx(project.as_fd(), *path).ok().as_ref().map(Mark::of), bare(mark))
    };
    if !paths[1..].iter().zip(&marks).all(is_same) {
        return None;
    }
    let (mut told, mut written_ns, mut stands) = (0, None, true);
    many::lstatx_each(project.as_fd(), &paths, Means::FewestCalls, &mut |found| {
        let found = found.ok().map(Mark::of);
        match (told, written_ns) {
            (0, _) => written_ns = found.map(|own| own.modified_ns),
            (_, None) => {}
            (_, Some(written_ns)) => {
                let mark = marks[told - 1];
                let is_old = mark.starts_with(SURE)
                    || found.is_none_or(|found| found.changed_ns() + state::CLOCK_STEP_NS < written_ns);
                stands &= is_old && Mark::is_text(found, bare(mark));
            }
        }
        told += 1;
    });
    (stands && written_ns.is_some()).then_some(installed)
}

/// A mark without what stands before it.
fn bare(mark: &str) -> &str {
    mark.strip_prefix(SURE).unwrap_or(mark)
}

/// What tells a file or a folder from what was there before, under the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    inode: u64,
    bytes: u64,
    modified_ns: i128,
    /// When the inode itself changed, which no program sets at will.
    status_ns: i128,
    /// Not in the text: nothing takes its place on another one with the same times.
    device: Device,
}

impl Mark {
    pub fn of(found: &sys::Statx) -> Mark {
        Mark {
            inode: found.stx_ino,
            bytes: found.stx_size,
            modified_ns: state::nanoseconds(found.stx_mtime),
            status_ns: state::nanoseconds(found.stx_ctime),
            device: Device::of(found),
        }
    }

    /// Whether a text is what [`write_mark`] says of a mark, without making another one.
    fn is_text(mark: Option<Mark>, text: &str) -> bool {
        let Some(mark) = mark else { return text == ABSENT };
        let mut parts = text.split(' ');
        // Of 64 bits, which are quickly read: a time before 1970 is looked at closely.
        let mut is_next = |number: i128| {
            parts.next().and_then(|part| part.parse::<u64>().ok()).map(i128::from) == Some(number)
        };
        let is_same = is_next(mark.inode.into())
            && is_next(mark.bytes.into())
            && is_next(mark.modified_ns)
            && is_next(mark.status_ns);
        is_same && parts.next().is_none()
    }

    fn changed_ns(self) -> i128 {
        self.modified_ns.max(self.status_ns)
    }
}

/// Stands for the mark of a name that nothing has.
const ABSENT: &str = "-";

fn write_mark(out: &mut String, mark: Option<Mark>) {
    let Some(mark) = mark else { return out.push_str(ABSENT) };
    let numbers = [mark.inode.into(), mark.bytes.into(), mark.modified_ns, mark.status_ns];
    for (at, number) in numbers.into_iter().enumerate() {
        out.push_str(if at > 0 { " " } else { "" });
        state::push_number(out, number);
    }
}

#[cfg(test)]
mod tests;
