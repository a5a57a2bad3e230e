//! Timeline of an install (`--timeline`), written as an HTML page when the install ends,
//! successfully or not. In: the page's path, the recorded spans, the outcome. Out: a file, replaced
//! atomically. Absent: the recording of spans, which each crate does itself.

pub mod format;
mod kinds;
mod page;
mod spans;
mod statistics;

use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_base::timeline::{LaneGuard, Recorder, SpanKind, begin};
use rusk_base::{Problem, Result, files};
use rusk_configuration::request::Goal;
use rusk_install::{HostEnvironment, Summary};

use crate::problem;
use page::PageContent;

/// A recording; spans of this thread are recorded while it exists.
pub struct TimelineRecording {
    path: PathBuf,
    recorder: Recorder,
    _lane: LaneGuard,
}

/// The install that is recorded.
pub struct InstallContext<'a> {
    /// `install`, `add` and so on.
    pub command: &'a str,
    /// The project's directory.
    pub dir: &'a Path,
    pub goal: Goal,
}

impl TimelineRecording {
    /// `path` is absolute; `started`: when rusk started.
    pub fn start(path: PathBuf, started: Instant) -> Result<TimelineRecording> {
        check_target(&path, problem::bad_timeline)?;
        let recorder = Recorder::new(started);
        let lane = recorder.enter("main");
        begin(SpanKind::Phase).label(|| "start-up".to_owned()).since(started).end();
        Ok(TimelineRecording { path, recorder, _lane: lane })
    }

    pub fn write(
        self,
        context: &InstallContext<'_>,
        host: &HostEnvironment,
        outcome: Result<&Summary, &Problem>,
    ) -> Result<()> {
        let timeline = self.recorder.finish();
        let name = context.dir.file_name().unwrap_or_default().to_string_lossy();
        let content = PageContent {
            command: context.command,
            project: &name,
            goal: context.goal,
            began_s: host.now_s,
            program: &host.user_agent,
            processors: (host.processors)(),
            outcome,
            timeline: &timeline,
        };
        files::write_through_links(&self.path, page::render(&content).as_bytes())
    }
}

/// Checks at the start whether the file can be written at the end.
pub fn check_target(path: &Path, refused: fn(&Path, &str) -> Problem) -> Result<()> {
    if path.exists() && !path.is_file() {
        return Err(refused(path, "it exists and is not a file"));
    }
    let dir = path.parent().unwrap_or(path);
    if !dir.is_dir() {
        return Err(refused(path, "its directory does not exist"));
    }
    match rusk_base::sys::check_writable(dir) {
        Ok(()) => Ok(()),
        Err(errno) => Err(refused(path, "its directory is not writable").cause(errno)),
    }
}
