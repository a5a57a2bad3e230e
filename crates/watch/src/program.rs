//! Watch mode (`--watch`): restarts a program when one of its files changes. In: the paths to
//! watch, our own command line. Out: the signal that ended watch mode. The program is a child
//! process that reports through a pipe which files it loads; their directories are watched with
//! inotify, so that a replaced file is noticed too. Absent: hot reloading, which would retain the
//! program's state.

mod child;

use std::io::Write;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rusk_base::Result;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::signal_handler::SignalHandler;
use rusk_base::sys::stdio::{stderr, stdout};
use rusk_scripts::Exit;
use rustix::process::Signal;

use crate::problem::no_watch;
use crate::{ChangeFilter, WatchedDirectories};
use child::{Begin, WatchedChild};

pub use child::{VARIABLE, previous_start, report, wait_for_release};

/// The restart waits until nothing has changed for this long (debouncing): an editor writes several
/// files, and a file in several writes.
const DEBOUNCE: Duration = Duration::from_millis(50);

/// The same for tests: a run that has begun too early is ended by the next change.
const TEST_DEBOUNCE: Duration = Duration::from_millis(10);

/// Tests run again without a file that was removed, unless it is written within this time.
const REMOVAL_DELAY: Duration = Duration::from_millis(100);

/// The restart is delayed no longer than this by further changes.
const DEBOUNCE_MAX: Duration = Duration::from_secs(1);

const SIGNALS: u64 = 0;
const EVENTS: u64 = 1;
const REPORT: u64 = 2;
const CHILD: u64 = 3;

/// Why the program is stopped.
enum StopReason {
    Change,
    Signal(i32),
}

struct Watcher {
    epoll: Epoll,
    notices: SignalHandler,
    directories: WatchedDirectories,
    /// Watches the files that the program loads, not paths named by flags.
    watches_loaded_files: bool,
    debounce: Duration,
    /// A removed file counts as a change; a program goes on without it.
    counts_removals: bool,
    /// While the program has not failed.
    filter: ChangeFilter,
    filter_after_failure: ChangeFilter,
}

/// Where and how to watch.
pub struct WatchMode<'a> {
    /// Our own executable.
    pub rusk: &'a Path,
    /// Whether a file with this name may run: a new one counts as a change after a failure, which
    /// its absence may have caused; of tests, always.
    pub may_run: fn(&str) -> bool,
    /// The screen is not cleared before the next run.
    pub keeps_screen: bool,
}

/// Runs a program, and again after each change, until a signal arrives. `paths`: directories to
/// watch instead of the files that it loads; `file`: the first of these.
pub fn run(mode: &WatchMode<'_>, paths: &[PathBuf], file: Option<&Path>) -> Result<Exit> {
    let mut watcher = Watcher::new(mode, paths.is_empty())?;
    for path in paths {
        watcher.directories.add_tree(path)?;
    }
    if let (Some(file), true) = (file, watcher.watches_loaded_files) {
        watcher.directories.add_file(file)?;
    }
    restart(mode, &mut watcher, NextChild::OnChange)
}

/// Runs tests: all at first, then those that depend on what has changed.
pub fn run_tests(mode: &WatchMode<'_>) -> Result<Exit> {
    let new_files = ChangeFilter::NewFiles(mode.may_run);
    let watcher = Watcher::new(mode, true)?;
    let mut watcher =
        Watcher { debounce: TEST_DEBOUNCE, counts_removals: true, filter: new_files, ..watcher };
    restart(mode, &mut watcher, NextChild::Prepared)
}

/// Whether the next child is started when one has ended, and waits for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextChild {
    Prepared,
    OnChange,
}

fn restart(mode: &WatchMode<'_>, watcher: &mut Watcher, next: NextChild) -> Result<Exit> {
    let (mut before, mut prepared): (_, Option<WatchedChild>) = (None, None);
    loop {
        let started = SystemTime::now();
        let mut child = match prepared.take() {
            Some(mut child) => {
                child.release();
                child
            }
            None => WatchedChild::start(mode.rusk, before, Begin::Now)?,
        };
        before = Some(started);
        let mut on_end = || {
            if next == NextChild::Prepared {
                prepared = Some(WatchedChild::start(mode.rusk, before, Begin::Later)?);
            }
            Ok(())
        };
        match watcher.wait(&mut child, &mut on_end)? {
            StopReason::Change => {
                child.stop(Signal::TERM.as_raw())?;
                if !mode.keeps_screen && stdout().is_terminal() {
                    // If stdout is closed, there is no screen to clear.
                    let _ = stdout().write_all(b"\x1b[H\x1b[2J\x1b[3J");
                }
            }
            StopReason::Signal(signal) => {
                child.stop(signal)?;
                if let Some(mut child) = prepared {
                    child.stop(Signal::TERM.as_raw())?;
                }
                return Ok(Exit::Signal(signal));
            }
        }
    }
}

impl Watcher {
    fn new(mode: &WatchMode<'_>, watches_loaded_files: bool) -> Result<Watcher> {
        let failed = |call| move |error: rusk_base::sys::Errno| no_watch(call, error.into());
        let epoll = Epoll::new().map_err(failed("epoll_create"))?;
        let notices = SignalHandler::install().map_err(failed("eventfd"))?;
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            notices.add(signal.as_raw()).map_err(failed("sigaction"))?;
        }
        let directories = WatchedDirectories::new()?;
        for (fd, number) in [(notices.waker(), SIGNALS), (directories.inotify(), EVENTS)] {
            epoll.add(fd, number, EventFlags::IN).map_err(failed("epoll_ctl"))?;
        }
        Ok(Watcher {
            epoll,
            notices,
            directories,
            watches_loaded_files,
            debounce: DEBOUNCE,
            counts_removals: false,
            filter: ChangeFilter::KnownFiles,
            filter_after_failure: ChangeFilter::NewFiles(mode.may_run),
        })
    }

    fn listen(&self, child: &WatchedChild) -> Result<()> {
        let failed = |error: rusk_base::sys::Errno| no_watch("epoll_ctl", error.into());
        self.epoll.add(child.report.as_fd(), REPORT, EventFlags::IN).map_err(failed)?;
        match child.pidfd() {
            Some(pidfd) => self.epoll.add(pidfd, CHILD, EventFlags::IN).map_err(failed),
            None => Err(no_watch("pidfd_open", std::io::ErrorKind::Unsupported.into())),
        }
    }

    /// Waits for a change or a signal; meanwhile the program may end.
    fn wait(
        &mut self,
        child: &mut WatchedChild,
        on_end: &mut dyn FnMut() -> Result<()>,
    ) -> Result<StopReason> {
        self.listen(child)?;
        let mut ready: Vec<ReadyEvent> = Vec::new();
        let mut changes: Option<(Instant, Instant)> = None;
        loop {
            let left = changes.map(|(first, last)| {
                let until = (last + self.debounce).min(first + DEBOUNCE_MAX);
                until.saturating_duration_since(Instant::now())
            });
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(StopReason::Change);
            }
            self.epoll.wait(&mut ready, left).map_err(|error| no_watch("epoll_wait", error.into()))?;
            let is_ready = |number| ready.iter().any(|ready| ready.token == number);
            if is_ready(SIGNALS)
                && let Some(&signal) = self.notices.take_pending().ok().as_deref().and_then(<[i32]>::first)
            {
                return Ok(StopReason::Signal(signal));
            }
            // Writes of the program before it reported a file are not changes of that file, so the
            // files are added last. What has changed between the report and now has no event.
            let files = if is_ready(REPORT) { child.read_files(&self.epoll) } else { Vec::new() };
            let filter = match child.has_failed() {
                true => self.filter_after_failure,
                false => self.filter,
            };
            let mut has_changed = self.directories.read(filter)?;
            for file in files.iter().filter(|_| self.watches_loaded_files) {
                has_changed |= self.directories.add_file(&file.path)? && file.has_changed();
            }
            let now = Instant::now();
            if self.directories.take_removal() && self.counts_removals {
                let first = changes.map_or(now, |(first, _)| first);
                changes = Some((first, now + REMOVAL_DELAY));
            }
            if has_changed {
                changes = Some((changes.map_or(now, |(first, _)| first), now));
            }
            if is_ready(CHILD) {
                let exit = child.take_exit(&self.epoll)?;
                // If stderr is closed, there is nowhere to report it.
                let _ = writeln!(stderr(), "rusk: the program {exit}; waiting for a change");
                on_end()?;
            }
        }
    }
}
