//! `--timeline`: an install watched, and drawn as one page when it has ended, well or not. In:
//! where the page goes, what was recorded, how it ended. Out: a file, replaced whole. Absent: what
//! is recorded, which each crate notes for itself.

mod kinds;
mod page;
mod spans;
mod sums;
pub mod text;

use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_base::timeline::{LaneGuard, Recorder, SpanKind, begin};
use rusk_base::{Problem, Result, files};
use rusk_install::request::Goal;
use rusk_install::{HostEnvironment, Summary};

use crate::problem;
use page::Account;

/// While it lives, what this thread does is recorded.
pub struct Watch {
    path: PathBuf,
    recorder: Recorder,
    _lane: LaneGuard,
}

/// What was asked for.
pub struct Asked<'a> {
    /// `install`, `add` and so on.
    pub command: &'a str,
    /// The project's folder.
    pub folder: &'a Path,
    pub goal: Goal,
}

impl Watch {
    /// `path` is absolute; `started` is when the program was.
    pub fn start(path: PathBuf, started: Instant) -> Result<Watch> {
        check_target(&path, problem::bad_timeline)?;
        let recorder = Recorder::new(started);
        let lane = recorder.enter("main");
        begin(SpanKind::Phase).label(|| "start-up".to_owned()).since(started).end();
        Ok(Watch { path, recorder, _lane: lane })
    }

    pub fn write(
        self,
        asked: &Asked<'_>,
        host: &HostEnvironment,
        outcome: Result<&Summary, &Problem>,
    ) -> Result<()> {
        let timeline = self.recorder.finish();
        let name = asked.folder.file_name().unwrap_or_default().to_string_lossy();
        let account = Account {
            command: asked.command,
            project: &name,
            goal: asked.goal,
            began_s: host.now_s,
            program: &host.user_agent,
            processors: (host.processors)(),
            outcome,
            timeline: &timeline,
        };
        files::write_atomically(&self.path, page::render(&account).as_bytes())
    }
}

/// What can be known to go wrong at the end, when a file is written, is said at the beginning.
pub fn check_target(path: &Path, refused: fn(&Path, &str) -> Problem) -> Result<()> {
    if path.exists() && !path.is_file() {
        return Err(refused(path, "something that is no file stands there"));
    }
    let folder = path.parent().unwrap_or(path);
    if !folder.is_dir() {
        return Err(refused(path, "there is no such folder"));
    }
    match rusk_base::sys::check_writable(folder) {
        Ok(()) => Ok(()),
        Err(errno) => Err(refused(path, "its folder cannot be written to").cause(errno)),
    }
}
