//! A witness: a file beside the record of what is installed. In: how an install was asked, and each
//! path with its mark. Out: a text, and back; whether all of it still holds. Absent: which paths
//! matter.
//!
//! The lines: the format; how it was asked before anything was read; how it was asked by what its
//! configuration says; packages installed; a line of mark and path each, parted by a tab; the end.
//! It lies where anybody's files may, so it says nothing without a mark of node_modules: no
//! repository can bring the inode and the time that its folder will have.

use std::cell::OnceCell;
use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::many::Means;
use rusk_base::sys::{self, OwnedFd, many};

use crate::state::{self, Device, FileClock, Found};

/// Its name, beside the record's.
const NAME: &str = "still";

/// The first line; another one is another format.
const HEAD: &str = "rusk still 5";
const END: &str = "end";
/// Before a mark that tells every change after it; others do so only if they were some time old
/// when they were noted.
const SURE: char = '!';
/// Before the mark of a file that says nothing but how the project is to be installed.
const CONFIGURES: char = '?';

/// A witness larger than this is not believed: a project of 100,000 packages has one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// What an update changes, or who removes what is installed.
const FIRST: [&CStr; 2] = [NODE_MODULES, c"package.json"];
const NODE_MODULES: &CStr = c"node_modules";

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

/// What of a project is as a witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stands {
    /// Not all, or nobody can tell.
    No,
    /// All but what configures it.
    Project,
    All,
}

/// What an install does with a file that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is installed, or says what is to be.
    Project,
    /// It says how alone, and counts once it is old: its text is not read again.
    Configuration,
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
    pub fn add(&mut self, mark: Option<Mark>, clock: FileClock, part: Part, path: &str) -> Option<()> {
        if path.contains(['\n', '\0']) {
            return None;
        }
        let is_sure = mark.is_some_and(|mark| clock.is_fine_on(mark.device));
        match part {
            Part::Configuration => self.text.push(CONFIGURES),
            Part::Project if is_sure => self.text.push(SURE),
            Part::Project => {}
        }
        write_mark(&mut self.text, mark);
        self.text.push('\t');
        self.text.push_str(path);
        self.text.push('\n');
        Some(())
    }

    /// Puts it where the next install finds it. What stands there says nothing of what changed, so
    /// it may stay: in a project that may not be written to, and on a disk that is full.
    pub fn write(self, project: BorrowedFd<'_>) {
        let _ = state::write_beside(project, NAME, &(self.text + END));
    }
}

/// Takes the witness of a project away.
pub fn remove(project: BorrowedFd<'_>) {
    state::remove_beside(project, NAME);
}

/// One that was read, and the folder that it speaks of.
pub struct Witness {
    /// Lines that end in a zero.
    text: String,
    written_ns: i128,
    project: OwnedFd,
    stands: OnceCell<Stands>,
}

impl Witness {
    /// The witness of the project in a folder.
    pub fn find(folder: &Path) -> Option<Witness> {
        let project = sys::open_folder(sys::CURRENT, folder).ok()?;
        let found = state::find_beside(project.as_fd(), NAME, BYTES_MAX)?;
        let mut bytes = found.text.into_bytes();
        // With its end the kernel reads a path right where it stands.
        bytes.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
        let text = String::from_utf8(bytes).ok()?;
        Some(Witness { text, written_ns: found.written_ns, project, stands: OnceCell::new() })
    }

    /// The packages that are installed, when it was asked in this way and nothing that counts then
    /// has changed.
    pub fn installed(&self, asked: Asked<'_>) -> Option<usize> {
        let mut head = self.text.splitn(5, '\0');
        let (format, unread, configured) = (head.next()?, head.next()?, head.next()?);
        let (installed, lines) = (head.next()?.parse().ok()?, head.next()?.strip_suffix(END)?);
        let (is_same, needed) = match asked {
            Asked::Unread(text) => (unread == text, Stands::All),
            // What the configuration's files say was read for this, and is part of the text.
            Asked::Configured(text) => (configured == text, Stands::Project),
        };
        let stands = || *self.stands.get_or_init(|| self.look(lines).unwrap_or(Stands::No));
        (format == HEAD && is_same && stands() >= needed).then_some(installed)
    }

    /// Whether it holds, however it was asked.
    pub fn stands(&self) -> bool {
        let configured = self.text.split('\0').nth(2).unwrap_or_default();
        self.installed(Asked::Configured(configured)).is_some()
    }

    fn look(&self, lines: &str) -> Option<Stands> {
        let (mut marks, mut paths) = (Vec::new(), Vec::new());
        for line in lines.split_inclusive('\0') {
            let (mark, path) = line.split_once('\t')?;
            marks.push(mark);
            paths.push(CStr::from_bytes_with_nul(path.as_bytes()).ok()?);
        }
        let has_anchor =
            paths.iter().zip(&marks).any(|(path, mark)| *path == NODE_MODULES && *mark != ABSENT);
        // Mostly it is one of these that is gone or another one, where anything is; then the rest
        // need not be looked at.
        let is_same = |(path, mark): (&&CStr, &&str)| {
            !FIRST.contains(path)
                || Mark::is_text(
                    sys::lstatx(self.project.as_fd(), *path).ok().as_ref().map(Mark::of),
                    bare(mark),
                )
        };
        if !has_anchor || !paths.iter().zip(&marks).all(is_same) {
            return None;
        }
        let (mut expected, mut stands) = (marks.iter(), Stands::All);
        many::lstatx_each(self.project.as_fd(), &paths, Means::FewestCalls, &mut |found| {
            let found = found.ok().map(Mark::of);
            let mark = expected.next().copied().unwrap_or_default();
            let is_old =
                || found.is_none_or(|found| found.changed_ns() + state::CLOCK_STEP_NS < self.written_ns);
            if !Mark::is_text(found, bare(mark)) || !(mark.starts_with(SURE) || is_old()) {
                stands = stands.min(if mark.starts_with(CONFIGURES) { Stands::Project } else { Stands::No });
            }
        });
        Some(stands)
    }
}

/// A mark without what stands before it.
fn bare(mark: &str) -> &str {
    mark.strip_prefix([SURE, CONFIGURES]).unwrap_or(mark)
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

    /// Of what was seen before.
    pub fn seen(found: &Found) -> Mark {
        let Found { inode, bytes, modified_ns, status_ns, device, .. } = *found;
        Mark { inode, bytes, modified_ns, status_ns, device }
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
