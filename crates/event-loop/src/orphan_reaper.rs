//! Orphan reaper: reaps children that outlive the worker that started them (tokio's `OrphanQueue`).
//! In: a child that nothing waits for any more. Out: it is reaped when it ends, by the loop of the
//! main thread, so that no zombie is left. Absent: its exit status; nothing asks for it any more.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_base::sys::{self, Errno};
use rusk_spawn::Child;

use crate::{Context, LoopToken, Reactor};

/// Of the process: the worker that started a child is gone, and its own parent may be gone too.
pub static ORPHAN_REAPER: OrphanReaper = OrphanReaper(Mutex::new(None));

pub struct OrphanReaper(Mutex<Option<Orphans>>);

struct Orphans {
    /// ReadyEvent when one of them has ended.
    epoll: Epoll,
    /// By process id, which stays theirs until they are reaped.
    children: BTreeMap<u64, Child>,
}

impl OrphanReaper {
    /// Registers the reaper with a loop, which then reports ended orphans; it may be called again.
    pub fn attach<C: Context>(&self, reactor: &Reactor<C>) -> sys::Result<()> {
        let mut orphans = self.lock();
        let orphans = match &mut *orphans {
            Some(orphans) => orphans,
            none => none.insert(Orphans { epoll: Epoll::new()?, children: BTreeMap::new() }),
        };
        match reactor.add_own(orphans.epoll.as_fd(), LoopToken::ORPHANS) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes over a child. Where no loop is attached, the next start of a process reaps it.
    pub fn adopt(&self, mut child: Child) {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        let pid = u64::from(child.id().cast_unsigned());
        if let (Some(orphans), Some(pidfd)) = (&mut *self.lock(), child.pidfd())
            && orphans.epoll.add(pidfd, pid, EventFlags::IN).is_ok()
        {
            orphans.children.insert(pid, child);
        }
    }

    /// Reaps those that have ended.
    pub fn reap(&self) {
        let mut orphans = self.lock();
        let Some(orphans) = &mut *orphans else { return };
        let mut ready = Vec::new();
        // If this is refused, the descriptor is still ready in the loop's next wait.
        let _ = orphans.epoll.wait(&mut ready, Some(Duration::ZERO));
        for ended in ready.iter().filter_map(|ready| orphans.children.remove(&ready.token)) {
            if let Some(pidfd) = ended.pidfd() {
                // It is open and was added, so there is nothing to refuse.
                let _ = orphans.epoll.remove(pidfd);
            }
            // Dropping a child that has ended reaps it.
            drop(ended);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Orphans>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
