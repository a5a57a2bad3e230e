//! GLib main context of a VM, which delivers the engine's timers and messages from its helper
//! threads. In: the thread. Out: file descriptors and a timeout to wait for; dispatch of what is
//! due. Absent: waiting.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::os::fd::{BorrowedFd, RawFd};
use std::ptr;
use std::time::Duration;

use crate::engine::symbols;
use crate::symbols::{PollEntry, RawMain};

/// Limit of descriptors that GLib may return. The engine has one, the context's own; an inspector
/// would add a few.
const DESCRIPTORS_MAX: usize = 64;

/// Interval at which descriptors are polled that the event loop does not watch.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    /// The engine has one run loop per thread, on the main context that is current when the first
    /// VM is made; later VMs share it.
    static OF_THREAD: Cell<Option<MainContext>> = const { Cell::new(None) };
}

/// `WTF::initializeMainThread()`.
const INITIALIZE_MAIN_THREAD: &CStr = c"_ZN3WTF20initializeMainThreadEv";

/// Registers the main thread with the engine. The timer of full collections uses that thread's run
/// loop and dereferences null if none was registered; the public functions do not register one.
#[derive(Clone, Copy)]
pub(crate) struct MainThread(unsafe extern "C" fn());

impl MainThread {
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<MainThread> {
        let address = find(INITIALIZE_MAIN_THREAD);
        // SAFETY: the mangled name has no arguments.
        (!address.is_null()).then(|| {
            MainThread(unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(address) })
        })
    }

    /// Registers the calling thread, which has a main context and a VM; only the first call has an
    /// effect.
    pub fn register_current_thread(self) {
        // SAFETY: the engine is initialized, and does this once.
        unsafe { (self.0)() }
    }
}

/// The thread's main context. GLib keeps it alive until the thread ends.
#[derive(Clone, Copy)]
pub(crate) struct MainContext {
    raw: RawMain,
    /// The context's own file descriptor, which other threads make ready.
    waker: RawFd,
}

/// What the engine waits for. Reused from turn to turn, so that nothing is allocated.
#[derive(Default)]
pub struct PollSet {
    entries: Vec<PollEntry>,
    waker: RawFd,
    /// Descriptors beside the waker that the event loop watches, for as long as the engine has
    /// them.
    watched: Vec<RawFd>,
    timeout: Option<Duration>,
    priority: c_int,
}

impl PollSet {
    /// The longest time to wait; `None`: until the waker or a watched descriptor is ready.
    pub fn timeout(&self) -> Option<Duration> {
        let unwatched = self.unwatched().any(|other| !self.watched.contains(&other)).then_some(POLL_INTERVAL);
        self.timeout.into_iter().chain(unwatched).min()
    }

    /// Registers the engine's other descriptors with the event loop, such as the timer descriptor
    /// that it has from 2.52 on: when one is readable, the engine is woken. Descriptors for which
    /// `watch` returns `false` are polled.
    pub fn watch(&mut self, mut watch: impl FnMut(BorrowedFd<'_>) -> bool) {
        for at in 0..self.entries.len() {
            let other = self.entries[at].fd;
            // SAFETY: the engine waits for it, so it is open.
            if other != self.waker
                && !self.watched.contains(&other)
                && watch(unsafe { BorrowedFd::borrow_raw(other) })
            {
                self.watched.push(other);
            }
        }
    }

    fn unwatched(&self) -> impl Iterator<Item = RawFd> + '_ {
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
        // SAFETY: a new context. Pushing it takes a reference and acquires it for this thread, both
        // until the thread ends. Because it is acquired, other threads that add a source wake its
        // descriptor.
        let raw = unsafe {
            let context = (symbols().g_main_context_new)();
            (symbols().g_main_context_push_thread_default)(context);
            (symbols().g_main_context_unref)(context);
            context
        };
        let mut poll_set = PollSet::default();
        MainContext { raw, waker: -1 }.prepare(&mut poll_set);
        let waker = poll_set.entries.first().map(|entry| entry.fd);
        MainContext { raw, waker: waker.expect("a new main context has a descriptor of its own") }
    }

    pub fn waker(&self) -> BorrowedFd<'_> {
        // SAFETY: GLib closes it with the context, when this thread ends, which `self` cannot
        // leave.
        unsafe { BorrowedFd::borrow_raw(self.waker) }
    }

    pub fn prepare(&self, poll_set: &mut PollSet) {
        let mut timeout_ms: c_int = -1;
        poll_set.entries.resize(DESCRIPTORS_MAX, PollEntry { fd: -1, events: 0, revents: 0 });
        // SAFETY: this thread owns the context; the buffer has as many entries as passed.
        let count = unsafe {
            (symbols().g_main_context_prepare)(self.raw, &mut poll_set.priority);
            let (room, entries) = (DESCRIPTORS_MAX as c_int, poll_set.entries.as_mut_ptr());
            (symbols().g_main_context_query)(self.raw, poll_set.priority, &mut timeout_ms, entries, room)
        };
        poll_set.entries.truncate(usize::try_from(count).unwrap_or(0));
        poll_set.waker = self.waker;
        poll_set.timeout = u64::try_from(timeout_ms).ok().map(Duration::from_millis);
    }

    /// `is_woken`: the waker or a watched descriptor is ready. Returns whether anything was due.
    pub fn dispatch(&self, poll_set: &mut PollSet, is_woken: bool) -> bool {
        for entry in &mut poll_set.entries {
            entry.revents = if is_woken && entry.fd == self.waker { entry.events } else { 0 };
        }
        if poll_set.entries.len() > 1 {
            // SAFETY: `GPollFD` has the layout of `struct pollfd`, and the count is right.
            unsafe {
                libc::poll(poll_set.entries.as_mut_ptr().cast(), poll_set.entries.len() as libc::nfds_t, 0)
            };
        }
        let count = poll_set.entries.len() as c_int;
        let entries = if count == 0 { ptr::null_mut() } else { poll_set.entries.as_mut_ptr() };
        // SAFETY: this thread owns the context, which was queried with these entries.
        unsafe {
            let is_due = (symbols().g_main_context_check)(self.raw, poll_set.priority, entries, count) != 0;
            if is_due {
                (symbols().g_main_context_dispatch)(self.raw);
            }
            is_due
        }
    }
}
