//! Pool of slots: free ones, and those in flight with a child that still shares the parent's
//! memory. A pool grows, it never blocks: a child that is stopped before exec keeps its slot. In: a
//! request for a slot. Out: a free one. A forked process gets a new pool: the page with the pool's
//! address is wiped on fork.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kernel::{self, Errno};
use crate::slot::{ChildSlot, Relay};
use crate::spawner_thread::SpawnerThread;
use crate::termination;
use crate::zygote::Zygote;

/// Limit of free slots; each holds a stack and two fds.
const FREE_MAX: usize = 64;
/// Slots in flight that are checked before a new one is created. They are in the order of their
/// clones, which is nearly that of their execs.
const CHECKED_MAX: usize = 32;
/// Limit of slots with a relay: more concurrent starts fall back to a copied table.
const RELAYS_MAX: usize = 16;
/// Dropped children that are reaped at each start.
const UNREAPED_CHECKED_MAX: usize = 4;

#[derive(Default)]
pub struct Pool {
    slots: Mutex<Slots>,
    pub zygote: Mutex<Option<Zygote>>,
    pub thread: Mutex<Option<SpawnerThread>>,
}

#[derive(Default)]
struct Slots {
    #[expect(clippy::vec_box, reason = "a slot must not move: the kernel holds addresses in it")]
    free: Vec<Box<ChildSlot>>,
    in_flight: VecDeque<Box<ChildSlot>>,
    relays: usize,
    unreaped: VecDeque<UnreapedChild>,
}

/// A child that was dropped without a wait.
pub struct UnreapedChild {
    pub pid: i32,
    pub pidfd: Option<OwnedFd>,
}

impl Pool {
    /// This process's pool.
    pub fn of_process() -> &'static Pool {
        let pool_pointer = pool_pointer();
        let found = pool_pointer.load(Acquire);
        if !found.is_null() {
            // SAFETY: pools are never freed.
            return unsafe { &*found };
        }
        let created = Box::into_raw(Box::<Pool>::default());
        match pool_pointer.compare_exchange(std::ptr::null_mut(), created, Release, Acquire) {
            Ok(_) => {
                // Leak checkers do not scan the page; they scan this.
                static KNOWN: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());
                KNOWN.store(created, Relaxed);
                // SAFETY: as above.
                unsafe { &*created }
            }
            Err(other) => {
                // SAFETY: no other thread has seen the one just created; the other is never freed.
                unsafe {
                    drop(Box::from_raw(created));
                    &*other
                }
            }
        }
    }

    /// A free slot.
    pub fn take(&self) -> Result<Box<ChildSlot>, Errno> {
        let mut slots = self.lock();
        slots.reap_in_flight(CHECKED_MAX);
        slots.reap(UNREAPED_CHECKED_MAX);
        match slots.free.pop() {
            Some(slot) => Ok(slot),
            None => {
                drop(slots);
                ChildSlot::new()
            }
        }
    }

    /// Gives the slot a relay, if there is none yet, a low fd is free, and the limit is not
    /// reached.
    pub fn attach_relay(&self, slot: &mut ChildSlot) {
        if slot.relay.is_some() {
            return;
        }
        let mut slots = self.lock();
        if slots.relays < RELAYS_MAX {
            slots.relays += 1;
            drop(slots);
            slot.relay = Relay::new();
            if slot.relay.is_none() {
                self.lock().relays -= 1;
            }
        }
    }

    /// The same with a relay that takes over an fd's number.
    pub fn attach_relay_at(&self, slot: &mut ChildSlot, pool_pointer: OwnedFd) {
        if slot.relay.is_none() {
            slot.relay = Relay::new_at(pool_pointer);
            self.lock().relays += usize::from(slot.relay.is_some());
        }
    }

    /// A slot whose child was cloned.
    pub fn mark_in_flight(&self, slot: Box<ChildSlot>) {
        self.lock().in_flight.push_back(slot);
    }

    /// Returns a slot that no child uses.
    pub fn release(&self, slot: Box<ChildSlot>) {
        self.lock().release(slot);
    }

    /// Frees all slots that their children have released.
    pub fn reap_all_in_flight(&self) {
        self.lock().reap_in_flight(usize::MAX);
    }

    /// Reaps some dropped children, for starts that take no slot.
    pub fn reap(&self) {
        self.lock().reap(UNREAPED_CHECKED_MAX);
    }

    pub fn add_unreaped(&self, child: UnreapedChild) {
        self.lock().unreaped.push_back(child);
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    /// Checks the oldest slots in flight; those still in use go to the end of the queue.
    fn reap_in_flight(&mut self, checked_max: usize) {
        for _ in 0..self.in_flight.len().min(checked_max) {
            let Some(slot) = self.in_flight.pop_front() else { return };
            if slot.is_free() {
                self.release(slot);
            } else {
                self.in_flight.push_back(slot);
            }
        }
    }

    fn release(&mut self, mut slot: Box<ChildSlot>) {
        let had_relay = slot.relay.is_some();
        slot.reset();
        let keeps = self.free.len() < FREE_MAX;
        if had_relay && (slot.relay.is_none() || !keeps) {
            self.relays -= 1;
        }
        if keeps {
            self.free.push(slot);
        }
    }

    fn reap(&mut self, checked_max: usize) {
        use std::os::fd::AsFd;
        for _ in 0..self.unreaped.len().min(checked_max) {
            let Some(child) = self.unreaped.pop_front() else { return };
            let pidfd = child.pidfd.as_ref().map(AsFd::as_fd);
            if let Ok(None) = kernel::wait(child.pid, pidfd, libc::WNOHANG) {
                self.unreaped.push_back(child);
            } else {
                termination::unregister(child.pid);
            }
        }
    }
}

/// The location of the pool's address: a page that the kernel wipes on fork, since the slots of a
/// forked process belong to children that are not its own. Two threads may create it at once, of
/// which one wins. A lock could be held by a thread that a forked process does not have.
fn pool_pointer() -> &'static AtomicPtr<Pool> {
    static PAGE: AtomicPtr<AtomicPtr<Pool>> = AtomicPtr::new(std::ptr::null_mut());
    let mut page = PAGE.load(Acquire);
    if page.is_null() {
        let created = map_page();
        page = match PAGE.compare_exchange(std::ptr::null_mut(), created, Release, Acquire) {
            Ok(_) => created,
            // The page just created leaks: at most one for each thread, once.
            Err(other) => other,
        };
    }
    // SAFETY: never unmapped, zero at first, which is a null pointer.
    unsafe { &*page }
}

fn map_page() -> *mut AtomicPtr<Pool> {
    const PAGE_BYTES: usize = 4096;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, and advice on it.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), PAGE_BYTES, access, flags, -1, 0);
        if page == libc::MAP_FAILED {
            // Without the page a forked process would use its parent's slots; a leaked word is
            // better.
            return Box::leak(Box::default());
        }
        // Kernels before 4.14 fail, and are too old for the rest as well.
        libc::madvise(page, PAGE_BYTES, libc::MADV_WIPEONFORK);
        page.cast()
    }
}
