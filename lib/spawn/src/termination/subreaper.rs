//! This process as a subreaper (`PR_SET_CHILD_SUBREAPER`). Then orphaned descendants become its
//! children, and it must reap them.

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
static OWN_CHILDREN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// While this is write-locked, no start is running: all children of the library are in
/// `OWN_CHILDREN`.
static STARTS: RwLock<()> = RwLock::new(());

/// Makes this process the parent of orphaned descendants (`PR_SET_CHILD_SUBREAPER`), and marks all
/// later commands: see [`crate::Command::mark`]. This affects the whole process: exited orphans
/// stay zombies until they are reaped. [`crate::Child::terminate`] reaps those that it found,
/// [`reap_orphans`] all. Call it before the first start. A program that waits for any child
/// (`waitpid(-1)`) gets them all.
///
/// # Errors
/// Those of `prctl`.
pub fn adopt_orphans() -> Result<()> {
    // SAFETY: no pointers.
    checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })
        .map_err(|errno| Error::new(Step::Adopt, errno))?;
    ADOPTS.store(true, Relaxed);
    Ok(())
}

pub fn is_subreaper() -> bool {
    ADOPTS.load(Relaxed)
}

/// Starts a child that is registered as the library's own.
pub fn start(start: impl FnOnce() -> Result<Child>) -> Result<Child> {
    if !is_subreaper() {
        return start();
    }
    let _starting = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let child = start()?;
    own_children().insert(child.id());
    Ok(child)
}

/// Unregisters a reaped child.
pub fn unregister(pid: i32) {
    if is_subreaper() {
        own_children().remove(&pid);
    }
}

/// Reaps every exited child of this process that this library did not start: the orphans of
/// [`adopt_orphans`]. A program that starts processes by other means must not call it: it would
/// take their exit statuses. Returns how many there were.
///
/// # Errors
/// `/proc` cannot be read.
pub fn reap_orphans() -> Result<usize> {
    let _no_starts = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    let entries = proc_table::list().map_err(|errno| Error::new(Step::Wait, errno))?;
    let parent = std::process::id() as i32;
    let unreaped = entries.iter().filter(|entry| entry.parent == parent && entry.has_ended());
    let orphan_pids: Vec<i32> =
        unreaped.map(|entry| entry.pid).filter(|pid| !own_children().contains(pid)).collect();
    let reaped =
        orphan_pids.iter().filter(|pid| matches!(kernel::wait(**pid, None, libc::WNOHANG), Ok(Some(_))));
    Ok(reaped.count())
}

fn own_children() -> MutexGuard<'static, BTreeSet<i32>> {
    OWN_CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}
