//! `--watch`: a program that begins again when a file of it changes. In: what is to be watched, our
//! own command line. Out: the signal that ended it; by itself it goes on. The program is a child of
//! ours that tells us by a pipe which files it reads; we watch their folders, so that a file that
//! is replaced is seen too. Absent: keeping anything of a program that begins again.

mod folders;
mod running;

use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_base::sys::epoll::{Epoll, EventFlags, Ready};
use rusk_base::sys::notices::Notices;
use rusk_base::sys::streams::{errors, output};
use rusk_scripts::Exit;
use rustix::process::Signal;

use super::flags::{Source, Wanted, Watch};
use crate::problem;
use folders::{Folders, Heed};
use running::Running;

pub use running::{VARIABLE, report};

/// So long nothing more may change before a program begins again: an editor writes several files,
/// and one of them in pieces.
const QUIET: Duration = Duration::from_millis(50);

/// What never comes to rest is not waited for any longer.
const RESTLESS: Duration = Duration::from_secs(1);

const SIGNALS: u64 = 0;
const EVENTS: u64 = 1;
const REPORT: u64 = 2;
const CHILD: u64 = 3;

/// Why a program is not to go on.
enum Why {
    Change,
    Signal(i32),
}

struct Watcher {
    epoll: Epoll,
    notices: Notices,
    folders: Folders,
    /// Files that are loaded are watched, not paths that were named.
    follows: bool,
}

/// Runs the program again and again, until a signal says that it is enough.
pub fn run(wanted: &Wanted, watch: &Watch, current_dir: &Path, keeps_screen: bool) -> Result<Exit> {
    if matches!(wanted.source, Source::Stdin { .. }) {
        return Err(problem::watch_stdin());
    }
    let mut watcher = Watcher::new(watch.paths.is_empty())?;
    for path in &watch.paths {
        watcher.folders.add_tree(&current_dir.join(path))?;
    }
    if let Source::File(name) = &wanted.source
        && watcher.follows
    {
        watcher.folders.add_file(&current_dir.join(name))?;
    }
    loop {
        let mut running = Running::start()?;
        match watcher.wait(&mut running)? {
            Why::Change => {
                running.stop(Signal::TERM.as_raw())?;
                if !keeps_screen && output().is_terminal() {
                    // There is no other screen to clear.
                    let _ = output().write_all(b"\x1b[H\x1b[2J\x1b[3J");
                }
            }
            Why::Signal(signal) => {
                running.stop(signal)?;
                return Ok(Exit::Signal(signal));
            }
        }
    }
}

impl Watcher {
    fn new(follows: bool) -> Result<Watcher> {
        let refused = |call| move |error: rusk_base::sys::Errno| problem::no_watch(call, error.into());
        let epoll = Epoll::new().map_err(refused("epoll_create"))?;
        let notices = Notices::take().map_err(refused("eventfd"))?;
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            notices.listen(signal.as_raw()).map_err(refused("sigaction"))?;
        }
        let folders = Folders::new()?;
        for (fd, number) in [(notices.waker(), SIGNALS), (folders.set(), EVENTS)] {
            epoll.add(fd, number, EventFlags::IN).map_err(refused("epoll_ctl"))?;
        }
        Ok(Watcher { epoll, notices, folders, follows })
    }

    fn listen(&self, running: &Running) -> Result<()> {
        let refused = |error: rusk_base::sys::Errno| problem::no_watch("epoll_ctl", error.into());
        self.epoll.add(running.report.as_fd(), REPORT, EventFlags::IN).map_err(refused)?;
        match running.pidfd() {
            Some(pidfd) => self.epoll.add(pidfd, CHILD, EventFlags::IN).map_err(refused),
            None => Err(problem::no_watch("pidfd_open", std::io::ErrorKind::Unsupported.into())),
        }
    }

    /// Waits for a change or a signal; meanwhile the program may end.
    fn wait(&mut self, running: &mut Running) -> Result<Why> {
        self.listen(running)?;
        let mut ready: Vec<Ready> = Vec::new();
        let mut changes: Option<(Instant, Instant)> = None;
        loop {
            let left = changes.map(|(first, last)| {
                let until = (last + QUIET).min(first + RESTLESS);
                until.saturating_duration_since(Instant::now())
            });
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(Why::Change);
            }
            self.epoll
                .wait(&mut ready, left)
                .map_err(|error| problem::no_watch("epoll_wait", error.into()))?;
            let is_ready = |number| ready.iter().any(|ready| ready.number == number);
            if is_ready(SIGNALS)
                && let Some(&signal) = self.notices.noted().ok().as_deref().and_then(<[i32]>::first)
            {
                return Ok(Why::Signal(signal));
            }
            // What the program wrote before it told of a file is no change of that file, so names
            // come last.
            let names = if is_ready(REPORT) { running.read_names(&self.epoll) } else { Vec::new() };
            let heed = if running.has_failed() { Heed::NewPrograms } else { Heed::Known };
            if self.folders.read(heed)? {
                let now = Instant::now();
                changes = Some((changes.map_or(now, |(first, _)| first), now));
            }
            for name in names.iter().filter(|_| self.follows) {
                self.folders.add_file(name)?;
            }
            if is_ready(CHILD) {
                let exit = running.take_exit(&self.epoll)?;
                // There is no other place to say that standard error is gone.
                let _ = writeln!(errors(), "rusk: the program {exit}; waiting for a change");
            }
        }
    }
}
