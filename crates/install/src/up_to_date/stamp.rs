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

use rusk_base::sys::statx_batch::StatxStrategy;
use rusk_base::sys::{self, OwnedFd, statx_batch};

use crate::state::{self, Device, FileClock, FileStat};

/// Its name, beside the record's.
const NAME: &str = "still";

/// The first line; another one is another format.
const HEAD: &str = "rusk still 5";
const END: &str = "end";
/// Before a mark that tells every change after it; others do so only if they were some time old
/// when they were noted.
const EXACT: char = '!';
/// Before the mark of a file that says nothing but how the project is to be installed.
const CONFIGURATION: char = '?';

/// A witness larger than this is not believed: a project of 100,000 packages has one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// What an update changes, or who removes what is installed.
const CHECKED_FIRST: [&CStr; 2] = [NODE_MODULES, c"package.json"];
const NODE_MODULES: &CStr = c"node_modules";

/// A way to ask that no install asks in.
pub const NO_DIGEST: &str = "-";

/// Which of the two ways of asking has to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestDigest<'a> {
    /// Before anything was read.
    BeforeConfiguration(&'a str),
    /// By flags, environment and configuration as they count.
    AfterConfiguration(&'a str),
}

/// What of a project is as a witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Validity {
    /// Not all, or nobody can tell.
    Stale,
    /// Everything but what configures it.
    Project,
    Everything,
}

/// What an install does with a file that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// It is installed, or says what is to be.
    Project,
    /// It says how alone, and counts once it is old: its text is not read again.
    Configuration,
}

/// Writes a witness down.
pub struct StampWriter {
    text: String,
}

impl StampWriter {
    pub fn new(raw_digest: &str, configured_digest: &str, installed: usize) -> StampWriter {
        StampWriter { text: format!("{HEAD}\n{raw_digest}\n{configured_digest}\n{installed}\n") }
    }

    /// A mark as it was seen by such a clock. `None` for a name that cannot be written down.
    pub fn add(
        &mut self,
        fingerprint: Option<FileFingerprint>,
        clock: FileClock,
        role: FileRole,
        path: &str,
    ) -> Option<()> {
        if path.contains(['\n', '\0']) {
            return None;
        }
        let is_exact = fingerprint.is_some_and(|fingerprint| clock.is_fine_on(fingerprint.device));
        match role {
            FileRole::Configuration => self.text.push(CONFIGURATION),
            FileRole::Project if is_exact => self.text.push(EXACT),
            FileRole::Project => {}
        }
        write_fingerprint(&mut self.text, fingerprint);
        self.text.push('\t');
        self.text.push_str(path);
        self.text.push('\n');
        Some(())
    }

    /// Puts it where the next install finds it. What stands there says nothing of what changed, so
    /// it may stay: in a project that may not be written to, and on a disk that is full.
    pub fn write(self, project: BorrowedFd<'_>) {
        let _ = state::write_file(project, NAME, &(self.text + END));
    }
}

/// Takes the witness of a project away.
pub fn remove(project: BorrowedFd<'_>) {
    state::remove_file(project, NAME);
}

/// One that was read, and the folder that it speaks of.
pub struct InstallStamp {
    /// Lines that end in a zero.
    text: String,
    written_ns: i128,
    project: OwnedFd,
    validity: OnceCell<Validity>,
}

impl InstallStamp {
    /// The witness of the project in a folder.
    pub fn find(dir: &Path) -> Option<InstallStamp> {
        let project = sys::open_directory(sys::CWD, dir).ok()?;
        let found = state::read_file(project.as_fd(), NAME, BYTES_MAX)?;
        let mut bytes = found.text.into_bytes();
        // With its end the kernel reads a path right where it stands.
        bytes.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
        let text = String::from_utf8(bytes).ok()?;
        Some(InstallStamp { text, written_ns: found.written_ns, project, validity: OnceCell::new() })
    }

    /// The packages that are installed, when it was asked in this way and nothing that counts then
    /// has changed.
    pub fn installed(&self, digest: RequestDigest<'_>) -> Option<usize> {
        let mut head = self.text.splitn(5, '\0');
        let (format, raw_digest, configured_digest) = (head.next()?, head.next()?, head.next()?);
        let (installed, lines) = (head.next()?.parse().ok()?, head.next()?.strip_suffix(END)?);
        let (is_same, needed) = match digest {
            RequestDigest::BeforeConfiguration(text) => (raw_digest == text, Validity::Everything),
            // What the configuration's files say was read for this, and is part of the text.
            RequestDigest::AfterConfiguration(text) => (configured_digest == text, Validity::Project),
        };
        let validity = || *self.validity.get_or_init(|| self.check_files(lines).unwrap_or(Validity::Stale));
        (format == HEAD && is_same && validity() >= needed).then_some(installed)
    }

    /// Whether it holds, however it was asked.
    pub fn is_valid(&self) -> bool {
        let configured_digest = self.text.split('\0').nth(2).unwrap_or_default();
        self.installed(RequestDigest::AfterConfiguration(configured_digest)).is_some()
    }

    fn check_files(&self, lines: &str) -> Option<Validity> {
        let (mut fingerprints, mut paths) = (Vec::new(), Vec::new());
        for line in lines.split_inclusive('\0') {
            let (fingerprint, path) = line.split_once('\t')?;
            fingerprints.push(fingerprint);
            paths.push(CStr::from_bytes_with_nul(path.as_bytes()).ok()?);
        }
        let has_anchor = paths
            .iter()
            .zip(&fingerprints)
            .any(|(path, fingerprint)| *path == NODE_MODULES && *fingerprint != ABSENT);
        // Mostly it is one of these that is gone or another one, where anything is; then the rest
        // need not be looked at.
        let is_same = |(path, fingerprint): (&&CStr, &&str)| {
            !CHECKED_FIRST.contains(path)
                || FileFingerprint::is_rendered_as(
                    sys::lstatx(self.project.as_fd(), *path).ok().as_ref().map(FileFingerprint::of),
                    without_marker(fingerprint),
                )
        };
        if !has_anchor || !paths.iter().zip(&fingerprints).all(is_same) {
            return None;
        }
        let (mut expected, mut validity) = (fingerprints.iter(), Validity::Everything);
        statx_batch::lstatx_each(self.project.as_fd(), &paths, StatxStrategy::FewestCalls, &mut |found| {
            let found = found.ok().map(FileFingerprint::of);
            let fingerprint = expected.next().copied().unwrap_or_default();
            let is_old =
                || found.is_none_or(|found| found.changed_ns() + state::CLOCK_STEP_NS < self.written_ns);
            if !FileFingerprint::is_rendered_as(found, without_marker(fingerprint))
                || !(fingerprint.starts_with(EXACT) || is_old())
            {
                validity = validity.min(if fingerprint.starts_with(CONFIGURATION) {
                    Validity::Project
                } else {
                    Validity::Stale
                });
            }
        });
        Some(validity)
    }
}

/// A mark without what stands before it.
fn without_marker(fingerprint: &str) -> &str {
    fingerprint.strip_prefix([EXACT, CONFIGURATION]).unwrap_or(fingerprint)
}

/// What tells a file or a folder from what was there before, under the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFingerprint {
    inode: u64,
    bytes: u64,
    modified_ns: i128,
    /// When the inode itself changed, which no program sets at will.
    status_ns: i128,
    /// Not in the text: nothing takes its place on another one with the same times.
    device: Device,
}

impl FileFingerprint {
    pub fn of(found: &sys::Statx) -> FileFingerprint {
        FileFingerprint {
            inode: found.stx_ino,
            bytes: found.stx_size,
            modified_ns: state::nanoseconds(found.stx_mtime),
            status_ns: state::nanoseconds(found.stx_ctime),
            device: Device::of(found),
        }
    }

    /// Of what was seen before.
    pub fn of_stat(found: &FileStat) -> FileFingerprint {
        let FileStat { inode, bytes, modified_ns, status_ns, device, .. } = *found;
        FileFingerprint { inode, bytes, modified_ns, status_ns, device }
    }

    /// Whether a text is what [`write_fingerprint`] says of a mark, without making another one.
    fn is_rendered_as(fingerprint: Option<FileFingerprint>, text: &str) -> bool {
        let Some(fingerprint) = fingerprint else { return text == ABSENT };
        let mut parts = text.split(' ');
        // Of 64 bits, which are quickly read: a time before 1970 is looked at closely.
        let mut is_next = |number: i128| {
            parts.next().and_then(|role| role.parse::<u64>().ok()).map(i128::from) == Some(number)
        };
        let is_same = is_next(fingerprint.inode.into())
            && is_next(fingerprint.bytes.into())
            && is_next(fingerprint.modified_ns)
            && is_next(fingerprint.status_ns);
        is_same && parts.next().is_none()
    }

    fn changed_ns(self) -> i128 {
        self.modified_ns.max(self.status_ns)
    }
}

/// Validity for the mark of a name that nothing has.
const ABSENT: &str = "-";

fn write_fingerprint(out: &mut String, fingerprint: Option<FileFingerprint>) {
    let Some(fingerprint) = fingerprint else { return out.push_str(ABSENT) };
    let numbers =
        [fingerprint.inode.into(), fingerprint.bytes.into(), fingerprint.modified_ns, fingerprint.status_ns];
    for (at, number) in numbers.into_iter().enumerate() {
        out.push_str(if at > 0 { " " } else { "" });
        state::push_number(out, number);
    }
}

#[cfg(test)]
mod tests;
