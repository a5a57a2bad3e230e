//! Record of the scripts that ran, beside the record of installed packages. In: packages and their
//! locations. Out: whether the scripts of a location ran already, for this tarball with these
//! grants. A location that was made again has another inode or birth time.
//!
//! Lines: the format; path, digest of the approval and fingerprint of the location, separated by
//! tabs; the end. The record is written after all scripts ran: killed before, an install runs them
//! again. It is removed with the record of installed packages, and read before.
//!
//! A package is also noted before its script runs, with `//begun` after its path: from then on,
//! what is in the directory may be changed, and so may a package that is nested there later.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;

use rusk_base::Result;
use rusk_base::sys::{self, Statx};

use super::ApprovedPackage;
use crate::event::{InstallEvent, Reporter};
use crate::state::{self, EntryFingerprint, FileStat};

const NAME: &str = "scripts";
const HEAD: &str = "rusk scripts 1";
const END: &str = "end";
/// No path of a location ends so.
const BEGUN: &str = "//begun";
/// A larger record is ignored: that of 1000 packages has 150 kB.
const BYTES_MAX: u64 = 4 << 20;

/// What ran: digest and fingerprint by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptRecord {
    entries: BTreeMap<String, (String, String)>,
}

impl ScriptRecord {
    pub fn read(project: BorrowedFd<'_>) -> ScriptRecord {
        let text = state::read_file(project, NAME, BYTES_MAX).map(|file| file.text);
        text.and_then(|text| ScriptRecord::parse(&text)).unwrap_or_default()
    }

    pub fn parse(text: &str) -> Option<ScriptRecord> {
        let lines = text.strip_prefix(HEAD)?.strip_prefix('\n')?.strip_suffix(END)?;
        let mut entries = BTreeMap::new();
        for line in lines.lines() {
            let mut parts = line.split('\t').map(str::to_owned);
            let (path, digest, fingerprint) = (parts.next()?, parts.next()?, parts.next()?);
            entries.insert(path, (digest, fingerprint));
        }
        Some(ScriptRecord { entries })
    }

    pub fn render(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for (path, (digest, fingerprint)) in &self.entries {
            text.extend([path, "\t", digest, "\t", fingerprint, "\n"]);
        }
        text + END
    }

    /// Keeps the entries of packages that are still approved and at their places, and where scripts
    /// ever began.
    pub fn keep_current(&mut self, project: BorrowedFd<'_>, approved: &[ApprovedPackage]) {
        let mut current = BTreeMap::new();
        for package in approved {
            if let Some(entry) = self.entries.get(&package.path)
                && Some(entry) == entry_of(project, package).as_ref()
            {
                current.insert(package.path.clone(), entry.clone());
            }
        }
        let begun = self.begun().filter(|(path, fingerprint)| {
            fingerprint_of(project, path).is_some_and(|found| found == **fingerprint)
        });
        let begun = begun.map(|(path, fingerprint)| (begun_key(path), (String::new(), fingerprint.clone())));
        current.extend(begun);
        self.entries = current;
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn forget(&mut self, package: &ApprovedPackage) {
        self.entries.remove(&package.path);
    }

    pub fn has(&self, package: &ApprovedPackage) -> bool {
        self.entries.contains_key(&package.path)
    }

    /// The locations where the script of a package ever began, approved or not any more.
    pub fn begun_paths(&self) -> impl Iterator<Item = &str> {
        self.begun().map(|(path, _)| path)
    }

    fn begun(&self) -> impl Iterator<Item = (&str, &String)> {
        self.entries
            .iter()
            .filter_map(|(key, (_, fingerprint))| Some((key.strip_suffix(BEGUN)?, fingerprint)))
    }

    pub fn begin(&mut self, project: BorrowedFd<'_>, package: &ApprovedPackage) {
        if let Some(fingerprint) = fingerprint_of(project, &package.path) {
            self.entries.insert(begun_key(&package.path), (String::new(), fingerprint));
        }
    }

    pub fn add(&mut self, project: BorrowedFd<'_>, package: &ApprovedPackage) {
        if let Some(entry) = entry_of(project, package) {
            self.entries.insert(package.path.clone(), entry);
        }
    }

    /// Writes the record, unless it is the same on disk. Without it, scripts run again: that is no
    /// error.
    pub fn write(&self, project: BorrowedFd<'_>, reporter: &mut dyn Reporter) -> Result<()> {
        let text = self.render();
        let on_disk = state::read_file(project, NAME, BYTES_MAX).map(|file| file.text);
        if on_disk.as_ref() == Some(&text) {
            return Ok(());
        }
        if let Err(problem) = state::write_file(project, NAME, &text) {
            reporter.on_event(InstallEvent::Detail(problem.message()));
        }
        Ok(())
    }
}

/// Digest and fingerprint of a package now; `None` if its location cannot be in a record.
fn entry_of(project: BorrowedFd<'_>, package: &ApprovedPackage) -> Option<(String, String)> {
    let ApprovedPackage { name, version, integrity, grants, .. } = package;
    let identity = format!("{name}@{version} {integrity} {grants:?}");
    let digest = rusk_store::Key::new("scripts", "", &identity).dir_name().to_owned();
    Some((digest, fingerprint_of(project, &package.path)?))
}

fn begun_key(path: &str) -> String {
    format!("{path}{BEGUN}")
}

fn fingerprint_of(project: BorrowedFd<'_>, path: &str) -> Option<String> {
    if path.contains(['\t', '\n']) {
        return None;
    }
    let stat: sys::Result<Statx> = sys::lstatx(project, path);
    let fingerprint: EntryFingerprint =
        FileStat::find(stat.as_ref().map_err(|errno| *errno))?.package_fingerprint()?;
    let mut text = String::new();
    fingerprint.write(&mut text);
    Some(text)
}
