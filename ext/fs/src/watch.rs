//! What happens to files, told as it happens. In: paths. Out: for each watch its number, and calls
//! with that number, what happened and to which name. One set of watches serves all of a program.
//! Absent: directories below directories; js/internal/fs/watchers.js watches each.

use std::cell::RefCell;
use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::Errno;
use rusk_base::sys::inotify::{self, ReadFlags, WatchFlags};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Object, Outcome, Root, Scope};

use super::answer::Failure;
use super::arguments::Arguments;
use rusk_runtime::IoHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;

/// A set of watches in the loop.
struct Set {
    file: Rc<OwnedFd>,
    watch: RefCell<Option<IoHandle>>,
}

/// One thing that happened.
struct Event {
    watch: i32,
    what: ReadFlags,
    name: Option<CString>,
}

/// `watchOpen(tell)`: a set; `tell(watch, mask, name)` is called for all that happens, the name as
/// bytes. It does not keep the loop going.
pub fn watch_open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let fail = |errno: Errno| Failure::new(errno, "watch").exception(scope);
    let tell = Root::new(scope, call.argument(scope, 0));
    let file = Rc::new(inotify::open().map_err(fail)?);
    let own = Rc::clone(&file);
    let watch = RuntimeState::current().handle.add_io(Rc::clone(&file), Readiness::READ, move |scope, _| {
        let mut events = Vec::new();
        let read = inotify::read(own.as_fd(), &mut |watch, what, name| {
            events.push(Event { watch, what, name: name.map(ToOwned::to_owned) });
        });
        if let Err(errno) = read {
            return Err(Failure::new(errno, "watch").exception(scope));
        }
        let Some(tell) = tell.value(scope).as_function(scope) else { return Ok(()) };
        for event in events {
            let outcome = scope.with_nested_scope(|inner| {
                let name = match event.name {
                    Some(name) => Bytes::from_vec(inner, name.into_bytes()).map(Object::value),
                    None => Ok(inner.undefined()),
                };
                let told = name.and_then(|name| {
                    let (watch, what) = (f64::from(event.watch), f64::from(event.what.bits()));
                    tell.call(inner, &[inner.number(watch), inner.number(what), name])
                });
                told.map(|_| ()).map_err(|thrown| Root::new(inner, thrown.value()))
            });
            outcome.map_err(|thrown| Exception::from(thrown.value(scope)))?;
        }
        Ok(())
    });
    let watch = watch.map_err(fail)?;
    watch.unref();
    Ok(scope.native(Set { file, watch: RefCell::new(Some(watch)) }).value())
}

/// `watchAdd(set, path, mask)`: the watch's number, the same one for the same file.
pub fn watch_add<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (set, path) = (find_set(scope, call)?, arguments.path(1)?);
    let wanted = WatchFlags::from_bits_retain(arguments.integer(2)?.cast_unsigned());
    match inotify::add(set.file.as_fd(), &path, wanted) {
        Ok(number) => Ok(scope.number(f64::from(number))),
        Err(errno) => Err(Failure::at(errno, "watch", path).exception(scope)),
    }
}

/// `watchRemove(set, watch)`; one that is gone is fine.
pub fn watch_remove<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let number = Arguments::new(scope, call).integer(1)?;
    let _ = inotify::remove(find_set(scope, call)?.file.as_fd(), number);
    Ok(scope.undefined())
}

/// `watchKeep(set, isKept)`: whether it keeps the loop going.
pub fn watch_keep<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let set = find_set(scope, call)?;
    if let Some(watch) = &*set.watch.borrow() {
        if call.argument(scope, 1).is_truthy(scope) { watch.r#ref() } else { watch.unref() }
    }
    Ok(scope.undefined())
}

/// `watchClose(set)`
pub fn watch_close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let watch = find_set(scope, call)?.watch.take();
    drop(watch);
    Ok(scope.undefined())
}

fn find_set<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Rc<Set>, Exception<'s>> {
    let set = call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native(scope));
    set.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument 0 is to be a set of watches"))
}
