//! Descriptors that the loop waits for, and what each is for. In: a descriptor and a callback. Out:
//! after a wait, the callbacks that are due, by number, so that one that is taken away meanwhile is
//! not called. Absent: calling.

use std::cell::{Cell, RefCell};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys;
use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_jsc::{Exception, Scope};

/// What is called when a descriptor is ready.
pub(crate) type Callback = dyn for<'s> Fn(&'s Scope, Readiness) -> Result<(), Exception<'s>>;

/// What a descriptor is ready for. An error and the other end's leaving make it ready for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    pub read: bool,
    pub write: bool,
}

pub(crate) struct Descriptors {
    epoll: RefCell<Epoll>,
    entries: RefCell<Vec<Entry>>,
    /// Places that are free again.
    free: RefCell<Vec<usize>>,
    /// Entries that keep the loop going.
    kept: Cell<usize>,
    /// Rounds in a row in which ends were put off.
    put_off: Cell<u32>,
    /// Who is called now has more.
    has_more: Cell<bool>,
}

/// So often in a row one is called that has more; what is left waits until the others had theirs.
/// As often libuv reads messages of a socket.
pub(crate) const TURNS_MAX: u32 = 32;

/// What children wrote before they ended is told first, but not for ever.
const PUT_OFF_MAX: u32 = 64;

/// A place for a descriptor. Its age grows whenever it becomes free, and tells a number from those
/// before.
#[derive(Default)]
struct Entry {
    age: u32,
    used: Option<Used>,
}

struct Used {
    fd: Rc<OwnedFd>,
    callback: Rc<Callback>,
    is_kept: bool,
    /// It tells that something has ended; whatever else is ready comes before it.
    is_end: bool,
}

/// The loop's own descriptors: numbers that no place has.
pub(crate) struct OwnNumber;

impl OwnNumber {
    pub const ENGINE: u64 = u64::MAX;
    pub const WORK: u64 = u64::MAX - 1;
    pub const SIGNALS: u64 = u64::MAX - 2;
    /// Somebody ends this worker.
    pub const END: u64 = u64::MAX - 3;
    /// A child has ended that no worker waits for any more.
    pub const ABANDONED: u64 = u64::MAX - 4;
}

/// A place and its age: what the kernel gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(u64);

impl Descriptors {
    pub fn new() -> sys::Result<Descriptors> {
        Ok(Descriptors {
            epoll: RefCell::new(Epoll::new()?),
            entries: RefCell::default(),
            free: RefCell::default(),
            kept: Cell::new(0),
            put_off: Cell::new(0),
            has_more: Cell::new(false),
        })
    }

    /// The descriptor stays open at least until it is removed. It keeps the loop going unless that
    /// is taken back.
    pub fn add(&self, fd: Rc<OwnedFd>, wanted: Readiness, callback: Rc<Callback>) -> sys::Result<Number> {
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, wanted.read);
        flags.set(EventFlags::OUT, wanted.write);
        let mut entries = self.entries.borrow_mut();
        let mut free = self.free.borrow_mut();
        let place = free.last().copied().unwrap_or(entries.len());
        let age = entries.get(place).map_or(0, |entry| entry.age);
        let number = Number::new(place, age);
        self.epoll.borrow().add(fd.as_fd(), number.0, flags)?;
        if free.pop().is_none() {
            entries.push(Entry::default());
        }
        entries[place].used = Some(Used { fd, callback, is_kept: true, is_end: false });
        self.kept.set(self.kept.get() + 1);
        Ok(number)
    }

    /// For a descriptor of the loop itself, which never keeps it going.
    pub fn add_own(&self, fd: BorrowedFd<'_>, number: u64) -> sys::Result<()> {
        self.epoll.borrow().add(fd, number, EventFlags::IN)
    }

    /// The same for one that other threads wake: each wake is told once, so that nobody need read
    /// what it left.
    pub fn add_waker(&self, fd: BorrowedFd<'_>, number: u64) -> sys::Result<()> {
        self.epoll.borrow().add(fd, number, EventFlags::IN | EventFlags::ET)
    }

    pub fn remove(&self, number: Number) {
        let mut entries = self.entries.borrow_mut();
        let Some(entry) = entries.get_mut(number.place()).filter(|entry| entry.age == number.age()) else {
            return;
        };
        let Some(used) = entry.used.take() else { return };
        entry.age = entry.age.wrapping_add(1);
        drop(entries);
        self.free.borrow_mut().push(number.place());
        if used.is_kept {
            self.kept.set(self.kept.get() - 1);
        }
        // It is open and was added, so there is nothing to refuse.
        let _ = self.epoll.borrow().remove(used.fd.as_fd());
    }

    /// Gives up the number that the set itself has: it was open before any of the program's, so it
    /// is a low one, which children can use. The set stays, under another.
    pub fn give_up_number(&self) -> sys::Result<OwnedFd> {
        self.epoll.borrow_mut().replace_fd()
    }

    /// Removes all; their numbers are good for nothing any more.
    pub fn clear(&self) {
        let count = self.entries.borrow().len();
        for place in 0..count {
            let age = self.entries.borrow()[place].age;
            self.remove(Number::new(place, age));
        }
    }

    /// Whether it keeps the loop going.
    pub fn set_kept(&self, number: Number, is_kept: bool) {
        let mut entries = self.entries.borrow_mut();
        let entry = entries.get_mut(number.place()).filter(|entry| entry.age == number.age());
        let Some(used) = entry.and_then(|entry| entry.used.as_mut()) else { return };
        match (used.is_kept, is_kept) {
            (false, true) => self.kept.set(self.kept.get() + 1),
            (true, false) => self.kept.set(self.kept.get() - 1),
            _ => {}
        }
        used.is_kept = is_kept;
    }

    /// It tells of an end.
    pub fn set_end(&self, number: Number) {
        let mut entries = self.entries.borrow_mut();
        let entry = entries.get_mut(number.place()).filter(|entry| entry.age == number.age());
        if let Some(used) = entry.and_then(|entry| entry.used.as_mut()) {
            used.is_end = true;
        }
    }

    pub fn keep_going(&self) -> bool {
        self.kept.get() != 0
    }

    /// Ends are left out while others are ready: they stay ready, and the next wait gives them
    /// again.
    pub fn wait(&self, ready: &mut Vec<ReadyEvent>, timeout: Option<Duration>) -> sys::Result<()> {
        self.epoll.borrow().wait(ready, timeout)?;
        let is_end = |ready: &ReadyEvent| self.is_end(*ready);
        let has_others = ready.iter().any(|ready| is_end(ready) == Some(false));
        if !has_others || !ready.iter().any(|ready| is_end(ready) == Some(true)) {
            self.put_off.set(0);
        } else if self.put_off.get() < PUT_OFF_MAX {
            self.put_off.set(self.put_off.get() + 1);
            ready.retain(|ready| is_end(ready) != Some(true));
        }
        Ok(())
    }

    /// `None`: one of the loop's own, or one that is gone.
    fn is_end(&self, ready: ReadyEvent) -> Option<bool> {
        let number = Number(ready.token);
        let entries = self.entries.borrow();
        let entry = entries.get(number.place()).filter(|entry| entry.age == number.age())?;
        entry.used.as_ref().map(|used| used.is_end)
    }

    /// Who is called now has more: it is called once again, in a turn of its own, without a wait
    /// before.
    pub fn tell_more(&self) {
        self.has_more.set(true);
    }

    pub fn take_more(&self) -> bool {
        self.has_more.take()
    }

    /// What is to be called for what a wait gave; `None` if that was removed meanwhile.
    pub fn callback(&self, ready: ReadyEvent) -> Option<(Rc<Callback>, Readiness)> {
        let number = Number(ready.token);
        let entries = self.entries.borrow();
        let used = entries.get(number.place()).filter(|entry| entry.age == number.age())?.used.as_ref()?;
        Some((Rc::clone(&used.callback), Readiness::of(ready.flags)))
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

impl Number {
    fn new(place: usize, age: u32) -> Number {
        Number(u64::from(age) << 32 | place as u64)
    }

    fn place(self) -> usize {
        (self.0 & u64::from(u32::MAX)) as usize
    }

    fn age(self) -> u32 {
        (self.0 >> 32) as u32
    }
}
