//! inotify(7) instances in the event loop, for `fs.watch`. In: paths with event masks. Out: watch
//! descriptors, and calls with a watch descriptor, a mask and a name. All watchers of a program
//! share one instance. Absent: recursive watching (`js/internal/fs/recursive_watch.js`).

use std::cell::RefCell;
use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::Errno;
use rusk_base::sys::inotify::{self, ReadFlags, WatchFlags};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Object, Outcome, Root, Scope};

use super::arguments::Arguments;
use super::result::FsError;
use rusk_runtime::IoHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;

rusk_runtime::shared_constants! {
    /// Event masks of inotify(7).
    pub mod mask: u32 {
        IN_MODIFY = super::WatchFlags::MODIFY.bits(),
        IN_ATTRIB = super::WatchFlags::ATTRIB.bits(),
        IN_MOVED_FROM = super::WatchFlags::MOVED_FROM.bits(),
        IN_MOVED_TO = super::WatchFlags::MOVED_TO.bits(),
        IN_CREATE = super::WatchFlags::CREATE.bits(),
        IN_DELETE = super::WatchFlags::DELETE.bits(),
        IN_DELETE_SELF = super::WatchFlags::DELETE_SELF.bits(),
        IN_MOVE_SELF = super::WatchFlags::MOVE_SELF.bits(),
        IN_IGNORED = super::ReadFlags::IGNORED.bits(),
        IN_ISDIR = super::ReadFlags::ISDIR.bits(),
    }
}

/// An inotify instance in the event loop; `None` after `inotifyClose`. A user may have few of
/// them, so the descriptor does not wait for the collector.
struct InotifyInstance(RefCell<Option<OpenInstance>>);

struct OpenInstance {
    fd: Rc<OwnedFd>,
    io: IoHandle,
}

impl InotifyInstance {
    fn fd(&self) -> Result<Rc<OwnedFd>, Errno> {
        self.0.borrow().as_ref().map(|open| Rc::clone(&open.fd)).ok_or(Errno::BADF)
    }
}

struct InotifyEvent {
    watch: i32,
    mask: ReadFlags,
    name: Option<CString>,
}

/// `inotifyInit(onEvent)`: an instance; `onEvent(watch, mask, name)` is called for every event, the
/// name as bytes. The instance is unref'd.
pub fn inotify_init<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let fail = |errno: Errno| FsError::new(errno, "watch").exception(scope);
    let on_event = Root::new(scope, call.argument(scope, 0));
    let fd = Rc::new(inotify::open().map_err(fail)?);
    let event_fd = Rc::clone(&fd);
    let io = RuntimeState::current().handle.add_io(Rc::clone(&fd), Readiness::READ, move |scope, _| {
        let mut events = Vec::new();
        let read = inotify::read(event_fd.as_fd(), &mut |watch, mask, name| {
            events.push(InotifyEvent { watch, mask, name: name.map(ToOwned::to_owned) });
        });
        if let Err(errno) = read {
            return Err(FsError::new(errno, "watch").exception(scope));
        }
        let Some(on_event) = on_event.value(scope).as_function(scope) else { return Ok(()) };
        for event in events {
            let outcome = scope.with_nested_scope(|inner| {
                let name = match event.name {
                    Some(name) => Bytes::from_vec(inner, name.into_bytes()).map(Object::value),
                    None => Ok(inner.undefined()),
                };
                let returned = name.and_then(|name| {
                    let (watch, mask) = (f64::from(event.watch), f64::from(event.mask.bits()));
                    on_event.call(inner, &[inner.number(watch), inner.number(mask), name])
                });
                returned.map(|_| ()).map_err(|thrown| Root::new(inner, thrown.value()))
            });
            outcome.map_err(|thrown| Exception::from(thrown.value(scope)))?;
        }
        Ok(())
    });
    let io = io.map_err(fail)?;
    io.unref();
    Ok(scope.native(InotifyInstance(RefCell::new(Some(OpenInstance { fd, io })))).value())
}

/// `inotifyAddWatch(instance, path, mask)`: the watch descriptor, the same one for the same file.
pub fn inotify_add_watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (instance, path) = (instance(scope, call)?, arguments.path(1)?);
    let mask = WatchFlags::from_bits_retain(arguments.integer(2)?.cast_unsigned());
    match instance.fd().and_then(|fd| inotify::add(fd.as_fd(), &path, mask)) {
        Ok(number) => Ok(scope.number(f64::from(number))),
        Err(errno) => Err(FsError::at(errno, "watch", path).exception(scope)),
    }
}

/// `inotifyRmWatch(instance, watch)`. A watch that no longer exists is no error.
pub fn inotify_rm_watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let watch = Arguments::new(scope, call).integer(1)?;
    if let Ok(fd) = instance(scope, call)?.fd() {
        let _ = inotify::remove(fd.as_fd(), watch);
    }
    Ok(scope.undefined())
}

/// `inotifySetRef(instance, isRef)`: whether it keeps the event loop alive.
pub fn inotify_set_ref<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let instance = instance(scope, call)?;
    if let Some(OpenInstance { io, .. }) = &*instance.0.borrow() {
        if call.argument(scope, 1).is_truthy(scope) { io.r#ref() } else { io.unref() }
    }
    Ok(scope.undefined())
}

/// `inotifyClose(instance)`
pub fn inotify_close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let closed = instance(scope, call)?.0.take();
    drop(closed);
    Ok(scope.undefined())
}

fn instance<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Rc<InotifyInstance>, Exception<'s>> {
    let instance = call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native(scope));
    instance.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument 0 must be an inotify instance"))
}
