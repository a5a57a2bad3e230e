//! File descriptors received with messages (`SCM_RIGHTS`), as JavaScript objects. In: a received
//! descriptor. Out: its kind, a stream handle over it, or its number. A descriptor has one owner at
//! any time; one that is not taken is closed when its object is collected. Also the duplicate of a
//! descriptor that is to be sent.

use std::cell::Cell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::fd::{self, FdKind};
use rusk_base::sys::{self, Errno, socket};
use rusk_jsc::{Call, Exception, Kind, Object, Scope, Value};

use rusk_ext_io::stream_handle::{self, StreamHandle};
use rusk_runtime::bindings::add;
use rusk_runtime::values::negative_errno;

/// Empty once it is taken or closed.
struct ReceivedFd(Cell<Option<OwnedFd>>);

pub(super) fn add_to<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Whether a stream or a listening stream socket can be made of it.
    add(scope, binding, "isStream", |scope, call| {
        let fd = find(scope, call).and_then(|received| received.0.take());
        let kind = fd.as_ref().map(|fd| fd::kind(fd::raw(fd)));
        let is_stream = match kind {
            Some(Ok(FdKind::Pipe)) => true,
            Some(Ok(FdKind::UnixSocket | FdKind::Socket)) => {
                fd.as_ref().is_some_and(|fd| socket::is_stream(fd.as_fd()))
            }
            _ => false,
        };
        if let (Some(received), Some(fd)) = (find(scope, call), fd) {
            received.0.set(Some(fd));
        }
        Ok(scope.boolean(is_stream))
    })?;
    // A stream handle over it, or an errno less than 0.
    add(scope, binding, "takeStreamHandle", |scope, call| {
        let fd = find(scope, call).and_then(|received| received.0.take()).ok_or(Errno::BADF);
        Ok(match fd.and_then(|fd| StreamHandle::new(fd, true)) {
            Ok(handle) => handle.show(scope).value(),
            Err(error) => scope.number(negative_errno(error)),
        })
    })?;
    add(scope, binding, "closeFd", |scope, call| {
        drop(find(scope, call).and_then(|received| received.0.take()));
        Ok(scope.undefined())
    })
}

pub(super) fn to_object(scope: &Scope, fd: OwnedFd) -> Value<'_> {
    scope.native(ReceivedFd(Cell::new(Some(fd)))).value()
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ReceivedFd>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// Duplicate of a descriptor that is to be sent: of a stream handle, or of a number. The original
/// is not changed.
pub(super) fn duplicate<'s>(
    scope: &'s Scope,
    value: Value<'s>,
) -> Result<sys::Result<Option<OwnedFd>>, Exception<'s>> {
    let number = match value.kind(scope) {
        Kind::Undefined | Kind::Null => return Ok(Ok(None)),
        Kind::Number => value.to_number(scope)? as i32,
        _ => match stream_handle::raw_fd(scope, value) {
            Some(number) => number,
            None => return Ok(Err(Errno::BADF)),
        },
    };
    Ok(fd::duplicate(number).map(Some))
}
