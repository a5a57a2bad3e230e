//! Reactor: the epoll instance with the file descriptors registered in it. In: a descriptor and a
//! callback. Out: after a wait, the callbacks that are due, by token, so that a handle that is
//! removed meanwhile is not called. Absent: calling.

use std::cell::{Cell, RefCell};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};

use crate::Context;

/// What is called when a descriptor is ready.
pub type Callback<C> =
    dyn for<'s> Fn(&'s <C as Context>::Scope, Readiness) -> Result<(), <C as Context>::Error<'s>>;

/// What a descriptor is ready for. An error or a hang-up makes it ready for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    pub read: bool,
    pub write: bool,
}

pub struct Reactor<C: Context> {
    epoll: RefCell<Epoll>,
    slots: RefCell<Vec<RegistrationSlot<C>>>,
    /// Indexes of slots that are free.
    free: RefCell<Vec<usize>>,
    /// Number of registrations that are ref'd.
    ref_count: Cell<usize>,
    /// Waits in a row in which low-priority handles were put off.
    put_off: Cell<u32>,
    /// The handle that is called now has more to do.
    has_more: Cell<bool>,
}

/// How often in a row a handle is called that has more to do; then the others have their turn.
/// libuv reads as many messages of a socket in a row.
pub const CALLS_IN_A_ROW_MAX: u32 = 32;

/// What children wrote before they ended is reported first, but not for ever.
const PUT_OFF_MAX: u32 = 64;

/// A slot for a registration. Its generation grows whenever it becomes free, and tells a token from
/// earlier ones of the same slot.
struct RegistrationSlot<C: Context> {
    generation: u32,
    registration: Option<Registration<C>>,
}

struct Registration<C: Context> {
    fd: Rc<OwnedFd>,
    callback: Rc<Callback<C>>,
    is_ref: bool,
    /// It reports that something has ended; whatever else is ready comes first.
    is_low_priority: bool,
}

/// Tokens of the loop's own descriptors, which no slot has.
pub struct LoopToken;

impl LoopToken {
    pub const ENGINE: u64 = u64::MAX;
    pub const THREAD_POOL: u64 = u64::MAX - 1;
    pub const SIGNALS: u64 = u64::MAX - 2;
    /// Another thread ends this worker.
    pub const TERMINATE: u64 = u64::MAX - 3;
    /// A child has ended whose worker is gone.
    pub const ORPHANS: u64 = u64::MAX - 4;
}

/// Identifies a registration: its slot and the slot's generation, as the kernel returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token(u64);

impl<C: Context> Reactor<C> {
    pub fn new() -> sys::Result<Reactor<C>> {
        Ok(Reactor {
            epoll: RefCell::new(Epoll::new()?),
            slots: RefCell::default(),
            free: RefCell::default(),
            ref_count: Cell::new(0),
            put_off: Cell::new(0),
            has_more: Cell::new(false),
        })
    }

    /// Registers a descriptor, which stays open at least until it is removed. It is ref'd.
    pub fn add(&self, fd: Rc<OwnedFd>, interest: Readiness, callback: Rc<Callback<C>>) -> sys::Result<Token> {
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, interest.read);
        flags.set(EventFlags::OUT, interest.write);
        let mut slots = self.slots.borrow_mut();
        let mut free = self.free.borrow_mut();
        let index = free.last().copied().unwrap_or(slots.len());
        let generation = slots.get(index).map_or(0, |slot| slot.generation);
        let token = Token::new(index, generation);
        self.epoll.borrow().add(fd.as_fd(), token.0, flags)?;
        if free.pop().is_none() {
            slots.push(RegistrationSlot { generation: 0, registration: None });
        }
        slots[index].registration = Some(Registration { fd, callback, is_ref: true, is_low_priority: false });
        self.ref_count.set(self.ref_count.get() + 1);
        Ok(token)
    }

    /// Registers a descriptor of the loop itself, which never keeps the loop alive.
    pub fn add_own(&self, fd: BorrowedFd<'_>, token: u64) -> sys::Result<()> {
        self.epoll.borrow().add(fd, token, EventFlags::IN)
    }

    /// Registers an eventfd that other threads write to. It is edge-triggered: each wake is
    /// reported once, so its counter need not be read.
    pub fn add_waker(&self, fd: BorrowedFd<'_>, token: u64) -> sys::Result<()> {
        self.epoll.borrow().add(fd, token, EventFlags::IN | EventFlags::ET)
    }

    pub fn remove(&self, token: Token) {
        let mut slots = self.slots.borrow_mut();
        let Some(slot) = slots.get_mut(token.index()).filter(|slot| slot.generation == token.generation())
        else {
            return;
        };
        let Some(registration) = slot.registration.take() else { return };
        slot.generation = slot.generation.wrapping_add(1);
        drop(slots);
        self.free.borrow_mut().push(token.index());
        if registration.is_ref {
            self.ref_count.set(self.ref_count.get() - 1);
        }
        // It is open and was added, so there is nothing to refuse.
        let _ = self.epoll.borrow().remove(registration.fd.as_fd());
    }

    /// Gives up the file descriptor number of the epoll instance: it was opened before any of the
    /// program's, so it is a low one, which children can use. The instance stays, under another.
    pub fn give_up_fd_number(&self) -> sys::Result<OwnedFd> {
        self.epoll.borrow_mut().replace_fd()
    }

    /// Removes all registrations; their tokens become invalid.
    pub fn clear(&self) {
        let count = self.slots.borrow().len();
        for index in 0..count {
            let generation = self.slots.borrow()[index].generation;
            self.remove(Token::new(index, generation));
        }
    }

    /// Sets whether a registration keeps the loop alive (`uv_ref`, `uv_unref`).
    pub fn set_ref(&self, token: Token, is_ref: bool) {
        let mut slots = self.slots.borrow_mut();
        let slot = slots.get_mut(token.index()).filter(|slot| slot.generation == token.generation());
        let Some(registration) = slot.and_then(|slot| slot.registration.as_mut()) else { return };
        match (registration.is_ref, is_ref) {
            (false, true) => self.ref_count.set(self.ref_count.get() + 1),
            (true, false) => self.ref_count.set(self.ref_count.get() - 1),
            _ => {}
        }
        registration.is_ref = is_ref;
    }

    /// Calls it after all others that are ready.
    pub fn set_low_priority(&self, token: Token) {
        let mut slots = self.slots.borrow_mut();
        let slot = slots.get_mut(token.index()).filter(|slot| slot.generation == token.generation());
        if let Some(registration) = slot.and_then(|slot| slot.registration.as_mut()) {
            registration.is_low_priority = true;
        }
    }

    /// Whether a ref'd registration keeps the loop alive (`uv_loop_alive`).
    pub fn is_alive(&self) -> bool {
        self.ref_count.get() != 0
    }

    /// Waits for events (`epoll_wait`). Low-priority handles are left out while others are ready:
    /// they stay ready, and the next wait returns them again.
    pub fn wait(&self, ready: &mut Vec<ReadyEvent>, timeout: Option<Duration>) -> sys::Result<()> {
        self.epoll.borrow().wait(ready, timeout)?;
        let is_low = |ready: &ReadyEvent| self.is_low_priority(*ready);
        let has_others = ready.iter().any(|ready| is_low(ready) == Some(false));
        if !has_others || !ready.iter().any(|ready| is_low(ready) == Some(true)) {
            self.put_off.set(0);
        } else if self.put_off.get() < PUT_OFF_MAX {
            self.put_off.set(self.put_off.get() + 1);
            ready.retain(|ready| is_low(ready) != Some(true));
        }
        Ok(())
    }

    /// `None`: one of the loop's own, or one that was removed.
    fn is_low_priority(&self, ready: ReadyEvent) -> Option<bool> {
        let token = Token(ready.token);
        let slots = self.slots.borrow();
        let slot = slots.get(token.index()).filter(|slot| slot.generation == token.generation())?;
        slot.registration.as_ref().map(|registration| registration.is_low_priority)
    }

    /// The handle that is called now has more to do: it is called again without a wait in between.
    pub fn call_again(&self) {
        self.has_more.set(true);
    }

    pub fn take_call_again(&self) -> bool {
        self.has_more.take()
    }

    /// The callback for an event; `None` if its registration was removed meanwhile.
    pub fn callback(&self, ready: ReadyEvent) -> Option<(Rc<Callback<C>>, Readiness)> {
        let token = Token(ready.token);
        let slots = self.slots.borrow();
        let slot = slots.get(token.index()).filter(|slot| slot.generation == token.generation())?;
        let registration = slot.registration.as_ref()?;
        Some((Rc::clone(&registration.callback), Readiness::of(ready.flags)))
    }
}

impl Readiness {
    pub const READ: Readiness = Readiness { read: true, write: false };
    pub const WRITE: Readiness = Readiness { read: false, write: true };

    fn of(flags: EventFlags) -> Readiness {
        let ended = EventFlags::ERR | EventFlags::HUP;
        Readiness {
            read: flags.intersects(EventFlags::IN | ended),
            write: flags.intersects(EventFlags::OUT | ended),
        }
    }
}

impl Token {
    fn new(index: usize, generation: u32) -> Token {
        Token(u64::from(generation) << 32 | index as u64)
    }

    fn index(self) -> usize {
        (self.0 & u64::from(u32::MAX)) as usize
    }

    fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }
}
