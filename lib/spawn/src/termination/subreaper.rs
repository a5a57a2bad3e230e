//! This process as the parent of those who lose theirs. In: the wish. Out: from then on, orphans of
//! what it started are its own children, and to be reaped by it.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use crate::error::{Error, Result};
use crate::kernel::{self, checked};
use crate::process::Child;
use crate::step::Step;

use super::proc_table;

static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Children that this library started and has not reaped: no orphans.
static OWN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Held for writing, nobody is being started: all children of the library are among its own.
static STARTS: RwLock<()> = RwLock::new(());

/// Makes this process the parent of all below it who lose their own (`PR_SET_CHILD_SUBREAPER`), and
/// marks all commands started from then on: see [`crate::Command::mark`]. This concerns the whole
/// process: orphans that end stay as zombies until they are reaped: [`crate::Child::end`] reaps
/// those that it found, [`reap_orphans`] all. To be called before the first start; a program that
/// waits for any child whatever (`waitpid(-1)`) sees them all.
///
/// # Errors
/// What `prctl` says.
pub fn adopt_orphans() -> Result<()> {
    // SAFETY: numbers alone.
    checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })
        .map_err(|errno| Error::new(Step::Adopt, errno))?;
    ADOPTS.store(true, Relaxed);
    Ok(())
}

pub fn adopts() -> bool {
    ADOPTS.load(Relaxed)
}

/// Starts a child that is known as the library's own.
pub fn start(start: impl FnOnce() -> Result<Child>) -> Result<Child> {
    if !adopts() {
        return start();
    }
    let _starting = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let child = start()?;
    own().insert(child.id());
    Ok(child)
}

/// One that was reaped.
pub fn forget(pid: i32) {
    if adopts() {
        own().remove(&pid);
    }
}

/// Reaps every child of this process that has ended and that this library did not start: what
/// [`adopt_orphans`] brings. Whoever starts processes by other means must not call it: it takes
/// their ends from them. Out: how many there were.
///
/// # Errors
/// That the processes cannot be listed.
pub fn reap_orphans() -> Result<usize> {
    let _no_starts = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    let entries = proc_table::list().map_err(|errno| Error::new(Step::Wait, errno))?;
    let parent = std::process::id() as i32;
    let unreaped = entries.iter().filter(|entry| entry.parent == parent && entry.has_ended());
    let orphan_pids: Vec<i32> = unreaped.map(|entry| entry.pid).filter(|pid| !own().contains(pid)).collect();
    let reaped =
        orphan_pids.iter().filter(|pid| matches!(kernel::wait(**pid, None, libc::WNOHANG), Ok(Some(_))));
    Ok(reaped.count())
}

fn own() -> MutexGuard<'static, BTreeSet<i32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}
