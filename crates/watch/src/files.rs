//! Waits for changes of files, or for a signal. In: paths. Out: which of both came first.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::signal_handler::SignalHandler;
use rustix::process::Signal;

use super::directories::{ChangeFilter, WatchedDirectories};
use crate::problem;

/// A change counts when nothing has changed for this long. A build takes little more.
const DEBOUNCE: Duration = Duration::from_millis(10);

/// It is delayed no longer than this by further changes.
const DEBOUNCE_MAX: Duration = Duration::from_millis(200);

const SIGNALS: u64 = 0;
const EVENTS: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEvent {
    Change,
    Signal(i32),
}

pub struct FileWatcher {
    epoll: Epoll,
    signals: SignalHandler,
    directories: WatchedDirectories,
}

impl FileWatcher {
    pub fn new() -> Result<FileWatcher> {
        let failed = |call| move |error: rusk_base::sys::Errno| problem::no_watch(call, error.into());
        let epoll = Epoll::new().map_err(failed("epoll_create"))?;
        let signals = SignalHandler::install().map_err(failed("eventfd"))?;
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            signals.add(signal.as_raw()).map_err(failed("sigaction"))?;
        }
        let directories = WatchedDirectories::new()?;
        for (fd, number) in [(signals.waker(), SIGNALS), (directories.inotify(), EVENTS)] {
            epoll.add(fd, number, EventFlags::IN).map_err(failed("epoll_ctl"))?;
        }
        Ok(FileWatcher { epoll, signals, directories })
    }

    /// Files that are watched from now on. Out: those that were not watched before.
    pub fn add_files<'p>(&mut self, files: impl Iterator<Item = &'p Path>) -> Result<HashSet<&'p Path>> {
        let mut new = HashSet::new();
        for file in files {
            if self.directories.add_file(file)? {
                new.insert(file);
            }
        }
        Ok(new)
    }

    /// A signal that has arrived.
    pub fn pending_signal(&self) -> Option<i32> {
        self.signals.take_pending().ok().and_then(|signals| signals.first().copied())
    }

    /// `changed`: when a file was found to be changed already. Perhaps it is still written.
    pub fn wait(&mut self, filter: ChangeFilter, changed: Option<Instant>) -> Result<FileEvent> {
        let mut ready: Vec<ReadyEvent> = Vec::new();
        let mut changes = changed.map(|changed| (changed, changed));
        loop {
            let left = changes.map(|(first, last)| {
                (last + DEBOUNCE).min(first + DEBOUNCE_MAX).saturating_duration_since(Instant::now())
            });
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(FileEvent::Change);
            }
            self.epoll
                .wait(&mut ready, left)
                .map_err(|error| problem::no_watch("epoll_wait", error.into()))?;
            if let Some(signal) = self.pending_signal() {
                return Ok(FileEvent::Signal(signal));
            }
            if self.directories.read(filter)? {
                let now = Instant::now();
                changes = Some((changes.map_or(now, |(first, _)| first), now));
            }
        }
    }
}
