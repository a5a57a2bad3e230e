//! Descriptors of addons that the loop waits for (`uv_poll_t`), as long as they are ready. In:
//! handles with the events that are wanted. Out: calls with those that have come. As in libuv, a
//! descriptor has one active handle, and an error on it ends the watching with `EBADF`. Absent:
//! reading and writing.

use std::ffi::c_int;

use rusk_base::sys;
use rusk_base::sys::epoll::EventFlags;
use rusk_jsc::Scope;

use super::poller::Poller;
use super::{HandleKind, HandlePointer, HandleSource, UvLoop, activate, init, invalid, runtime_of, stop};
use crate::env::with_scope;
use crate::instance::Instance;

type PollCallback = unsafe extern "C" fn(HandlePointer, c_int, c_int);

/// `uv_poll_event`, and what the kernel calls it.
const EVENTS: [(c_int, EventFlags); 4] =
    [(1, EventFlags::IN), (2, EventFlags::OUT), (4, EventFlags::RDHUP), (8, EventFlags::PRI)];

/// An active handle.
#[derive(Clone, Copy)]
pub struct Watch {
    handle: HandlePointer,
    callback: PollCallback,
    /// What it waits for.
    pub flags: EventFlags,
}

#[unsafe(no_mangle)]
extern "C" fn uv_poll_init(owner: *const UvLoop, handle: HandlePointer, fd: c_int) -> c_int {
    let Some(instance) = runtime_of(owner) else { return invalid() };
    let checked = Poller::of(&instance).and_then(|poller| match poller.watch(fd) {
        Some(_) => Err(sys::Errno::EXIST),
        None => poller.check(fd),
    });
    if let Err(error) = checked {
        return -error.raw_os_error();
    }
    // SAFETY: it reads the number.
    if unsafe { libc::ioctl(fd, libc::FIONBIO, &raw const NON_BLOCKING) } != 0 {
        return -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL);
    }
    init(owner, handle, HandleKind::Poll, HandleSource::Poll(fd), None)
}

static NON_BLOCKING: c_int = 1;

#[unsafe(no_mangle)]
extern "C" fn uv_poll_init_socket(owner: *const UvLoop, handle: HandlePointer, socket: c_int) -> c_int {
    uv_poll_init(owner, handle, socket)
}

#[unsafe(no_mangle)]
extern "C" fn uv_poll_start(handle: HandlePointer, events: c_int, callback: Option<PollCallback>) -> c_int {
    let (Some(instance), Some(callback)) = (Instance::current(), callback) else { return invalid() };
    let Some(fd) = fd_of(&instance, handle) else { return invalid() };
    let Ok(poller) = Poller::of(&instance) else { return invalid() };
    if poller.watch(fd).is_some_and(|watch| watch.handle != handle) {
        return -libc::EEXIST;
    }
    stop(handle);
    let flags = EVENTS.iter().filter(|(event, _)| events & event != 0).map(|(_, flag)| *flag).collect();
    if events == 0 {
        return 0;
    }
    if let Err(error) = poller.add(fd, Watch { handle, callback, flags }) {
        return -error.raw_os_error();
    }
    activate(&instance, handle);
    0
}

#[unsafe(no_mangle)]
extern "C" fn uv_poll_stop(handle: HandlePointer) -> c_int {
    stop(handle)
}

/// The descriptor of a poll handle that is open.
pub fn fd_of(instance: &Instance, handle: HandlePointer) -> Option<c_int> {
    let found = instance.uv.change(handle, |part| match part.source {
        HandleSource::Poll(fd) => Some(fd),
        _ => None,
    });
    found.flatten()
}

/// Calls the handle of a descriptor that is ready.
pub fn call(scope: &Scope, poller: &Poller, fd: c_int, found: EventFlags) {
    // It was closed, but not what it stands for: another descriptor does so too.
    let Some(watch) = poller.watch(fd) else { return poller.unwatch(fd) };
    let mut flags = found & (watch.flags | EventFlags::ERR | EventFlags::HUP);
    // Nothing else says that it has ended.
    if flags == EventFlags::ERR || flags == EventFlags::HUP {
        flags |= watch.flags;
    }
    let (status, events) = match flags.contains(EventFlags::ERR) && !flags.contains(EventFlags::PRI) {
        true => (-libc::EBADF, 0),
        false => (0, EVENTS.iter().filter(|(_, flag)| flags.contains(*flag)).map(|(event, _)| event).sum()),
    };
    if status != 0 {
        stop(watch.handle);
    }
    // SAFETY: the addon's own function and handle, which was active.
    with_scope(scope, || unsafe { (watch.callback)(watch.handle, status, events) });
}
