//! Slots: those that are free, and those that fly with a child which still shares our memory. A
//! pool grows, it never waits: a child that is stopped before its exec keeps its slot. In: a wish
//! for a slot. Out: one that is free. A process that forks leaves its pool behind: the page that
//! knows it is wiped in the new one.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ending;
use crate::kernel::{self, Errno};
use crate::slot::{Relay, Slot};
use crate::thread::Errands;
use crate::zygote::Zygote;

/// Free slots that are kept; each holds a stack and two descriptors.
const FREE_MAX: usize = 64;
/// Slots looked at before a new one is made. They fly in the order of their clones, which is nearly
/// that of their execs.
const LOOKED_AT_MAX: usize = 32;
/// Slots with a relay: more starts at once than this fall back to a copied table.
const RELAYS_MAX: usize = 16;
/// Children given up without a wait that are looked after at each start.
const ORPHANS_LOOKED_AT_MAX: usize = 4;

#[derive(Default)]
pub struct Pool {
    slots: Mutex<Slots>,
    pub zygote: Mutex<Option<Zygote>>,
    pub thread: Mutex<Option<Errands>>,
}

#[derive(Default)]
struct Slots {
    #[expect(
        clippy::vec_box,
        reason = "a slot lies still from its birth to its end: the kernel knows addresses in it"
    )]
    free: Vec<Box<Slot>>,
    flying: VecDeque<Box<Slot>>,
    relays: usize,
    orphans: VecDeque<Orphan>,
}

/// A child that nobody waits for any more.
pub struct Orphan {
    pub pid: i32,
    pub pidfd: Option<OwnedFd>,
}

impl Pool {
    /// This process's pool.
    pub fn of_process() -> &'static Pool {
        let place = place();
        let found = place.load(Acquire);
        if !found.is_null() {
            // SAFETY: pools are never freed.
            return unsafe { &*found };
        }
        let made = Box::into_raw(Box::<Pool>::default());
        match place.compare_exchange(std::ptr::null_mut(), made, Release, Acquire) {
            Ok(_) => {
                // Leak checkers do not read the page; they read this.
                static KNOWN: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());
                KNOWN.store(made, Relaxed);
                // SAFETY: as above.
                unsafe { &*made }
            }
            Err(other) => {
                // SAFETY: nobody has seen the one just made; the other is never freed.
                unsafe {
                    drop(Box::from_raw(made));
                    &*other
                }
            }
        }
    }

    /// A slot that no child uses.
    pub fn take(&self) -> Result<Box<Slot>, Errno> {
        let mut slots = self.lock();
        slots.land(LOOKED_AT_MAX);
        slots.reap(ORPHANS_LOOKED_AT_MAX);
        match slots.free.pop() {
            Some(slot) => Ok(slot),
            None => {
                drop(slots);
                Slot::make()
            }
        }
    }

    /// Gives the slot a relay if there is none, one may be had, and not too many were made.
    pub fn equip(&self, slot: &mut Slot) {
        if slot.relay.is_some() {
            return;
        }
        let mut slots = self.lock();
        if slots.relays < RELAYS_MAX {
            slots.relays += 1;
            drop(slots);
            slot.relay = Relay::make();
            if slot.relay.is_none() {
                self.lock().relays -= 1;
            }
        }
    }

    /// The same with a relay that takes over a number.
    pub fn equip_at(&self, slot: &mut Slot, place: OwnedFd) {
        if slot.relay.is_none() {
            slot.relay = Relay::make_at(place);
            self.lock().relays += usize::from(slot.relay.is_some());
        }
    }

    /// A slot whose child was cloned.
    pub fn fly(&self, slot: Box<Slot>) {
        self.lock().flying.push_back(slot);
    }

    /// A slot whose child has let go, or was never cloned.
    pub fn give_back(&self, slot: Box<Slot>) {
        self.lock().give_back(slot);
    }

    /// Frees what children have let go of, however many fly.
    pub fn land_all(&self) {
        self.lock().land(usize::MAX);
    }

    /// Looks after some of the children given up without a wait, for starts that take no slot.
    pub fn reap(&self) {
        self.lock().reap(ORPHANS_LOOKED_AT_MAX);
    }

    pub fn adopt(&self, orphan: Orphan) {
        self.lock().orphans.push_back(orphan);
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    /// Looks at the slots that have flown longest; those still in use go to the end of the queue.
    fn land(&mut self, looked_at_max: usize) {
        for _ in 0..self.flying.len().min(looked_at_max) {
            let Some(slot) = self.flying.pop_front() else { return };
            if slot.is_free() {
                self.give_back(slot);
            } else {
                self.flying.push_back(slot);
            }
        }
    }

    fn give_back(&mut self, mut slot: Box<Slot>) {
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

    fn reap(&mut self, looked_at_max: usize) {
        use std::os::fd::AsFd;
        for _ in 0..self.orphans.len().min(looked_at_max) {
            let Some(orphan) = self.orphans.pop_front() else { return };
            let pidfd = orphan.pidfd.as_ref().map(AsFd::as_fd);
            if let Ok(None) = kernel::wait(orphan.pid, pidfd, libc::WNOHANG) {
                self.orphans.push_back(orphan);
            } else {
                ending::forget(orphan.pid);
            }
        }
    }
}

/// Where the pool's address stands: a page that the kernel wipes in a forked process, whose copies
/// of slots belong to children that are not its own. Two threads may make it at once, of which one
/// succeeds: a lock might be held by a thread that a forked process does not have.
fn place() -> &'static AtomicPtr<Pool> {
    static PAGE: AtomicPtr<AtomicPtr<Pool>> = AtomicPtr::new(std::ptr::null_mut());
    let mut page = PAGE.load(Acquire);
    if page.is_null() {
        let made = make_page();
        page = match PAGE.compare_exchange(std::ptr::null_mut(), made, Release, Acquire) {
            Ok(_) => made,
            // What was made is a page that nobody knows: at most one for each thread, once.
            Err(other) => other,
        };
    }
    // SAFETY: never unmapped, zero at first, which is a null pointer.
    unsafe { &*page }
}

fn make_page() -> *mut AtomicPtr<Pool> {
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
