//! A cgroup (version 2) for one child and its descendants. In: this process's own cgroup, if it may
//! create others there. Out: a directory to clone into; its processes; a kill of all by one write;
//! and a wait until it is empty. Absent: resource limits, which the caller may write.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::proc_table;
use super::process_set::ProcessSet;
use crate::error::{Error, Result};
use crate::kernel::{Errno, checked};
use crate::step::Step;

/// Its directory is removed on drop, or later, when it is empty.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
}

/// Directories whose processes outlived their [`crate::Child`]; removal is tried again when the
/// next one is created.
static LEFTOVER: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Further ones are forgotten: they are empty directories in the end.
const LEFTOVER_MAX: usize = 256;

/// Rounds of killing all listed processes, if `cgroup.kill` is missing (before Linux 5.14).
const ROUNDS_MAX: u32 = 100;

impl Cgroup {
    /// None if this process may not create one.
    pub fn create() -> Option<Cgroup> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let mut leftover = LEFTOVER.lock().unwrap_or_else(PoisonError::into_inner);
        leftover.retain(|path| remove(path).is_err());
        drop(leftover);
        let name = format!("rusk-spawn-{}-{}", std::process::id(), MADE.fetch_add(1, Relaxed));
        let path = own_dir()?.join(name);
        fs::create_dir(&path).ok()?;
        Some(Cgroup { path })
    }

    /// Its open directory, for the clone.
    pub fn dir(&self) -> Result<OwnedFd> {
        let flags = libc::O_DIRECTORY | libc::O_CLOEXEC;
        let dir = fs::OpenOptions::new().read(true).custom_flags(flags).open(&self.path);
        dir.map(OwnedFd::from).map_err(|error| Error::new(Step::Clone, code(error)))
    }

    /// Adds the processes in it and in the cgroups below it.
    pub fn find(&self, processes: &mut ProcessSet) -> std::result::Result<(), Errno> {
        let mut found = ProcessSet::default();
        for entry in pids(&self.path).map_err(code)?.into_iter().filter_map(proc_table::find) {
            found.add(&entry);
        }
        // A pid that is still listed after its pidfd was opened has belonged to the same process
        // all the time.
        let still = pids(&self.path).map_err(code)?;
        processes.merge(found, |pid| still.contains(&pid));
        Ok(())
    }

    pub fn kill(&self, processes: &mut ProcessSet) -> std::result::Result<(), Errno> {
        if fs::write(self.path.join("cgroup.kill"), "1").is_ok() {
            return Ok(());
        }
        // A frozen process cannot fork, but can be killed. Without a freezer the rounds must
        // suffice.
        let _ = fs::write(self.path.join("cgroup.freeze"), "1");
        for _ in 0..ROUNDS_MAX {
            self.find(processes)?;
            if processes.running().is_empty() {
                break;
            }
            processes.signal_all(libc::SIGKILL)?;
        }
        let _ = fs::write(self.path.join("cgroup.freeze"), "0");
        Ok(())
    }

    /// Waits until all processes have exited, or until the deadline.
    pub fn wait_empty(&self, deadline: Option<Instant>) -> std::result::Result<bool, Errno> {
        let mut events = File::open(self.path.join("cgroup.events")).map_err(code)?;
        loop {
            let mut text = String::new();
            events.rewind().and_then(|()| events.read_to_string(&mut text)).map_err(code)?;
            if text.lines().any(|line| line == "populated 0") {
                return Ok(true);
            }
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if remaining == Some(Duration::ZERO) {
                return Ok(false);
            }
            wait_changed(&events, remaining)?;
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        if remove(&self.path).is_err() {
            let mut leftover = LEFTOVER.lock().unwrap_or_else(PoisonError::into_inner);
            if leftover.len() < LEFTOVER_MAX {
                leftover.push(std::mem::take(&mut self.path));
            }
        }
    }
}

fn code(error: io::Error) -> Errno {
    error.raw_os_error().unwrap_or(libc::EIO)
}

/// The kernel reports a change of the file as an exceptional condition.
fn wait_changed(events: &File, remaining: Option<Duration>) -> std::result::Result<(), Errno> {
    let mut watched = libc::pollfd { fd: events.as_raw_fd(), events: libc::POLLPRI, revents: 0 };
    let timeout_ms =
        remaining.map_or(-1, |remaining| i32::try_from(remaining.as_millis() + 1).unwrap_or(i32::MAX));
    // SAFETY: one fd, which outlives the call.
    match checked(unsafe { libc::poll(&mut watched, 1, timeout_ms) }) {
        Ok(_) | Err(libc::EINTR) => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// The directory of this process's own cgroup.
fn own_dir() -> Option<PathBuf> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    dir_in(&own, &mounts)
}

/// `own` is `/proc/self/cgroup`, and `mounts` is `/proc/self/mountinfo`; see `cgroups(7)` and
/// `proc_pid_mountinfo(5)`.
fn dir_in(own: &str, mounts: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        kind.starts_with("cgroup2 ").then_some(())?;
        let mut fields = mount.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let below = Path::new(path).strip_prefix(root).ok()?;
        // A path outside of the mount is not accessible here.
        let is_inside = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        is_inside.then(|| Path::new(point).join(below))
    })
}

fn pids(dir: &Path) -> io::Result<Vec<i32>> {
    let text = fs::read_to_string(dir.join("cgroup.procs"))?;
    let mut found: Vec<i32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    for below in subdirs(dir)? {
        found.extend(pids(&below).unwrap_or_default());
    }
    Ok(found)
}

/// With the cgroups below it, deepest first.
fn remove(dir: &Path) -> io::Result<()> {
    match subdirs(dir) {
        Ok(below) => below.iter().try_for_each(|below| remove(below))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    fs::remove_dir(dir)
}

fn subdirs(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut below = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            below.push(entry.path());
        }
    }
    Ok(below)
}

#[cfg(test)]
mod tests;
