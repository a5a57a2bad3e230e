//! GLib's main context of a VM: the engine's own timers and messages from its helper threads arrive
//! there. In: the thread. Out: what there is to wait for, a descriptor and a time; and what is due,
//! done. Absent: waiting.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::os::fd::{BorrowedFd, RawFd};
use std::ptr;
use std::time::Duration;

use crate::engine::symbols;
use crate::symbols::{PollEntry, RawMain};

/// Descriptors that GLib is asked for at most. The engine has one, the context's own; an inspector
/// would bring a few.
const DESCRIPTORS_MAX: usize = 64;

/// How often descriptors are looked at that a loop does not watch.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    /// The engine has one loop a thread, on the main context that it finds when the first VM is
    /// made; later VMs share it.
    static OF_THREAD: Cell<Option<MainContext>> = const { Cell::new(None) };
}

/// `WTF::initializeMainThread()`.
const INITIALIZE_MAIN_THREAD: &CStr = c"_ZN3WTF20initializeMainThreadEv";

/// What tells the engine which thread is the main one. The collector's timer for all that is old
/// looks at that thread's loop, and follows a null pointer where nobody ever said; the public
/// functions do not.
#[derive(Clone, Copy)]
pub(crate) struct MainThread(unsafe extern "C" fn());

impl MainThread {
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<MainThread> {
        let address = find(INITIALIZE_MAIN_THREAD);
        // SAFETY: the mangled name says that it takes nothing.
        (!address.is_null()).then(|| {
            MainThread(unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(address) })
        })
    }

    /// The calling thread, which has a main context and a VM; only the first call counts.
    pub fn is_here(self) {
        // SAFETY: the engine is initialized, and does this once.
        unsafe { (self.0)() }
    }
}

/// The thread's main context. GLib keeps it, held by the thread, until the thread ends.
#[derive(Clone, Copy)]
pub(crate) struct MainContext {
    raw: RawMain,
    /// The context's own descriptor, which other threads make ready.
    waker: RawFd,
}

/// What the engine waits for. Kept from turn to turn, so that nothing is allocated.
#[derive(Default)]
pub struct PollSet {
    entries: Vec<PollEntry>,
    waker: RawFd,
    /// Descriptors beside the waker that the loop watches, for as long as the engine has them.
    watched: Vec<RawFd>,
    timeout: Option<Duration>,
    priority: c_int,
}

impl PollSet {
    /// How long at most; `None`: until the waker is ready, or what is watched.
    pub fn timeout(&self) -> Option<Duration> {
        let others = self.others().any(|other| !self.watched.contains(&other)).then_some(POLL_INTERVAL);
        self.timeout.into_iter().chain(others).min()
    }

    /// Has the loop watch what the engine waits for beside its waker, as a descriptor of its
    /// timers, which those from 2.52 on have: when it can be read, the engine is woken. What
    /// `watch` answers `false` for is looked at now and then.
    pub fn watch(&mut self, mut watch: impl FnMut(BorrowedFd<'_>) -> bool) {
        for at in 0..self.entries.len() {
            let other = self.entries[at].fd;
            // SAFETY: the engine has it open, as it asks to wait for it.
            if other != self.waker
                && !self.watched.contains(&other)
                && watch(unsafe { BorrowedFd::borrow_raw(other) })
            {
                self.watched.push(other);
            }
        }
    }

    fn others(&self) -> impl Iterator<Item = RawFd> + '_ {
        self.entries.iter().map(|entry| entry.fd).filter(|fd| *fd != self.waker)
    }
}

impl MainContext {
    pub fn of_thread() -> MainContext {
        OF_THREAD.get().unwrap_or_else(|| {
            let main = MainContext::push();
            OF_THREAD.set(Some(main));
            main
        })
    }

    fn push() -> MainContext {
        // SAFETY: a new context. To push it counts a reference and holds it for this thread, both
        // until the thread ends. Held, so that other threads that put something there wake its
        // descriptor.
        let raw = unsafe {
            let context = (symbols().g_main_context_new)();
            (symbols().g_main_context_push_thread_default)(context);
            (symbols().g_main_context_unref)(context);
            context
        };
        let mut wait = PollSet::default();
        MainContext { raw, waker: -1 }.prepare(&mut wait);
        let waker = wait.entries.first().map(|entry| entry.fd);
        MainContext { raw, waker: waker.expect("a new main context has a descriptor of its own") }
    }

    pub fn waker(&self) -> BorrowedFd<'_> {
        // SAFETY: GLib closes it when the context goes, with this thread, which `self` cannot
        // leave.
        unsafe { BorrowedFd::borrow_raw(self.waker) }
    }

    pub fn prepare(&self, wait: &mut PollSet) {
        let mut timeout_ms: c_int = -1;
        wait.entries.resize(DESCRIPTORS_MAX, PollEntry { fd: -1, events: 0, revents: 0 });
        // SAFETY: this thread holds the context; there is room for as many entries as said.
        let count = unsafe {
            (symbols().g_main_context_prepare)(self.raw, &mut wait.priority);
            let (room, entries) = (DESCRIPTORS_MAX as c_int, wait.entries.as_mut_ptr());
            (symbols().g_main_context_query)(self.raw, wait.priority, &mut timeout_ms, entries, room)
        };
        wait.entries.truncate(usize::try_from(count).unwrap_or(0));
        wait.waker = self.waker;
        wait.timeout = u64::try_from(timeout_ms).ok().map(Duration::from_millis);
    }

    /// `is_woken`: the waker is ready, or what is watched. Whether anything was due.
    pub fn dispatch(&self, wait: &mut PollSet, is_woken: bool) -> bool {
        for entry in &mut wait.entries {
            entry.revents = if is_woken && entry.fd == self.waker { entry.events } else { 0 };
        }
        if wait.entries.len() > 1 {
            // SAFETY: `GPollFD` is `struct pollfd`, and there are as many as said.
            unsafe { libc::poll(wait.entries.as_mut_ptr().cast(), wait.entries.len() as libc::nfds_t, 0) };
        }
        let count = wait.entries.len() as c_int;
        let entries = if count == 0 { ptr::null_mut() } else { wait.entries.as_mut_ptr() };
        // SAFETY: this thread holds the context, which was asked with these entries.
        unsafe {
            let is_due = (symbols().g_main_context_check)(self.raw, wait.priority, entries, count) != 0;
            if is_due {
                (symbols().g_main_context_dispatch)(self.raw);
            }
            is_due
        }
    }
}
