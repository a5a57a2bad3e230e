//! Children that run on when the worker that started them is gone. In: a child that nobody waits
//! for. Out: it is reaped when it ends, by the loop of the main thread, so that no zombie of it is
//! left. Absent: how it ended; nobody asks any more.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_base::sys::{self, Errno};
use rusk_spawn::Child;

use crate::descriptors::{Descriptors, OwnNumber};

/// Of the process: who started one is gone, and who started that may be gone too.
pub(crate) static ABANDONED: Abandoned = Abandoned(Mutex::new(None));

pub(crate) struct Abandoned(Mutex<Option<Set>>);

struct Set {
    /// Ready when one of them has ended.
    epoll: Epoll,
    /// By their process ids, which are theirs until they are reaped.
    children: BTreeMap<u64, Child>,
}

impl Abandoned {
    /// Has this loop look after them; once or more.
    pub fn look_after(&self, descriptors: &Descriptors) -> sys::Result<()> {
        let mut set = self.lock();
        let set = match &mut *set {
            Some(set) => set,
            none => none.insert(Set { epoll: Epoll::new()?, children: BTreeMap::new() }),
        };
        match descriptors.add_own(set.epoll.as_fd(), OwnNumber::ABANDONED) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes one over. Where no loop looks, the next start of a program does.
    pub fn adopt(&self, mut child: Child) {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        let number = u64::from(child.id().cast_unsigned());
        if let (Some(set), Some(pidfd)) = (&mut *self.lock(), child.pidfd())
            && set.epoll.add(pidfd, number, EventFlags::IN).is_ok()
        {
            set.children.insert(number, child);
        }
    }

    /// Reaps those that have ended.
    pub fn reap(&self) {
        let mut set = self.lock();
        let Some(set) = &mut *set else { return };
        let mut ready = Vec::new();
        // Refused, it is ready still when the loop waits again.
        let _ = set.epoll.wait(&mut ready, Some(Duration::ZERO));
        for ended in ready.iter().filter_map(|ready| set.children.remove(&ready.token)) {
            if let Some(pidfd) = ended.pidfd() {
                // It is open and was added, so there is nothing to refuse.
                let _ = set.epoll.remove(pidfd);
            }
            // Dropped, one that has ended is reaped.
            drop(ended);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Set>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
