//! Slots: those that are free, and those that fly with a child which still shares our memory. A
//! pool grows, it never waits: a child that is stopped before its exec keeps its slot. In: a wish
//! for a slot. Out: one that is free. A process that forks leaves its pool behind: the page that
//! knows it is wiped in the new one.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kernel::{self, Errno};
use crate::slot::{Relay, Slot};
use crate::spawner_thread::SpawnerThread;
use crate::termination;
use crate::zygote::Zygote;

/// Free slots that are kept; each holds a stack and two descriptors.
const FREE_MAX: usize = 64;
/// Slots looked at before a new one is made. They fly in the order of their clones, which is nearly
/// that of their execs.
const CHECKED_MAX: usize = 32;
/// Slots with a relay: more starts at once than this fall back to a copied table.
const RELAYS_MAX: usize = 16;
/// Children given up without a wait that are looked after at each start.
const UNREAPED_CHECKED_MAX: usize = 4;

#[derive(Default)]
pub struct Pool {
    slots: Mutex<Slots>,
    pub zygote: Mutex<Option<Zygote>>,
    pub thread: Mutex<Option<SpawnerThread>>,
}

#[derive(Default)]
struct Slots {
    #[expect(
        clippy::vec_box,
        reason = "a slot lies still from its birth to its end: the kernel knows addresses in it"
    )]
    free: Vec<Box<Slot>>,
    in_flight: VecDeque<Box<Slot>>,
    relays: usize,
    unreaped: VecDeque<UnreapedChild>,
}

/// A child that nobody waits for any more.
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
                // Leak checkers do not read the page; they read this.
                static KNOWN: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());
                KNOWN.store(created, Relaxed);
                // SAFETY: as above.
                unsafe { &*created }
            }
            Err(other) => {
                // SAFETY: nobody has seen the one just made; the other is never freed.
                unsafe {
                    drop(Box::from_raw(created));
                    &*other
                }
            }
        }
    }

    /// A slot that no child uses.
    pub fn take(&self) -> Result<Box<Slot>, Errno> {
        let mut slots = self.lock();
        slots.reap_in_flight(CHECKED_MAX);
        slots.reap(UNREAPED_CHECKED_MAX);
        match slots.free.pop() {
            Some(slot) => Ok(slot),
            None => {
                drop(slots);
                Slot::new()
            }
        }
    }

    /// Gives the slot a relay if there is none, one may be had, and not too many were made.
    pub fn attach_relay(&self, slot: &mut Slot) {
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

    /// The same with a relay that takes over a number.
    pub fn attach_relay_at(&self, slot: &mut Slot, pool_pointer: OwnedFd) {
        if slot.relay.is_none() {
            slot.relay = Relay::new_at(pool_pointer);
            self.lock().relays += usize::from(slot.relay.is_some());
        }
    }

    /// A slot whose child was cloned.
    pub fn mark_in_flight(&self, slot: Box<Slot>) {
        self.lock().in_flight.push_back(slot);
    }

    /// A slot whose child has let go, or was never cloned.
    pub fn release(&self, slot: Box<Slot>) {
        self.lock().release(slot);
    }

    /// Frees what children have let go of, however many fly.
    pub fn reap_all_in_flight(&self) {
        self.lock().reap_in_flight(usize::MAX);
    }

    /// Looks after some of the children given up without a wait, for starts that take no slot.
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
    /// Looks at the slots that have flown longest; those still in use go to the end of the queue.
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

    fn release(&mut self, mut slot: Box<Slot>) {
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
                termination::forget(child.pid);
            }
        }
    }
}

/// Where the pool's address stands: a page that the kernel wipes in a forked process, whose copies
/// of slots belong to children that are not its own. Two threads may make it at once, of which one
/// succeeds: a lock might be held by a thread that a forked process does not have.
fn pool_pointer() -> &'static AtomicPtr<Pool> {
    static PAGE: AtomicPtr<AtomicPtr<Pool>> = AtomicPtr::new(std::ptr::null_mut());
    let mut page = PAGE.load(Acquire);
    if page.is_null() {
        let created = map_page();
        page = match PAGE.compare_exchange(std::ptr::null_mut(), created, Release, Acquire) {
            Ok(_) => created,
            // What was made is a page that nobody knows: at most one for each thread, once.
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
            // Without the page a forked process would use its parent's slots; a leaked word is the
            // lesser evil.
            return Box::leak(Box::default());
        }
        // Kernels before 4.14 refuse, and are too old for the rest as well.
        libc::madvise(page, PAGE_BYTES, libc::MADV_WIPEONFORK);
        page.cast()
    }
}
