//! Record of a query in the cache, beside what is known about the project. In: the project's files,
//! the configuration, the flags. Out: the record of the last run with the same ones. Absent: the
//! format of records, which is in `rusk-query`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::{Result, files, sys};
use rusk_configuration::CacheUse;
use rusk_configuration::request::{Edit, Network};
use rusk_install::cache_prefix;
use rusk_install::project::FoundLockfile;
use rusk_query::record::{InputDigest, InputHasher};

use super::installed_project::ProjectFiles;
use crate::commands::registry::session::Session;
use crate::commands::{members, request};
use crate::host;
use rusk_command_line::flags::Invocation;

/// A larger record is ignored: 100,000 packages have one of 10 MB.
const BYTES_MAX: u64 = 64 << 20;

/// File times move in steps of 10 ms at most.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// Where the record of a query is, and what it must be of.
pub struct RecordFile {
    path: PathBuf,
    pub inputs: InputDigest,
}

impl RecordFile {
    /// `None` where a result depends on more than files: git decides what a filter selects, and
    /// `--prefer-offline` on what has been fetched.
    pub fn of(
        query: &str,
        project: &ProjectFiles,
        session: &Session,
        invocation: &Invocation,
    ) -> Result<Option<RecordFile>> {
        let FoundLockfile::Text(format) = project.lockfile else { return Ok(None) };
        let request = request::with_edit(invocation, Edit::None);
        let configuration = &session.configuration;
        if configuration.cache == CacheUse::Off
            || request.network != Network::Online
            || !members::selection(invocation)?.is_default()
        {
            return Ok(None);
        }
        let lockfile = project.root().join(format.file_name());
        let Some(fingerprint) = fingerprint(&lockfile, host::now()) else { return Ok(None) };
        let mut inputs = InputHasher::new(query);
        inputs.add(&format!("{request:?}"));
        inputs.add(&format!("{configuration:?}"));
        inputs.add(&format!("{:?} {:?}", project.root(), project.dir()));
        inputs.add(&format!("{:?}", invocation.operands));
        let members = &project.manifests.members;
        let root = &members.project;
        [&root.pnpm_workspace, &root.yarnrc]
            .into_iter()
            .for_each(|text| inputs.add(text.as_deref().unwrap_or_default()));
        for member in members.all().chain(&members.unnamed) {
            inputs.add(&member.path);
            inputs.add(&member.text);
        }
        inputs.add(format.file_name());
        inputs.add(&fingerprint);
        let path = cache_prefix(&configuration.cache_dir, project.root()).with_extension(query);
        Ok(Some(RecordFile { path, inputs: inputs.finish() }))
    }

    pub fn read(&self) -> Option<String> {
        files::find_string(&self.path, BYTES_MAX).ok().flatten()
    }

    /// Errors are ignored: without a record, the next run does the work again.
    pub fn write(&self, text: Option<String>) {
        if let (Some(text), Some(directory)) = (text, self.path.parent()) {
            let _ = files::create_directories(directory)
                .and_then(|()| files::write_atomically(&self.path, text.as_bytes()));
        }
    }
}

/// Changes with the file, whose contents are not read. `None` if it changed so shortly before `now`
/// that another change may get the same times.
fn fingerprint(path: &Path, now: Duration) -> Option<String> {
    let found = sys::statat(sys::CWD, path).ok()?;
    // Programs cannot set the time of the last status change.
    let changed = Duration::new(u64::try_from(found.st_ctime).ok()?, found.st_ctime_nsec as u32);
    let fingerprint = format!("{} {} {} {}", found.st_dev, found.st_ino, found.st_size, changed.as_nanos());
    (changed + CLOCK_STEP < now).then_some(fingerprint)
}
