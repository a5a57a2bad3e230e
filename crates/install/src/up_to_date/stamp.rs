//! Install stamp: a file beside the record of installed packages. In: digests of the request, and
//! each path with its fingerprint. Out: the rendered file, and back; whether it is still valid.
//! Absent: which paths matter.
//!
//! Lines: the format; the digest from before the configuration was read; the digest with the
//! configuration; the number of installed packages; a fingerprint and a path on each line,
//! separated by a tab; the end. Other programs can write the file, so it is not valid without a
//! fingerprint of node_modules: a repository cannot contain the inode and time that its directory
//! will have.

use std::cell::OnceCell;
use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::statx_batch::StatxStrategy;
use rusk_base::sys::{self, OwnedFd, statx_batch};

use crate::state::{self, Device, FileClock, FileStat};

/// File name, beside the record.
const NAME: &str = "still";

/// The first line; another one means another format.
const HEAD: &str = "rusk still 6";
const END: &str = "end";
/// Prefix of a fingerprint that changes with every modification; others are reliable only if they
/// were old enough when they were recorded.
const EXACT: char = '!';
/// Prefix of the fingerprint of a file that only configures the install.
const CONFIGURATION: char = '?';

/// A larger stamp is ignored: a project of 100,000 packages has one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// Most likely changed: by an update, or by removing node_modules.
const CHECKED_FIRST: [&CStr; 2] = [NODE_MODULES, c"package.json"];
const NODE_MODULES: &CStr = c"node_modules";

/// A digest that no install has.
pub const NO_DIGEST: &str = "-";

/// The digest that must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestDigest<'a> {
    /// Before anything was read.
    BeforeConfiguration(&'a str),
    /// With flags, environment and configuration.
    AfterConfiguration(&'a str),
}

/// How much of a project is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Validity {
    /// Something changed, or it is not certain.
    Stale,
    /// Everything but configuration files is unchanged.
    Project,
    Everything,
}

/// Role of a file in an install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// It is installed, or determines what is installed.
    Project,
    /// It only configures the install; it counts as unchanged once it is old enough, because its
    /// contents are not read again.
    Configuration,
}

/// Renders a stamp.
pub struct StampWriter {
    text: String,
}

impl StampWriter {
    pub fn new(raw_digest: &str, configured_digest: &str, installed: usize) -> StampWriter {
        StampWriter { text: format!("{HEAD}\n{raw_digest}\n{configured_digest}\n{installed}\n") }
    }

    /// Adds a file with its fingerprint, taken with this clock. `None` for a path that cannot be
    /// written.
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

    /// Writes the stamp. Errors are ignored: an older stamp is still correct, in a read-only
    /// project and on a full disk.
    pub fn write(self, project: BorrowedFd<'_>) {
        let _ = state::write_file(project, NAME, &(self.text + END));
    }
}

/// Removes the stamp of a project.
pub fn remove(project: BorrowedFd<'_>) {
    state::remove_file(project, NAME);
}

/// A stamp that was read, and its project's directory.
pub struct InstallStamp {
    /// Lines that end in a NUL byte.
    text: String,
    written_ns: i128,
    project: OwnedFd,
    validity: OnceCell<Validity>,
}

impl InstallStamp {
    /// Reads the stamp of the project in a directory.
    pub fn find(dir: &Path) -> Option<InstallStamp> {
        let project = sys::open_directory(sys::CWD, dir).ok()?;
        let found = state::read_file(project.as_fd(), NAME, BYTES_MAX)?;
        let mut bytes = found.text.into_bytes();
        // With a NUL at its end, a path is passed to the kernel without copying.
        bytes.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = 0);
        let text = String::from_utf8(bytes).ok()?;
        Some(InstallStamp { text, written_ns: found.written_ns, project, validity: OnceCell::new() })
    }

    /// Number of installed packages, if the digest matches and everything relevant is unchanged.
    pub fn installed(&self, digest: RequestDigest<'_>) -> Option<usize> {
        let mut head = self.text.splitn(5, '\0');
        let (format, raw_digest, configured_digest) = (head.next()?, head.next()?, head.next()?);
        let (installed, lines) = (head.next()?.parse().ok()?, head.next()?.strip_suffix(END)?);
        let (is_same, needed) = match digest {
            RequestDigest::BeforeConfiguration(text) => (raw_digest == text, Validity::Everything),
            // The contents of configuration files were read for this digest.
            RequestDigest::AfterConfiguration(text) => (configured_digest == text, Validity::Project),
        };
        let validity = || *self.validity.get_or_init(|| self.check_files(lines).unwrap_or(Validity::Stale));
        (format == HEAD && is_same && validity() >= needed).then_some(installed)
    }

    /// Whether it is valid for its own request.
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
        // If anything changed, it is mostly one of these; then the rest is not checked.
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

/// A fingerprint without its prefix.
fn without_marker(fingerprint: &str) -> &str {
    fingerprint.strip_prefix([EXACT, CONFIGURATION]).unwrap_or(fingerprint)
}

/// Distinguishes a file or directory from an earlier one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFingerprint {
    inode: u64,
    bytes: u64,
    modified_ns: i128,
    /// Time of the last status change, which programs cannot set.
    status_ns: i128,
    /// Not written: no other file with the same inode and times appears at the path.
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

    /// From a status queried before.
    pub fn of_stat(found: &FileStat) -> FileFingerprint {
        let FileStat { inode, bytes, modified_ns, status_ns, device, .. } = *found;
        FileFingerprint { inode, bytes, modified_ns, status_ns, device }
    }

    /// Whether a string equals the output of [`write_fingerprint`], without rendering it.
    fn is_rendered_as(fingerprint: Option<FileFingerprint>, text: &str) -> bool {
        let Some(fingerprint) = fingerprint else { return text == ABSENT };
        let mut parts = text.split(' ');
        // As 64-bit numbers, which parse quickly: a time before 1970 makes the install run.
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

/// Fingerprint of a path that does not exist.
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
